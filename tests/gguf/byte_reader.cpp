// The cursor: fields in order, and no step past the end.
#include "lamina/gguf/byte_reader.h"

#include "gguf/bytes.h"

#include <boost/test/unit_test.hpp>

using namespace lamina;
using lamina::test::Bytes;
using lamina::test::says;

BOOST_AUTO_TEST_SUITE(byte_reader)

BOOST_AUTO_TEST_CASE(fields_come_in_order) {
  const Bytes bytes =
      Bytes().raw("\x01").number(std::uint32_t{0x04030201}).string("text").string("");
  ByteReader reader(bytes.span(), "f");
  BOOST_TEST(reader.number<std::uint8_t>("a") == 1);
  BOOST_TEST(reader.number<std::uint32_t>("b") == 0x04030201u);  // at an odd address
  BOOST_TEST(reader.position() == 5u);
  BOOST_TEST(reader.string("c") == "text");
  BOOST_TEST(reader.remaining() == 8u);
  BOOST_TEST(reader.string("d") == "");
  BOOST_TEST(reader.remaining() == 0u);
  BOOST_TEST(reader.take(0, "nothing").size() == 0u);
}

BOOST_AUTO_TEST_CASE(bytes_are_little_endian) {
  const Bytes bytes = Bytes().raw("\x01\x02\x03\x04");
  BOOST_TEST(ByteReader(bytes.span(), "f").number<std::uint32_t>("a") == 0x04030201u);
}

BOOST_AUTO_TEST_CASE(nothing_is_read_past_the_end) {
  const Bytes bytes = Bytes().raw("abc");
  ByteReader reader(bytes.span(), "x.gguf");
  BOOST_CHECK_EXCEPTION(reader.number<std::uint32_t>("the version"), Error,
                        says({"x.gguf: the version needs 4 bytes", "only 3 more", "cut short"}));
  BOOST_TEST(reader.position() == 0u);
  BOOST_TEST(reader.take(3, "all").size() == 3u);
  BOOST_CHECK_THROW(reader.take(1, "more"), Error);
  BOOST_CHECK_THROW(reader.take(~std::uint64_t{0}, "more"), Error);
}

BOOST_AUTO_TEST_CASE(a_string_cannot_be_longer_than_what_is_left) {
  for (const std::uint64_t length :
       {std::uint64_t{4}, std::uint64_t{1} << 31, ~std::uint64_t{0} >> 1, std::uint64_t{1} << 63,
        ~std::uint64_t{0} - 8, ~std::uint64_t{0}}) {
    const Bytes bytes = Bytes().number(length).raw("abc");
    ByteReader reader(bytes.span(), "f");
    BOOST_CHECK_EXCEPTION(reader.string("a name"), Error, says({"a name", std::to_string(length)}));
  }
}

BOOST_AUTO_TEST_CASE(no_bytes_at_all) {
  ByteReader reader({}, "f");
  BOOST_TEST(reader.remaining() == 0u);
  BOOST_TEST(reader.take(0, "nothing").empty());
  BOOST_CHECK_THROW(reader.number<std::uint8_t>("a"), Error);
}

BOOST_AUTO_TEST_SUITE_END()
