// Texts and the marks of their bytes.
#include "runtime/chat_template/jinja/values/text.h"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace lamina;
using namespace lamina::jinja;

namespace {

/// The text with what is from the user in brackets.
std::string shown(const Text& text) {
  std::string out;
  for (const TemplatePart& part : text.parts()) {
    out += part.from_user ? "[" + part.text + "]" : part.text;
  }
  return out;
}

Text mixed() {
  Text text("ab");
  text.append("cd", true);
  text.append("ef", true);
  text.append("");
  text.append("gh");
  text.append("日本", true);
  return text;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(text)

BOOST_AUTO_TEST_CASE(marks_stay_with_their_bytes) {
  const Text text = mixed();
  BOOST_TEST(shown(text) == "ab[cdef]gh[日本]");
  BOOST_TEST(shown(text.slice(0, 2)) == "ab");
  BOOST_TEST(shown(text.slice(1, 3)) == "b[c]");
  BOOST_TEST(shown(text.slice(3, 5)) == "[de]");
  BOOST_TEST(shown(text.slice(5, 11)) == "[f]gh[日]");
  BOOST_TEST(shown(text.slice(4, 4)).empty());
  for (std::size_t begin = 0; begin <= 8; ++begin) {
    for (std::size_t end = begin; end <= 8; ++end) {
      Text joined = text.slice(0, begin);
      joined.append(text, begin, end);
      joined.append(text.slice(end, text.size()));
      BOOST_TEST(shown(joined) == shown(text));
    }
  }
}

BOOST_AUTO_TEST_CASE(each_byte_knows_its_mark) {
  const Text text = mixed();
  BOOST_TEST(!text.from_user(1));
  BOOST_TEST(text.from_user(2));
  BOOST_TEST(text.from_user(5));
  BOOST_TEST(!text.from_user(6));
  BOOST_TEST(text.from_user(13));
  BOOST_TEST(text.any_from_user());
  BOOST_TEST(!Text("plain").any_from_user());
}

BOOST_AUTO_TEST_CASE(lengths_and_places_count_characters) {
  const Text text = mixed();
  BOOST_TEST(text.size() == 14U);
  BOOST_TEST(text.length() == 10U);
  BOOST_TEST(text.offset(8) == 8U);
  BOOST_TEST(text.offset(9) == 11U);
  BOOST_TEST(text.offset(99) == 14U);
  std::u32string codes;
  for (Characters at(text); !at.done(); at.next()) codes += at.code();
  BOOST_TEST((codes == U"abcdefgh日本"));
}

BOOST_AUTO_TEST_CASE(malformed_bytes_are_found) {
  BOOST_TEST(first_malformed("aé日🙂") == std::string_view::npos);
  BOOST_TEST(first_malformed("ab\xFFg") == 2U);
  BOOST_TEST(first_malformed("\xED\xA0\x80") == 0U);  // a surrogate
  BOOST_TEST(first_malformed("x\xE6\x97") == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
