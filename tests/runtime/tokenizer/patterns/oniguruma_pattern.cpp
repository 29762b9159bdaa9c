// Patterns for Oniguruma, found by PCRE2: cases by hand, refusals, and against tokenizers.
// Covers runtime/tokenizer/patterns/text_pattern.h, runtime/tokenizer/patterns/oniguruma_class.h.
// Covers runtime/tokenizer/patterns/oniguruma_reader.h.
//
// The comparison runs where $LAMINA_PYTHON (default: python3) can import tokenizers.
#include "runtime/tokenizer/patterns/oniguruma_pattern.h"

#include "lamina/core/error.h"
#include "runtime/tokenizer/patterns/oniguruma_class.h"
#include "runtime/tokenizer/patterns/oniguruma_reader.h"
#include "runtime/tokenizer/patterns/text_pattern.h"
#include "tests/runtime/tokenizer/python_oracle.h"

#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>
#include <string_view>

using namespace lamina;

namespace {

std::string marked(std::string_view pattern, std::string_view text) {
  return PatternSearch({std::string(pattern), true}).replaced(text, "<>");
}

/// Nothing where the search takes more steps than are allowed.
std::optional<std::string> replaced(const PatternSearch& search, std::string_view text) {
  try {
    return search.replaced(text, "<>");
  } catch (const Error& error) {
    BOOST_TEST(std::string_view(error.what()).find("steps") != std::string_view::npos,
               error.what());
    return std::nullopt;
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(oniguruma_pattern)

BOOST_AUTO_TEST_CASE(what_means_the_same_is_left) {
  BOOST_TEST(pcre2_pattern("a+b*?(?:c|d)+e++") == "a+b*?(?:c|d)+e++");
  BOOST_TEST(pcre2_pattern("(a)(?<n>b)(?=c)(?<!d)") == "(?:a)(?:b)(?=c)(?<!d)");
  BOOST_TEST(pcre2_pattern("\\p{Lu}[\\p{L}\\d]") == "[\\p{Lu}][\\p{L}\\p{Nd}]");
}

BOOST_AUTO_TEST_CASE(what_means_something_else_is_translated) {
  BOOST_TEST(marked("\\d{1,3}+", "1234567") == "<>");  // repeats, is not possessive
  BOOST_TEST(marked("\\d{2}?", "123") == "<>3<>");     // optional, not lazy
  BOOST_TEST(marked("a{,2}", "aaab") == "<><>b<>");
  BOOST_TEST(marked("^", "a\nb\n") == "<>a\n<>b\n");
  BOOST_TEST(marked("$", "a\nb") == "a<>\nb<>");
  BOOST_TEST(marked("(?m:.)", "a\nb") == "<><><>");
  BOOST_TEST(marked("a(?i)b|c", "aBC aC") == "<>C <>");  // the option goes on over the |
  BOOST_TEST(marked("[a-z&&[^b]]+", "abc") == "<>b<>");
  BOOST_TEST(marked("[^(\\s|[.,])]+", "ab( c") == "<>( <>");
  BOOST_TEST(marked("\\h", "ag1") == "<>g<>");
  BOOST_TEST(marked("\\w", "²") == "<>");
  BOOST_TEST(marked("[\\w]", "²") == "²");
  BOOST_TEST(marked("\\s", "\u180E\u00A0") == "\u180E<>");
  BOOST_TEST(marked("\\p{Han}", "中\u3006") == "<>\u3006");  // the script, not its extensions
}

BOOST_AUTO_TEST_CASE(empty_matches_lie_between_others) {
  BOOST_TEST(marked("", "aé") == "<>a<>é<>");
  BOOST_TEST(marked("a*", "baac") == "<>b<>c<>");
  BOOST_TEST(marked("(?=[A-Z])", "aBC") == "a<>B<>C");
  BOOST_TEST(marked("a*", "") == "");  // nothing is looked for in nothing
  const auto spans = PatternSearch({"b", false}).spans("abbc");
  BOOST_TEST_REQUIRE(spans.size() == 4U);
  BOOST_TEST(spans[1].match);
  BOOST_TEST(spans[1].end == 2U);
  BOOST_TEST(!spans[3].match);
}

BOOST_AUTO_TEST_CASE(what_is_not_translated_is_refused) {
  for (const char* pattern :
       {"(a)\\1",  "\\K",      "\\G",        "\\X",      "(?x:a)",    "(?~a)",       "\\Qa",
        "(?i)é",   "(?i:ss)",  "(?i)\\p{L}", "[z-a]",    "\\p{Nope}", "(a",          "a)",
        "[a",      "*a",       "a**",        "\\",       "\\xe4",     "\\x{110000}", "[a&&]",
        "(*A)",    "\xFF",     "[a-c-e]",    "\\pL",     "(?#a",      "(?<n",        "\\x{}",
        "[\\d-z]", "(?<=a+)b", "a{70000}",   "[[:foo:]]"}) {
    BOOST_CHECK_EXCEPTION(PatternSearch({pattern, true}), Error, [&](const Error& error) {
      const std::string_view message = error.what();
      return message.find("pattern") != std::string_view::npos;
    });
  }
  BOOST_CHECK_THROW(pcre2_pattern(std::string(5000, '(')), Error);
  BOOST_CHECK_THROW(pcre2_pattern(std::string(5000, '[')), Error);
}

BOOST_AUTO_TEST_CASE(matches_equal_those_of_tokenizers) {
  auto oracle = test::python_oracle("oniguruma_pattern_oracle.py", "tokenizers");
  if (!oracle) return;
  int wrong = 0, given_up = 0;
  const std::uint32_t patterns = oracle->number();
  BOOST_TEST(patterns > 500U);
  for (std::uint32_t i = 0; i < patterns; ++i) {
    const std::string pattern = oracle->text();
    const bool supported = oracle->number() != 0;
    const bool valid = oracle->number() != 0;
    std::optional<PatternSearch> search;
    try {
      search.emplace(TextPattern{pattern, true});
    } catch (const Error& error) {
      if (supported) BOOST_ERROR(error.what());
    }
    BOOST_TEST((valid || !search), "only tokenizers refuses " << pattern);
    const std::uint32_t texts = oracle->number();
    for (std::uint32_t t = 0; t < texts; ++t) {
      const std::string text = oracle->text();
      const std::string expected = oracle->text();
      if (!search) continue;
      const std::optional<std::string> found = replaced(*search, text);
      given_up += !found;
      if (!found || *found == expected || wrong++ > 10) continue;
      BOOST_ERROR(pattern << " in '" << text << "': '" << *found << "' instead of '" << expected
                          << "'");
    }
  }
  BOOST_TEST(given_up < 20);  // random patterns may repeat what repeats
  BOOST_TEST(oracle->at_end());
  BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_SUITE_END()
