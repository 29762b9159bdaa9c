// Pieces against the Python package `regex`, on any bytes, in linear time and on a small stack.
// Covers runtime/tokenizer/patterns/regex.h.
//
// The comparison runs where $LAMINA_PYTHON (default: python3) can import regex, on
// $LAMINA_TEST_STRINGS random texts.
#include "runtime/tokenizer/patterns/pre_tokenizer.h"

#include "lamina/core/error.h"
#include "runtime/tokenizer/patterns/oniguruma_pattern.h"
#include "runtime/tokenizer/patterns/regex.h"
#include "tests/message_of.h"
#include "tests/runtime/temporary_folder.h"
#include "tests/runtime/tokenizer/cpu_time.h"
#include "tests/runtime/tokenizer/python_oracle.h"
#include "tests/runtime/tokenizer/repeated.h"
#include "tests/small_stack.h"
#include "runtime/unicode/unicode_classes.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

using namespace lamina;

namespace {

PreTokenizer named(std::string_view name) {
  return PreTokenizer(pre_tokenizer_preset(name).passes);
}

/// The pieces with bars between them.
std::string barred(std::string_view name, std::string_view text) {
  std::string out;
  std::size_t begin = 0;
  for (const std::size_t end : named(name).split(text)) {
    if (begin > 0) out += '|';
    out += text.substr(begin, end - begin);
    begin = end;
  }
  return out;
}

/// General category of each code point: its index in the list of the script.
std::string known_categories() {
  constexpr std::string_view names = "CcCfCoLlLmLoLtLuMcMeMnNdNlNoPcPdPePfPiPoPsScSkSmSoZlZpZs";
  constexpr std::string_view ours =
      "LuLlLtLmLoMnMcMeNdNlNoPcPdPsPePiPfPoSmScSkSoZsZlZpCcCcCfCoCnCs";
  const UnicodeClasses& classes = UnicodeClasses::instance();
  std::string categories;
  for (char32_t code = 0; code <= 0x10FFFF; ++code) {
    const auto category = static_cast<std::size_t>(classes.category(code));
    categories += static_cast<char>(names.find(ours.substr(2 * category, 2)) / 2);
  }
  return categories;
}

/// As the script gives them: the size of each piece.
std::vector<std::size_t> ends_of(const std::vector<Token>& sizes) {
  std::vector<std::size_t> ends;
  std::size_t end = 0;
  for (const Token size : sizes) ends.push_back(end += static_cast<std::size_t>(size));
  return ends;
}

void compare_with(test::PythonOracle& oracle) {
  const std::vector<std::string> names = oracle.texts();
  for (const PreTokenizerPreset& preset : pre_tokenizer_presets()) {
    const auto covered = [&](std::string_view name) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    BOOST_TEST(std::any_of(preset.names.begin(), preset.names.end(), covered), preset.names[0]);
  }
  std::vector<PreTokenizer> presets;
  for (const std::string& name : names) presets.push_back(named(name));
  test::Differences wrong;
  const std::uint32_t texts = oracle.number();
  BOOST_TEST(texts > 5000U);
  for (std::uint32_t i = 0; i < texts; ++i) {
    const std::string text = oracle.text();
    for (std::size_t p = 0; p < names.size(); ++p) {
      if (presets[p].split(text) == ends_of(oracle.tokens())) continue;
      if (wrong.add(names[p])) {
        BOOST_TEST_MESSAGE(names[p] << ": " << text << " -> " << barred(names[p], text));
      }
    }
  }
  BOOST_TEST(oracle.at_end());
  wrong.check("texts");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(pre_tokenizer)

BOOST_AUTO_TEST_CASE(pieces_of_the_known_presets) {
  BOOST_TEST(barred("gpt-2", "I'll  see 123 cats!  \n") == "I|'ll| | see| 123| cats|!|  \n");
  BOOST_TEST(barred("llama-bpe", "I'LL 12345\n\n x") == "I|'LL| |123|45|\n\n| x");
  BOOST_TEST(barred("qwen2", "a 123") == "a| |1|2|3");
  BOOST_TEST(barred("smollm", "a 123") == "a| |1|2|3");
  BOOST_TEST(barred("falcon", "x=(12345)") == "x|=(|123|45|)");
  BOOST_TEST(barred("gpt-4o", "aXMLHttp don't") == "a|XMLHttp| don't");
  BOOST_TEST(barred("tekken", "don't") == "don|'t");
  BOOST_TEST(barred("tiny_aya", "1234567 1234x") == "1|234|567| |123|4|x");
  BOOST_TEST(barred("deepseek-v3", "a世界b") == "a|世界|b");
  BOOST_TEST(named("gpt-2").split("").empty());
}

BOOST_AUTO_TEST_CASE(what_a_model_adds_depends_on_the_preset) {
  BOOST_TEST(pre_tokenizer_preset("llama-bpe").whole_words);
  BOOST_TEST(pre_tokenizer_preset("llama-bpe").add_bos);
  BOOST_TEST(pre_tokenizer_preset("tekken").whole_words);
  BOOST_TEST(!pre_tokenizer_preset("qwen2").whole_words);
  BOOST_TEST(!pre_tokenizer_preset("qwen2").add_bos);
}

BOOST_AUTO_TEST_CASE(an_unknown_name_is_an_error_that_lists_the_known_ones) {
  BOOST_CHECK_EXCEPTION(pre_tokenizer_preset("gpt-3"), Error, [](const Error& error) {
    const std::string_view message = error.what();
    for (const char* part : {"tokenizer.ggml.pre", "'gpt-3'", " llama-bpe", " qwen2", " smollm"}) {
      BOOST_TEST(message.find(part) != std::string_view::npos, part);
    }
    return true;
  });
}

BOOST_AUTO_TEST_CASE(a_wrong_pattern_is_an_error) { BOOST_CHECK_THROW(Regex("(a", ""), Error); }

BOOST_AUTO_TEST_CASE(a_match_that_needs_much_state_is_found_all_the_same) {
  // Each round of the group is remembered: more than the just-in-time matcher's stack holds.
  const Regex pattern("^(?:a|(b))*", "");
  const std::string text = test::repeated("ab", 1 << 20);
  Regex::Scratch scratch;
  const auto match = pattern.find(text, 0, scratch);
  BOOST_TEST_REQUIRE(match.has_value());
  BOOST_TEST(match->end == text.size());
  BOOST_TEST(!pattern.find("c", 0, scratch).has_value());  // an empty match is none
}

/// As the pattern's first words: with the just-in-time matcher, and without.
constexpr std::array<const char*, 2> engines = {"", "(*NO_JIT)"};

BOOST_AUTO_TEST_CASE(a_match_that_takes_too_many_steps_is_an_error) {
  for (const std::string engine : engines) {
    Regex::Scratch scratch;
    for (const std::string pattern : {"(a+)+$", "(?:a|aa)+$", "(?:a?){40}a{40}", "(a*)*[bc][de]"}) {
      const Regex hostile(engine + pattern, pattern);
      const std::string text = std::string(39, 'a') + "b";
      const test::CpuTime time;
      const std::string said = test::message_of([&] { hostile.find(text, 0, scratch); });
      BOOST_TEST(time.seconds() < test::limit(4.0), engine << pattern);
      BOOST_TEST(test::contains(said, "the pattern '" + pattern + "'"), said);
      BOOST_TEST(test::contains(said, "in 40 bytes of text: more than 10004000 steps"), said);
    }
    const Regex harmless(engine + "(a+)+$", "");
    BOOST_TEST(harmless.find(std::string(12, 'a'), 0, scratch)->end == 12U);
    BOOST_TEST(!harmless.find(std::string(12, 'a') + "b", 0, scratch).has_value());
  }
}

/// The matches of `pattern` one after the other, as far as they go without a gap.
std::size_t matched(const Regex& pattern, const std::string& text) {
  Regex::Scratch scratch;
  std::size_t end = 0;
  while (const auto match = pattern.find(text, end, scratch)) {
    if (match->begin > end) break;
    end = match->end;
  }
  return end;
}

BOOST_AUTO_TEST_CASE(patterns_of_models_stay_within_the_limit_of_steps) {
  for (const std::string engine : engines) {
    for (const char* name : {"gpt-2", "llama-bpe", "qwen2", "gpt-4o", "tekken"}) {
      const std::string pattern = pcre2_pattern(pre_tokenizer_preset(name).passes.front());
      const Regex regex(engine + pattern, pattern);
      for (const char* unit : {"a", "A", " ", "1", "!", "\n", "中", "😀", "Aa"}) {
        const std::string text = test::repeated(unit, 100000) + "x";
        BOOST_TEST(matched(regex, text) == text.size(), engine << name << ": " << unit);
      }
      for (const char* unit : {"A", " ", "中"}) {
        const std::string text = test::repeated(unit, 3 << 20);
        BOOST_TEST(matched(regex, text) == text.size(), engine << name << ": much " << unit);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(the_limit_of_steps_grows_with_the_text) {
  std::string pattern = "\\w+";  // comes last, after twelve that go back over all of the text
  for (char last = 'b'; last <= 'm'; ++last) pattern.insert(0, std::string("\\w*a") + last + "|");
  const std::string text(1 << 20, 'a');
  for (const std::string engine : engines) {
    BOOST_TEST(matched(Regex(engine + pattern, pattern), text) == text.size(), engine);
  }
}

BOOST_AUTO_TEST_CASE(any_bytes_are_cut_without_loss) {
  for (const PreTokenizerPreset& preset : pre_tokenizer_presets()) {
    const PreTokenizer cut(preset.passes);
    for (const std::string_view text :
         {std::string_view("\xFF"), std::string_view("a\xC0\x80"),
          std::string_view("\xED\xA0\x80x"), std::string_view("\xF4\x90\x80\x80"),
          std::string_view(" \xF0\x9F"), std::string_view("a\0b\0\0 c", 8),
          std::string_view("\x80\x80 \xE4\xB8 z")}) {
      const auto ends = cut.split(text);
      BOOST_TEST(std::is_sorted(ends.begin(), ends.end()));
      BOOST_TEST((std::adjacent_find(ends.begin(), ends.end()) == ends.end()));
      BOOST_TEST_REQUIRE(!ends.empty());
      BOOST_TEST(ends.back() == text.size());
    }
  }
  // A byte that is no character counts as a control character: with marks, not with words.
  BOOST_TEST(barred("gpt-2", "ab\xFF\xFE!cd") == "ab|\xFF\xFE!|cd");
}

BOOST_AUTO_TEST_CASE(pieces_equal_those_of_regex) {
  const test::TemporaryFolder folder;
  const auto categories = folder.write("categories", known_categories());
  const char* count = std::getenv("LAMINA_TEST_STRINGS");
  auto oracle = test::python_oracle("pre_tokenizer_oracle.py", "regex",
                                    {categories.string(), count != nullptr ? count : "3000"});
  if (oracle) compare_with(*oracle);
}

/// Seconds that cutting takes on a small stack; all of the text must come out.
double seconds_for(const PreTokenizer& cut, const std::string& text) {
  std::size_t last = 0;
  double seconds = 0;
  test::on_stack(128 << 10, [&] {
    const test::CpuTime time;
    last = cut.split(text).back();
    seconds = time.seconds();
  });
  BOOST_TEST(last == text.size());
  return seconds;
}

BOOST_AUTO_TEST_CASE(long_runs_take_linear_time_and_little_stack) {
  std::vector<std::vector<std::string>> done;
  for (const PreTokenizerPreset& preset : pre_tokenizer_presets()) {
    if (std::find(done.begin(), done.end(), preset.passes) != done.end()) continue;
    done.push_back(preset.passes);
    const PreTokenizer cut(preset.passes);
    for (const std::string_view unit :
         {"a",  "A",     "1",   "!", " ",  "\n", "中", "\xCC\x81", "😀",    "\xFF",
          "us", "\n \n", " \t", "^", "Aa", "'s", "1 ", "a1",       "\r\n", "á"}) {
      double seconds = seconds_for(cut, std::string(unit));
      for (const std::size_t size : {std::size_t{1000}, std::size_t{1} << 16}) {
        const std::string text = test::repeated(unit, size);
        for (const std::string& each : {text, text + "x", "x" + text + "1"}) {
          seconds += seconds_for(cut, each);
        }
      }
      BOOST_TEST(seconds < test::limit(0.5),
                 preset.names[0] << " took " << seconds << " s for " << unit);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_million_characters_take_linear_time_and_little_stack) {
  for (const char* name : {"gpt-2", "llama-bpe", "qwen35", "gpt-4o", "tekken", "deepseek-v3",
                           "kimi-k2", "exaone-moe", "jais-2"}) {
    const PreTokenizer cut = named(name);
    for (const std::string_view unit : {"a", "A", " ", "\n", "^", "us", "中", "\xCC\x81"}) {
      const double seconds =
          seconds_for(cut, test::repeated(unit, 1000000 * std::min<std::size_t>(unit.size(), 3)));
      BOOST_TEST(seconds < test::limit(2.0), name << " took " << seconds << " s for " << unit);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
