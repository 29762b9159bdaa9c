// Matchers against PCRE2 with the same pattern, on characters of every class.
// Covers runtime/tokenizer/patterns/word_rules.h, runtime/unicode/classified_text.h.
// Covers runtime/tokenizer/patterns/regex_text.h.
#include "runtime/tokenizer/patterns/pattern_matcher.h"

#include "runtime/tokenizer/patterns/regex_text.h"
#include "runtime/tokenizer/patterns/text_pattern.h"
#include "runtime/unicode/unicode_classes.h"
#include "runtime/unicode/utf8.h"
#include "runtime/tokenizer/patterns/word_rules.h"
#include "tests/runtime/tokenizer/seed.h"

#include <boost/test/unit_test.hpp>

#include <array>
#include <random>
#include <string>
#include <vector>

using namespace lamina;

namespace {

using Ends = std::vector<std::size_t>;

Ends by_matcher(PatternMatcher matcher, std::string_view text) {
  Ends ends;
  matcher(text, 0, ends);
  return ends;
}

Ends by_search(const PatternSearch& search, std::string_view text) {
  Ends ends;
  for (const PatternSpan& span : search.spans(text)) {
    if (span.end > span.begin) ends.push_back(span.end);
  }
  return ends;
}

/// Texts of characters of all categories alike, and of those that patterns name.
class Texts {
 public:
  Texts() {
    const UnicodeClasses& classes = UnicodeClasses::instance();
    for (char32_t code = 0; code <= 0x10FFFF; ++code) {
      const auto category = static_cast<std::size_t>(classes.category(code));
      if (code < 0xD800 || code > 0xDFFF) by_category_[category].push_back(code);
    }
  }

  std::string next(std::mt19937& random) const {
    static const char* const frequent[] = {
        " ", "  ", "\n", "\r\n", "\t", "'s",     "'LL",     "'Re",    "'",      "a",  "Z", "1", "!",
        "/", "é",  "中", "々",   "⺀", "\u0301", "'\u017f", "\u00a0", "\u2028", "Aa", "_", "12"};
    std::string text;
    for (auto count = 1 + random() % 8; count > 0; --count) {
      std::string part;
      const auto& codes = by_category_[random() % by_category_.size()];
      if (random() % 2 == 0 || codes.empty()) {
        part = frequent[random() % std::size(frequent)];
      } else {
        append_utf8(part, codes[random() % codes.size()]);
      }
      for (auto times = random() % 4 == 0 ? 1 + random() % 12 : 1; times > 0; --times) text += part;
    }
    return text;
  }

 private:
  std::array<std::vector<char32_t>, 31> by_category_;
};

std::string pieces(std::string_view pattern, std::string_view text) {
  const PatternMatcher matcher = find_pattern_matcher(pattern);
  BOOST_TEST_REQUIRE(matcher != nullptr, pattern);
  std::string out;
  std::size_t begin = 0;
  for (const std::size_t end : by_matcher(matcher, text)) {
    if (begin > 0) out += '|';
    out += text.substr(begin, end - begin);
    begin = end;
  }
  return out;
}

WordRules with(WordRules rules, Contractions contractions, bool end_spaces = false) {
  rules.contractions = contractions;
  rules.end_spaces = end_spaces;
  return rules;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(pattern_matcher)

BOOST_AUTO_TEST_CASE(pieces_are_those_of_pcre2) {
  using namespace word_rules;
  std::mt19937 random(test::seed());
  const Texts texts;
  for (const WordRules& rules :
       {gpt2, with(gpt2, Contractions::small, true), llama3, with(llama3, Contractions::folded),
        with(llama3, Contractions::folded, true), qwen2, qwen35, with(qwen35, Contractions::folded),
        o200k, with(o200k, Contractions::folded), youtu, tekken, kimi, deepseek3, seed_coder,
        jais2}) {
    const std::string pattern = word_pattern(rules);
    const PatternMatcher matcher = find_pattern_matcher(pattern);
    BOOST_TEST_REQUIRE(matcher != nullptr, pattern);
    const PatternSearch search({.text = pattern, .regex = true});
    int wrong = 0;
    for (int i = 0; i < 20000; ++i) {
      const std::string text = texts.next(random);
      if (by_matcher(matcher, text) == by_search(search, text)) continue;
      if (wrong++ < 2) BOOST_TEST_MESSAGE("[" << text << "] -> " << pieces(pattern, text));
    }
    BOOST_TEST(wrong == 0, wrong << " texts differ for " << pattern);
  }
}

BOOST_AUTO_TEST_CASE(published_spellings_are_recognised) {
  // openai/tiktoken, openai_public.py: r50k_base, cl100k_base, o200k_base; \z, which is $ there.
  BOOST_TEST(
      pieces(R"('(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++\z|\s+(?!\S)|\s)",
             "it's  a1 ") == "it|'s| | a|1| ");
  BOOST_TEST(pieces(R"('(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+|)"
                    R"( ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++\z|\s*[\r\n]|\s+(?!\S)|\s)",
                    "IT'S 1234\n a \n ") == "IT|'S| |123|4|\n| a| \n ");
  BOOST_TEST(
      pieces(R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+)"
             R"((?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+)"
             R"([\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}|)"
             R"( ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
             "aXml'S!\n/b") == "a|Xml'S|!\n/|b");
  // The tokenizer.json of Llama 3 and Qwen 2.
  BOOST_TEST(pieces(R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|)"
                    R"( ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
                    "a'\u017fb\n \n  c") == "a|'\u017f|b|\n \n| | c");
  BOOST_TEST(pieces(R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}|)"
                    R"( ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
                    "12") == "1|2");
  // Raw line breaks instead of \r\n, as DeepSeek-V3 has them.
  BOOST_TEST(
      pieces("[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\r\n\\p{L}\\p{P}\\p{S}]?"
             "[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\r\n]*|\\s*[\r\n]+|\\s+(?!\\S)|\\s+",
             "_ab 12c") == "_ab| |1|2c");
}

BOOST_AUTO_TEST_CASE(other_patterns_have_no_matcher) {
  for (const char* pattern : {"", "a", R"(\p{L}+)", R"(\p{N})",
                              // Llama 3's, but for one thing each.
                              R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,4}|)"
                              R"( ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
                              R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}|\p{N}{1,3}|)"
                              R"( ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
                              R"((?i:'s|'t|'re|'ve|'m|'ll)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|)"
                              R"( ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"}) {
    BOOST_TEST((find_pattern_matcher(pattern) == nullptr), pattern);
  }
}

BOOST_AUTO_TEST_CASE(a_pattern_says_what_its_rules_say) {
  BOOST_TEST(word_pattern(word_rules::qwen2) ==
             R"((?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])|)"
             R"([^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|)"
             R"(\s+(?!\S)|\s+)");
  BOOST_TEST(word_pattern(word_rules::gpt2) ==
             R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)");
}

BOOST_AUTO_TEST_CASE(pcre2_sees_older_characters_of_the_same_class) {
  BOOST_TEST(!regex_text("plain Ascii, é 中 😀").has_value());
  BOOST_TEST(regex_text("a\xFF\xE4\xB8z").value() == "a\x1A\x1A\x1Az");
  BOOST_TEST(well_formed_text("a\xFFz").value() == "a\x1Az");
  BOOST_TEST(!well_formed_text("\U000105C0").has_value());
  const UnicodeClasses& classes = UnicodeClasses::instance();
  int replaced = 0;
  int wrong = 0;
  for (char32_t code = 0x80; code <= 0x10FFFF; ++code) {
    if (code >= 0xD800 && code <= 0xDFFF) continue;
    std::string text;
    append_utf8(text, code);
    const auto other = regex_text(text);
    wrong += !other && classes.recent(code);
    if (!other) continue;
    ++replaced;
    char32_t instead = static_cast<unsigned char>((*other)[0]) & (0x7Fu >> other->size());
    for (std::size_t i = 1; i < other->size(); ++i) {
      instead = instead << 6 | (static_cast<unsigned char>((*other)[i]) & 0x3Fu);
    }
    wrong += other->size() != text.size() || classes.sets(instead) != classes.sets(code) ||
             classes.recent(instead);
  }
  BOOST_TEST(wrong == 0);
  BOOST_TEST(replaced > 10000);
}

BOOST_AUTO_TEST_SUITE_END()
