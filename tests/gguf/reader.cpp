// The reader: what it takes, and each thing it refuses, by file, key or tensor.
#include "lamina/gguf/reader.h"

#include "gguf/bytes.h"

#include <boost/test/unit_test.hpp>

#include <chrono>

using namespace lamina;
using lamina::test::Bytes;
using lamina::test::check_refused;
using lamina::test::ExactCopy;

namespace {

constexpr std::uint32_t u32_type = 4, string_type = 8;

/// A file with the one tensor "t" and `data` bytes of data.
Bytes one_tensor(std::initializer_list<std::uint64_t> extents, std::uint32_t format,
                 std::uint64_t offset, std::size_t data) {
  return Bytes().header(1, 0).tensor("t", extents, format, offset).pad().zeros(data);
}

Bytes two_tensors(std::uint64_t first, std::uint64_t second, std::size_t data) {
  return Bytes()
      .header(2, 0)
      .tensor("a", {16}, 0, first)
      .tensor("b", {16}, 0, second)
      .pad()
      .zeros(data);
}

Bytes one_key(std::string_view key) { return Bytes().header(0, 1).key(key, u32_type).number(7u); }

}  // namespace

BOOST_AUTO_TEST_SUITE(reader)

BOOST_AUTO_TEST_CASE(a_small_file) {
  const Bytes bytes = Bytes()
                          .header(2, 2)
                          .key("general.architecture", string_type)
                          .string("llama")
                          .key("llama.block_count", u32_type)
                          .number(30u)
                          .tensor("a.weight", {64, 3}, 2, 0)
                          .tensor("b.weight", {5}, 0, 128)
                          .pad();
  const std::size_t data_offset = bytes.size();
  const Bytes whole = Bytes(bytes).zeros(128).raw(std::string(20, '\x01'));
  const GgufFile file = read_gguf(whole.span(), "m.gguf");
  BOOST_TEST(file.version == 3u);
  BOOST_TEST(file.alignment == 32u);
  BOOST_TEST(file.data_offset == data_offset);
  BOOST_TEST(file.metadata.source() == "m.gguf");
  BOOST_TEST(file.metadata.get<std::string_view>("general.architecture") == "llama");
  BOOST_TEST(file.metadata.get<int>("llama.block_count") == 30);
  BOOST_TEST(file.tensors.size() == 2u);
  const TensorView& a = *file.find("a.weight");
  BOOST_TEST((a.format == FormatId::q4_0));
  BOOST_TEST(a.cols() == 64);
  BOOST_TEST(a.rows() == 3);
  BOOST_TEST(a.bytes.data() == whole.span().data() + data_offset);
  BOOST_TEST(a.bytes.size() == 108u);
  const TensorView& b = *file.find("b.weight");
  BOOST_TEST(b.bytes.data() == whole.span().data() + data_offset + 128);
  BOOST_TEST(b.bytes.size() == 20u);
  BOOST_TEST(file.find("c.weight") == nullptr);
}

BOOST_AUTO_TEST_CASE(version_2_has_the_same_layout) {
  const Bytes bytes = Bytes().header(0, 1, 2).key("k", u32_type).number(7u);
  const GgufFile file = read_gguf(bytes.span(), "m.gguf");
  BOOST_TEST(file.version == 2u);
  BOOST_TEST(file.metadata.get<int>("k") == 7);
}

BOOST_AUTO_TEST_CASE(nothing_in_it_is_fine) {
  const Bytes bytes = Bytes().header(0, 0);
  const GgufFile file = read_gguf(bytes.span(), "m.gguf");
  BOOST_TEST(file.tensors.size() == 0u);
  BOOST_TEST(file.metadata.entries().empty());
}

BOOST_AUTO_TEST_CASE(other_files_are_refused) {
  check_refused(Bytes(), {"not a GGUF file", "starts with ''"});
  check_refused(Bytes().raw("GGU"), {"not a GGUF file", "'GGU'"});
  check_refused(Bytes().raw("<!DOCTYPE html>"), {"not a GGUF file", "'<!DO'"});
  check_refused(Bytes().raw("lmgg").zeros(100), {"'lmgg'", "older ggml model must be converted"});
  check_refused(Bytes().raw("GGUF"), {"the version needs 4 bytes"});
}

BOOST_AUTO_TEST_CASE(other_versions_are_refused) {
  check_refused(Bytes().header(0, 0, 1), {"version 1, expected 2 or 3", "convert the original"});
  check_refused(Bytes().header(0, 0, 0), {"version 0, expected 2 or 3"});
  check_refused(Bytes().header(0, 0, 4), {"version 4, expected 2 or 3", "newer"});
  check_refused(Bytes().header(0, 0, 0x03000000), {"big-endian", "gguf-convert-endian"});
}

BOOST_AUTO_TEST_CASE(counts_must_fit_the_bytes_left) {
  for (const std::uint64_t count :
       {std::uint64_t{8}, std::uint64_t{0x0555555555555556}, std::uint64_t{1} << 58,
        (std::uint64_t{1} << 58) + 1, std::uint64_t{1} << 60, std::uint64_t{1} << 61,
        std::uint64_t{1} << 63, ~std::uint64_t{0} - 1, ~std::uint64_t{0}}) {
    const std::string number = std::to_string(count);
    check_refused(Bytes().header(0, count).zeros(100), {number + " keys", "room for 7"});
    check_refused(Bytes().header(count, 0).zeros(100), {number + " tensors", "room for 3"});
  }
}

BOOST_AUTO_TEST_CASE(counts_beyond_any_model_are_refused) {
  const std::string room(5'000'000, '\0');
  check_refused(Bytes().header(0, 65537).raw(room), {"65537 keys", "room for 65536"});
  check_refused(Bytes().header(131073, 0).raw(room), {"131073 tensors", "room for 131072"});
}

BOOST_AUTO_TEST_CASE(keys_are_checked) {
  check_refused(one_key(""), {"key ''", "is empty"});
  check_refused(one_key(std::string_view("a\0b", 3)), {R"(key 'a\x00b')", "NUL"});
  check_refused(one_key(std::string(65536, 'k')), {"65536 bytes"});
  BOOST_CHECK_NO_THROW(read_gguf(one_key(std::string(65535, 'k')).span(), "m.gguf"));
  check_refused(
      Bytes().header(0, 2).key("twin", u32_type).number(1u).key("twin", u32_type).number(1u),
      {"key 'twin' occurs twice"});
  for (const std::uint64_t length :
       {~std::uint64_t{0} >> 1, std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
    check_refused(Bytes().header(0, 1).number(length).zeros(20),
                  {"the name of key 0", std::to_string(length)});
  }
}

BOOST_AUTO_TEST_CASE(values_are_checked_and_named_by_key) {
  check_refused(Bytes().header(0, 1).key("a.b", 13).zeros(20), {"value of key 'a.b'", "type 13"});
  check_refused(
      Bytes().header(0, 1).key("a.b", string_type).number(std::uint64_t{1} << 31).zeros(76),
      {"value of key 'a.b'", "2147483648 bytes"});
  check_refused(Bytes().header(0, 1).key("a.b", 7).raw("\x02").zeros(8),
                {"'a.b'", "bool stored as 2"});
  // An array of an unknown type is not skipped, and no key is found inside it.
  check_refused(Bytes()
                    .header(0, 2)
                    .key("odd", 9)
                    .number(99u)
                    .number(std::uint64_t{4})
                    .key("inner", u32_type)
                    .number(1u),
                {"value of key 'odd'", "type 99"});
}

BOOST_AUTO_TEST_CASE(strings_are_any_bytes) {
  using namespace std::string_view_literals;
  const Bytes bytes = Bytes().header(0, 1).key("s", string_type).string("a\0\xFF\xC3"sv);
  BOOST_TEST(read_gguf(bytes.span(), "m").metadata.get<std::string_view>("s") == "a\0\xFF\xC3"sv);
}

BOOST_AUTO_TEST_CASE(alignment_is_checked) {
  const auto aligned = [](std::uint32_t alignment) {
    return Bytes().header(0, 1).key("general.alignment", u32_type).number(alignment);
  };
  for (const std::uint32_t bad : {0u, 1u, 3u, 4u, 48u, 131072u, 0x80000000u}) {
    check_refused(aligned(bad), {"'general.alignment' is " + std::to_string(bad), "power of two"});
  }
  BOOST_TEST(read_gguf(aligned(8).span(), "m").alignment == 8u);
  BOOST_TEST(read_gguf(aligned(65536).span(), "m").data_offset == 65536u);
  check_refused(Bytes().header(0, 1).key("general.alignment", string_type).string("32"),
                {"'general.alignment' is string, expected integer"});
}

BOOST_AUTO_TEST_CASE(tensor_names_are_checked) {
  const auto called = [](std::string_view name) {
    return Bytes().header(1, 0).tensor(name, {1}).pad().zeros(32);
  };
  BOOST_CHECK_NO_THROW(read_gguf(called(std::string(63, 'n')).span(), "m"));
  check_refused(called(std::string(64, 'n')), {"nnn", "64 bytes, at most 63"});
  check_refused(called(std::string(200, 'n')), {"nnn", "200 bytes, at most 63"});
  check_refused(called(std::string_view("a\0b", 3)), {R"('a\x00b')", "NUL"});
  check_refused(called(""), {"tensor name '' is empty"});
  check_refused(Bytes().header(2, 0).tensor("t", {1}).tensor("t", {1}, 0, 32).pad().zeros(64),
                {"tensor 't' occurs twice"});
}

BOOST_AUTO_TEST_CASE(ranks_are_checked) {
  BOOST_CHECK_NO_THROW(read_gguf(one_tensor({2, 2, 2, 2}, 0, 0, 64).span(), "m"));
  check_refused(one_tensor({}, 0, 0, 64), {"tensor 't' has 0 extents, expected 1 to 4"});
  check_refused(one_tensor({1, 1, 1, 1, 1}, 0, 0, 64), {"tensor 't' has 5 extents"});
  check_refused(Bytes().header(1, 0).string("t").number(~0u).zeros(64), {"4294967295 extents"});
}

BOOST_AUTO_TEST_CASE(extents_are_checked) {
  const std::uint64_t two_32 = std::uint64_t{1} << 32;
  check_refused(one_tensor({0}, 0, 0, 64), {"tensor 't'", "extent of 0"});
  check_refused(one_tensor({0, 1, 1, 1}, 0, 0, 64), {"tensor 't'", "extent of 0"});
  check_refused(one_tensor({two_32, two_32}, 0, 0, 64), {"tensor 't'", "2^48"});  // wraps to 0
  check_refused(one_tensor({~std::uint64_t{0}}, 0, 0, 64), {"18446744073709551615"});
  check_refused(one_tensor({48}, 2, 0, 64),
                {"tensor 't'", "rows of 48", "multiple of 32 for Q4_0"});
}

BOOST_AUTO_TEST_CASE(formats_are_checked) {
  for (const std::uint32_t number :
       {4u, 5u, 31u, 32u, 33u, 36u, 37u, 38u, 43u, 137u, 230u, 1000u, ~0u}) {
    check_refused(one_tensor({256}, number, 0, 4096),
                  {"tensor 't' has format number " + std::to_string(number)});
  }
}

BOOST_AUTO_TEST_CASE(places_are_checked) {
  BOOST_CHECK_NO_THROW(read_gguf(one_tensor({16}, 0, 64, 128).span(), "m"));
  check_refused(one_tensor({16}, 0, 8, 128), {"tensor 't' starts at 8", "multiple of 32"});
  check_refused(one_tensor({16}, 0, 96, 128), {"tensor 't' has 64 bytes at 96", "only 128 bytes"});
  check_refused(one_tensor({16}, 0, 0, 63), {"tensor 't' has 64 bytes at 0", "only 63 bytes"});
  check_refused(one_tensor({16}, 0, 160, 128), {"at 160"});
  check_refused(one_tensor({16}, 0, ~std::uint64_t{0} - 31, 128), {"at 18446744073709551584"});
  check_refused(one_tensor({16}, 0, std::uint64_t{1} << 63, 128), {"at 9223372036854775808"});
  check_refused(Bytes().header(1, 0).tensor("t", {1}), {"tensor 't'", "only 0 bytes of data"});
}

BOOST_AUTO_TEST_CASE(sizes_that_sum_past_2_to_64_are_refused) {
  Bytes bytes;
  bytes.header(4, 0);
  for (const char* name : {"a", "b", "c", "d"}) {
    bytes.tensor(name, {std::uint64_t{1} << 24, std::uint64_t{1} << 24}, 28);  // F64: 2^51 bytes
  }
  check_refused(bytes.pad().zeros(64), {"tensor 'a' has 2251799813685248 bytes"});
  Bytes larger;
  larger.header(4, 0);
  for (const char* name : {"a", "b", "c", "d"}) larger.tensor(name, {std::uint64_t{1} << 60});
  check_refused(larger.pad().zeros(64), {"tensor 'a'", "2^48"});
}

BOOST_AUTO_TEST_CASE(tensors_may_be_out_of_order_but_not_overlap) {
  const Bytes swapped = two_tensors(96, 0, 160);
  const GgufFile file = read_gguf(swapped.span(), "m");
  BOOST_TEST(file.find("a")->bytes.data() == file.find("b")->bytes.data() + 96);
  BOOST_TEST(file.tensors.all()[0].name == "a");
  BOOST_CHECK_NO_THROW(read_gguf(two_tensors(0, 64, 128).span(), "m"));
  check_refused(two_tensors(0, 32, 160), {"tensors 'a' and 'b' overlap"});
  check_refused(two_tensors(32, 0, 160), {"tensors 'b' and 'a' overlap"});
  check_refused(two_tensors(64, 64, 160), {"overlap"});
}

BOOST_AUTO_TEST_CASE(bytes_after_the_last_tensor_are_allowed) {
  BOOST_CHECK_NO_THROW(read_gguf(one_tensor({16}, 0, 0, 1001).span(), "m"));
}

BOOST_AUTO_TEST_CASE(refusing_takes_no_time) {
  const auto start = std::chrono::steady_clock::now();
  check_refused(Bytes().header(0, std::uint64_t{1} << 63), {"keys"});
  check_refused(Bytes().header(std::uint64_t{1} << 63, 0), {"tensors"});
  check_refused(Bytes().header(0, 1).key("k", 9).number(8u).number(std::uint64_t{1} << 63),
                {"'k'"});
  check_refused(Bytes().header(0, 1).key("k", string_type).number(std::uint64_t{1} << 63), {"'k'"});
  check_refused(Bytes().header(0, 1).key("k", 9).number(9u).number(std::uint64_t{1} << 62),
                {"'k'"});
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  BOOST_TEST(taken.count() < 1.0);
}

BOOST_AUTO_TEST_SUITE_END()
