// Damaged files: whatever the bytes are, an error or a file whose every view lies inside them.
//
// No request for memory is over 64 MiB (allocation_limit.h), and what is held stays below 32 MiB.
#include "lamina/gguf/reader.h"

#include "gguf/allocation_limit.h"
#include "gguf/bytes.h"

#include <boost/test/unit_test.hpp>

#include <random>

using namespace lamina;
using lamina::test::AllocationWatch;
using lamina::test::Bytes;
using lamina::test::ExactCopy;

namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

/// A file with every type of value and several tensors, about 2 KiB.
std::vector<std::byte> whole_file() {
  const auto data = test::counting_bytes(420);
  const auto all = std::span(data);
  GgufWriter writer;
  test::set_every_type(writer);
  writer.set("general.alignment", 32u)
      .add_tensor("token_embd.weight", FormatId::q6_k, {256, 2}, all)
      .add_tensor("blk.0.attn_q.weight", FormatId::q4_0, {32, 2, 2}, all.first(72))
      .add_tensor("output_norm.weight", FormatId::f32, {7}, all.first(28));
  return writer.to_bytes();
}

/// Reads and walks `bytes`; true where they are a file. An Error is fine, anything else is not.
bool survives(std::span<const std::byte> bytes) {
  const AllocationWatch watch;
  bool is_file = false;
  try {
    const GgufFile file = read_gguf(bytes, "damaged.gguf");
    is_file = true;
    BOOST_REQUIRE(test::walk(file, bytes));
  } catch (const Error& error) {
    BOOST_REQUIRE(std::string_view(error.what()).starts_with("damaged.gguf: "));
  }
  BOOST_REQUIRE(!watch.refused());
  BOOST_REQUIRE(watch.peak() < bytes.size() + mebibyte);
  return is_file;
}

/// Reads a file that must be refused; the most memory held meanwhile.
std::size_t memory_to_refuse(std::span<const std::byte> bytes) {
  const AllocationWatch watch;
  BOOST_CHECK_THROW(read_gguf(bytes, "hostile.gguf"), Error);
  BOOST_TEST(!watch.refused());
  return watch.peak();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(damage)

BOOST_AUTO_TEST_CASE(the_whole_file_is_read) {
  const auto bytes = whole_file();
  BOOST_TEST(survives(ExactCopy(bytes).span()));
}

BOOST_AUTO_TEST_CASE(cut_short_at_every_byte) {
  const auto bytes = whole_file();
  const std::uint64_t last_needed = bytes.size() - 4;  // 28 bytes padded to 32
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const ExactCopy cut(std::span<const std::byte>(bytes).first(size));
    BOOST_REQUIRE_EQUAL(survives(cut.span()), size >= last_needed);
  }
}

BOOST_AUTO_TEST_CASE(every_byte_of_the_header_replaced) {
  const auto bytes = whole_file();
  const std::uint64_t header = read_gguf(bytes, "whole").data_offset;
  int files = 0;
  for (std::size_t i = 0; i < header; ++i) {
    for (const int value : {0x00, 0x7F, 0x80, 0xFF}) {
      const ExactCopy damaged(bytes);
      damaged.span()[i] = static_cast<std::byte>(value);
      files += survives(damaged.span()) ? 1 : 0;
    }
  }
  BOOST_TEST(files > 0);  // a letter of a name, a byte of a number
  BOOST_TEST(files < static_cast<int>(header) * 4);
}

BOOST_AUTO_TEST_CASE(every_field_of_the_header_replaced) {
  const auto bytes = whole_file();
  const std::uint64_t header = read_gguf(bytes, "whole").data_offset;
  const std::uint64_t extremes[] = {0,
                                    1,
                                    std::uint64_t{1} << 31,
                                    std::uint64_t{1} << 32,
                                    std::uint64_t{1} << 60,
                                    std::uint64_t{1} << 63,
                                    (std::uint64_t{1} << 63) - 1,
                                    ~std::uint64_t{0} - 1,
                                    ~std::uint64_t{0}};
  for (std::size_t i = 0; i + 8 <= header; ++i) {
    for (const std::uint64_t extreme : extremes) {
      for (const std::size_t width : {std::size_t{4}, std::size_t{8}}) {
        const ExactCopy damaged(bytes);
        std::memcpy(damaged.span().data() + i, &extreme, width);
        survives(damaged.span());
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(many_bytes_replaced_at_random) {
  const auto bytes = whole_file();
  std::mt19937 random(20240517);
  for (int round = 0; round < 5000; ++round) {
    const ExactCopy damaged(bytes);
    for (unsigned i = 0, n = random() % 8 + 1; i < n; ++i) {
      damaged.span()[random() % bytes.size()] = static_cast<std::byte>(random());
    }
    survives(damaged.span());
  }
}

BOOST_AUTO_TEST_CASE(absurd_counts_cost_no_memory) {
  const std::uint64_t two_63 = std::uint64_t{1} << 63;
  const Bytes room = Bytes().zeros(4096);
  const auto hostile = [&](Bytes bytes) {
    bytes.zeros(4096);
    BOOST_TEST(memory_to_refuse(bytes.span()) < 64u << 10);
  };
  hostile(Bytes().header(0, two_63));
  hostile(Bytes().header(std::uint64_t{1} << 61, 0));
  hostile(Bytes().header(two_63, two_63));
  hostile(Bytes().header(0, 1).key("k", 8).number(two_63));
  for (const std::uint32_t type : {0u, 4u, 7u, 8u, 12u}) {
    hostile(Bytes().header(0, 1).key("k", 9).number(type).number(std::uint64_t{1} << 60));
  }
  hostile(Bytes().header(1, 0).number(two_63));
}

BOOST_AUTO_TEST_CASE(as_many_entries_as_allowed_stay_below_32_mebibytes) {
  Bytes bytes;
  bytes.header(GgufLayout::max_tensors, GgufLayout::max_keys);
  for (std::uint64_t i = 0; i < GgufLayout::max_keys; ++i) {
    bytes.key(std::to_string(i), 0).raw("\x01");
  }
  for (std::uint64_t i = 0; i < GgufLayout::max_tensors; ++i) {
    bytes.tensor(std::to_string(i), {1}, 24, i * 32);
  }
  bytes.pad().zeros(GgufLayout::max_tensors * 32);
  const AllocationWatch watch;
  const GgufFile file = read_gguf(bytes.span(), "large.gguf");
  BOOST_TEST(file.tensors.size() == GgufLayout::max_tensors);
  BOOST_TEST(file.metadata.entries().size() == GgufLayout::max_keys);
  BOOST_TEST(watch.peak() < 24 * mebibyte);
}

BOOST_AUTO_TEST_CASE(large_arrays_are_not_copied) {
  Bytes bytes;
  bytes.header(0, 2).key("texts", 9).number(8u).number(std::uint64_t{500'000}).zeros(4'000'000);
  bytes.key("numbers", 9).number(5u).number(std::uint64_t{1'000'000}).zeros(4'000'000);
  const AllocationWatch watch;
  const GgufFile file = read_gguf(bytes.span(), "large.gguf");
  BOOST_TEST(watch.peak() < 64u << 10);
  BOOST_TEST(file.metadata.get<std::vector<std::string_view>>("texts").size() == 500'000u);
}

BOOST_AUTO_TEST_SUITE_END()
