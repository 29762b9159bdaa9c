// Counts and places over every kind of character.
#include "runtime/prompt/prompt_text.h"

#include <boost/test/unit_test.hpp>

namespace lamina {
namespace {

BOOST_AUTO_TEST_SUITE(prompt_text)

BOOST_AUTO_TEST_CASE(counts) {
  const auto check = [](std::string_view text, std::size_t characters, std::size_t words) {
    const TextCounts counts = count_text(text);
    BOOST_TEST(counts.bytes == text.size());
    BOOST_TEST(counts.characters == characters);
    BOOST_TEST(counts.words == words);
  };
  check("", 0, 0);
  check(" a  bc\n\u3000d\u00A0e ", 12, 4);
  check("naïve 中文 🌍", 10, 3);
  check("a\xFF\xF0\x9F b", 6, 2);
}

BOOST_AUTO_TEST_CASE(places) {
  BOOST_TEST((place_of("", 0) == TextPlace{0, 1, 1}));
  BOOST_TEST((place_of("ab\ncd", 2) == TextPlace{2, 1, 3}));
  BOOST_TEST((place_of("ab\ncd", 3) == TextPlace{3, 2, 1}));
  BOOST_TEST((place_of("é🌍\n中x", 10) == TextPlace{10, 2, 2}));
}

BOOST_AUTO_TEST_CASE(everything_is_to_be_seen) {
  BOOST_TEST(visible("a b\n\t\r\\") == "a\u2423b\\n\\t\\r\\\\");
  BOOST_TEST(visible("\xFFé🌍\xE4\xB8") == "\\xFFé🌍\\xE4\\xB8");
  BOOST_TEST(visible("\u200B\u00A0\u202E\uFEFF\x01\x1B") ==
             "\\u{200B}\\u{A0}\\u{202E}\\u{FEFF}\\u{1}\\u{1B}");
  BOOST_TEST(visible("👩\u200D💻") == "👩\u200D💻");
  BOOST_TEST(visible(std::string_view("\0", 1)) == "\\u{0}");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
