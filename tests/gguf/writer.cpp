// The writer: what is read back equals what was written, and what would not be is refused.
#include "lamina/gguf/writer.h"

#include "gguf/bytes.h"

#include <boost/test/unit_test.hpp>

#include <sstream>

using namespace lamina;
using lamina::test::counting_bytes;
using lamina::test::says;

namespace {

void check_equal(const Metadata& a, const Metadata& b) {
  BOOST_TEST_REQUIRE(a.entries().size() == b.entries().size());
  for (std::size_t i = 0; i < a.entries().size(); ++i) {
    BOOST_TEST(a.entries()[i].key == b.entries()[i].key);
    BOOST_TEST((a.entries()[i].value == b.entries()[i].value), "value of " << a.entries()[i].key);
  }
}

void check_tensor(const TensorView& tensor, FormatId format, std::vector<std::int64_t> extents,
                  std::span<const std::byte> bytes) {
  BOOST_TEST((tensor.format == format));
  extents.resize(4, 1);
  BOOST_TEST(std::equal(extents.begin(), extents.end(), tensor.extent));
  BOOST_TEST(std::equal(bytes.begin(), bytes.end(), tensor.bytes.begin(), tensor.bytes.end()));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(writer)

BOOST_AUTO_TEST_CASE(what_is_read_back_is_what_was_written) {
  const auto data = counting_bytes(420);
  const auto all = std::span(data);
  for (const std::uint32_t alignment : {8u, 32u, 256u}) {
    GgufWriter writer;
    test::set_every_type(writer);
    writer.set("general.alignment", alignment);
    writer.add_tensor("q6", FormatId::q6_k, {256, 2}, all)
        .add_tensor("one", FormatId::i8, {1}, all.first(1))
        .add_tensor("four", FormatId::f16, {2, 3, 4, 5}, all.first(240))
        .add_tensor(std::string(63, 'n'), FormatId::q4_0, {32, 1, 1, 2}, all.first(36));
    const std::vector<std::byte> bytes = writer.to_bytes();
    BOOST_TEST(bytes.size() % alignment == 0u);

    const GgufFile file = read_gguf(bytes, "w.gguf");
    BOOST_TEST(file.version == 3u);
    BOOST_TEST(file.alignment == alignment);
    check_equal(file.metadata, writer.metadata());
    BOOST_TEST_REQUIRE(file.tensors.size() == 4u);
    check_tensor(*file.find("q6"), FormatId::q6_k, {256, 2}, all);
    check_tensor(*file.find("one"), FormatId::i8, {1}, all.first(1));
    check_tensor(*file.find("four"), FormatId::f16, {2, 3, 4, 5}, all.first(240));
    check_tensor(file.tensors.all()[3], FormatId::q4_0, {32, 1, 1, 2}, all.first(36));
    BOOST_TEST(test::walk(file, bytes));

    // Written again from what was read: the same bytes.
    GgufWriter again;
    again.set(file.metadata);
    for (const TensorView& tensor : file.tensors) again.add_tensor(tensor);
    BOOST_TEST((again.to_bytes() == bytes));
  }
}

BOOST_AUTO_TEST_CASE(a_stream_gets_the_same_bytes) {
  const auto data = counting_bytes(100);
  GgufWriter writer;
  writer.set("k", 1u).add_tensor("t", FormatId::f32, {25}, data);
  std::ostringstream stream;
  writer.write(stream);
  const std::string text = stream.str();
  const auto bytes = writer.to_bytes();
  BOOST_TEST_REQUIRE(text.size() == bytes.size());
  BOOST_TEST(std::memcmp(text.data(), bytes.data(), bytes.size()) == 0);
  stream.setstate(std::ios::badbit);
  BOOST_CHECK_EXCEPTION(writer.write(stream), Error, says({"writing failed"}));
}

BOOST_AUTO_TEST_CASE(bytes_are_those_of_the_format) {
  const std::vector<std::byte> data(4, std::byte{0xAB});
  GgufWriter writer;
  writer.set("k", std::vector<std::string>{"ab"})
      .set("n", -2)
      .add_tensor("t", FormatId::i8, {2, 2}, data);
  const test::Bytes expected = test::Bytes()
                                   .header(1, 2)
                                   .key("k", 9)
                                   .number(8u)
                                   .number(std::uint64_t{1})
                                   .string("ab")
                                   .key("n", 5)
                                   .number(-2)
                                   .tensor("t", {2, 2}, 24, 0)
                                   .pad()
                                   .raw("\xAB\xAB\xAB\xAB")
                                   .pad();
  const auto bytes = writer.to_bytes();
  const auto wanted = expected.span();
  BOOST_TEST(std::equal(bytes.begin(), bytes.end(), wanted.begin(), wanted.end()));
}

BOOST_AUTO_TEST_CASE(keys_can_be_replaced) {
  GgufWriter writer;
  writer.set("a", 1u).set("b", 2u).set("a", "text");
  const auto bytes = writer.to_bytes();
  const GgufFile file = read_gguf(bytes, "w");
  BOOST_TEST(file.metadata.entries().size() == 2u);
  BOOST_TEST(file.metadata.get<std::string>("a") == "text");
}

BOOST_AUTO_TEST_CASE(what_the_reader_refuses_is_refused) {
  GgufWriter writer;
  const auto data = counting_bytes(64);
  const auto bytes = std::span<const std::byte>(data);
  BOOST_CHECK_EXCEPTION(writer.set("", 1), Error, says({"is empty"}));
  BOOST_CHECK_EXCEPTION(writer.set("general.alignment", 24u), Error, says({"power of two"}));
  BOOST_CHECK_EXCEPTION(writer.set("general.alignment", "32"), Error, says({"expected integer"}));
  const auto add = [&](std::string_view name, FormatId format,
                       std::initializer_list<std::int64_t> extents, std::size_t size) {
    writer.add_tensor(name, format, extents, bytes.first(size));
  };
  BOOST_CHECK_EXCEPTION(add("", FormatId::f32, {1}, 4), Error, says({"is empty"}));
  BOOST_CHECK_EXCEPTION(add(std::string(64, 'n'), FormatId::f32, {1}, 4), Error,
                        says({"64 bytes"}));
  BOOST_CHECK_EXCEPTION(add("t", FormatId::f32, {}, 0), Error, says({"0 extents"}));
  BOOST_CHECK_EXCEPTION(add("t", FormatId::f32, {1, 1, 1, 1, 1}, 4), Error, says({"5 extents"}));
  BOOST_CHECK_EXCEPTION(add("t", FormatId::f32, {0}, 0), Error, says({"extent of 0"}));
  BOOST_CHECK_EXCEPTION(add("t", FormatId::f32, {-1}, 4), Error, says({"extent of 0"}));
  BOOST_CHECK_EXCEPTION(add("t", FormatId::q8_0, {16}, 34), Error, says({"multiple of 32"}));
  BOOST_CHECK_EXCEPTION(add("t", FormatId::f32, {2}, 4), Error,
                        says({"comes with 4 bytes", "take 8"}));
  BOOST_CHECK_EXCEPTION(add("t", static_cast<FormatId>(4), {32}, 4), Error,
                        says({"format number 4"}));
  BOOST_CHECK_NO_THROW(add("t", FormatId::f32, {1}, 4));
  BOOST_CHECK_EXCEPTION(add("t", FormatId::f32, {1}, 4), Error, says({"'t' was already added"}));
  BOOST_CHECK_NO_THROW(read_gguf(writer.to_bytes(), "w"));
}

BOOST_AUTO_TEST_SUITE_END()
