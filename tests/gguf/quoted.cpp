// Text for messages: printable characters stay, every other byte is escaped, long text is cut.
#include "lamina/gguf/quoted.h"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace lamina;
using namespace std::string_view_literals;

BOOST_AUTO_TEST_SUITE(quoting)

BOOST_AUTO_TEST_CASE(printable_text_is_kept) {
  BOOST_TEST(quoted("") == "''");
  BOOST_TEST(quoted("blk.0.attn_q.weight ~") == "'blk.0.attn_q.weight ~'");
  // U+00E9, U+2581, U+10348: two, three and four bytes.
  BOOST_TEST(quoted("\xC3\xA9\xE2\x96\x81\xF0\x90\x8D\x88") ==
             "'\xC3\xA9\xE2\x96\x81\xF0\x90\x8D\x88'");
  BOOST_TEST(quoted("\xF4\x8F\xBF\xBF") == "'\xF4\x8F\xBF\xBF'");  // U+10FFFF
}

BOOST_AUTO_TEST_CASE(controls_are_escaped) {
  BOOST_TEST(quoted("a\0b\n\x1B[2J\x7F"sv) == R"('a\x00b\x0a\x1b[2J\x7f')");
  BOOST_TEST(quoted("\xC2\x9B") == R"('\xc2\x9b')");  // U+009B acts like ESC [ on some terminals
}

BOOST_AUTO_TEST_CASE(malformed_utf8_is_escaped) {
  BOOST_TEST(quoted("\xC3") == R"('\xc3')");                          // cut short
  BOOST_TEST(quoted("\xE2\x96") == R"('\xe2\x96')");                  // cut short
  BOOST_TEST(quoted("\xC3(") == R"('\xc3(')");                        // no continuation
  BOOST_TEST(quoted("\x81") == R"('\x81')");                          // a continuation alone
  BOOST_TEST(quoted("\xC0\xAF") == R"('\xc0\xaf')");                  // two bytes for '/'
  BOOST_TEST(quoted("\xE0\x80\xAF") == R"('\xe0\x80\xaf')");          // three bytes for '/'
  BOOST_TEST(quoted("\xF0\x80\x80\xAF") == R"('\xf0\x80\x80\xaf')");  // four bytes for '/'
  BOOST_TEST(quoted("\xED\xA0\x80") == R"('\xed\xa0\x80')");          // a surrogate
  BOOST_TEST(quoted("\xF4\x90\x80\x80") == R"('\xf4\x90\x80\x80')");  // beyond U+10FFFF
  BOOST_TEST(quoted("\xFF") == R"('\xff')");
}

BOOST_AUTO_TEST_CASE(long_text_is_cut) {
  BOOST_TEST(quoted("abcdef", 6) == "'abcdef'");
  BOOST_TEST(quoted("abcdef", 3) == "'abc'...");
  const std::string cut = quoted(std::string(1 << 20, '\0'));
  BOOST_TEST(cut.size() < 90u);
  BOOST_TEST(cut.ends_with("'..."));
}

BOOST_AUTO_TEST_SUITE_END()
