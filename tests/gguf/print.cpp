// Values on one line: each type, and long ones cut.
#include "lamina/gguf/print.h"

#include "gguf/bytes.h"

#include <boost/test/unit_test.hpp>

using namespace lamina;

BOOST_AUTO_TEST_SUITE(print)

BOOST_AUTO_TEST_CASE(single_values) {
  BOOST_TEST(printable(MetadataValue(std::int8_t{-5})) == "-5");
  BOOST_TEST(printable(MetadataValue(std::uint8_t{200})) == "200");
  BOOST_TEST(printable(MetadataValue(~std::uint64_t{0})) == "18446744073709551615");
  BOOST_TEST(printable(MetadataValue(std::numeric_limits<std::int64_t>::min())) ==
             "-9223372036854775808");
  BOOST_TEST(printable(MetadataValue(0.1f)) == "0.1");
  BOOST_TEST(printable(MetadataValue(0.1)) == "0.1");
  BOOST_TEST(printable(MetadataValue(std::numeric_limits<double>::infinity())) == "inf");
  BOOST_TEST(printable(MetadataValue(true)) == "true");
  BOOST_TEST(printable(MetadataValue(false)) == "false");
  BOOST_TEST(printable(MetadataValue("a\nb")) == R"('a\x0ab')");
}

BOOST_AUTO_TEST_CASE(arrays) {
  BOOST_TEST(printable(MetadataValue(std::vector<int>{1, -2})) == "[1, -2]");
  BOOST_TEST(printable(MetadataValue(std::vector<bool>{true, false})) == "[true, false]");
  BOOST_TEST(printable(MetadataValue(std::vector<std::string>{"a", ""})) == "['a', '']");
  BOOST_TEST(printable(MetadataValue(std::vector<float>{})) == "[]");
}

BOOST_AUTO_TEST_CASE(long_values_are_cut) {
  BOOST_TEST(printable(MetadataValue(std::vector<int>{1, 2, 3, 4, 5}), 6) == "[1, 2, ...]");
  BOOST_TEST(printable(MetadataValue(std::string(1000, 'x'))).size() < 90u);
  BOOST_TEST(
      printable(MetadataValue(std::vector<std::string>(1000, std::string(1000, 'x')))).size() <
      100u);
}

BOOST_AUTO_TEST_SUITE_END()
