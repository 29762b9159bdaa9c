// Steps of pre-tokenizers: cases by hand, any bytes, long texts, and against tokenizers.
// Covers runtime/tokenizer/steps/split_behavior.h.
//
// The comparison runs where $LAMINA_PYTHON (default: python3) can import tokenizers.
#include "runtime/tokenizer/steps/pre_tokenizer_steps.h"

#include "lamina/core/error.h"
#include "runtime/tokenizer/steps/split_behavior.h"
#include "tests/runtime/tokenizer/cpu_time.h"
#include "tests/runtime/tokenizer/python_oracle.h"
#include "tests/runtime/tokenizer/repeated.h"

#include <boost/test/unit_test.hpp>

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

using namespace lamina;

namespace {

/// The pieces with bars between them.
std::string barred(const PreTokenizerSteps& steps, std::string_view text, bool first = true) {
  const Pieces pieces = steps.apply(text, first);
  std::string out;
  std::size_t begin = 0;
  for (const std::size_t end : pieces.ends) {
    if (begin > 0) out += '|';
    out += std::string_view(pieces.text).substr(begin, end - begin);
    begin = end;
  }
  return out;
}

std::string barred(PreTokenizerStep step, std::string_view text, bool first = true) {
  return barred(PreTokenizerSteps({std::move(step)}), text, first);
}

TextPattern literal(std::string text) { return {std::move(text), false}; }
TextPattern regex(std::string text) { return {std::move(text), true}; }

constexpr std::array behaviors = {
    std::pair{"removed", SplitBehavior::removed},
    std::pair{"isolated", SplitBehavior::isolated},
    std::pair{"merged_with_previous", SplitBehavior::merged_with_previous},
    std::pair{"merged_with_next", SplitBehavior::merged_with_next},
    std::pair{"contiguous", SplitBehavior::contiguous},
};

Metaspace metaspace(PrependScheme scheme, bool split = true) { return {"▁", scheme, split}; }

/// By the names of pre_tokenizer_steps_oracle.py.
std::map<std::string, PreTokenizerSteps> known_steps() {
  std::map<std::string, PreTokenizerSteps> known;
  const auto add = [&](const std::string& name, std::vector<PreTokenizerStep> steps) {
    known.emplace(name, PreTokenizerSteps(std::move(steps)));
  };
  const std::string words =
      "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| "
      "?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
  add("words", {Split{regex(words)}, ByteLevelSplit{false, false}});
  add("byte level", {ByteLevelSplit{}});
  add("byte level plain", {ByteLevelSplit{false, true}});
  add("byte level whole", {ByteLevelSplit{true, false}});
  add("metaspace", {Metaspace{}});
  add("metaspace first", {metaspace(PrependScheme::first)});
  add("metaspace never", {metaspace(PrependScheme::never)});
  add("metaspace whole", {metaspace(PrependScheme::always, false)});
  add("metaspace underscore", {Metaspace{"_", PrependScheme::always, true}});
  add("metaspace words", {WhitespaceSplit{}, Metaspace{}});
  add("metaspace first word", {WhitespaceSplit{}, metaspace(PrependScheme::first)});
  add("metaspace first part",
      {Split{literal("a"), SplitBehavior::merged_with_next}, metaspace(PrependScheme::first)});
  add("digits", {Digits{}});
  add("single digits", {Digits{true}});
  add("whitespace", {Whitespace{}});
  add("whitespace split", {WhitespaceSplit{}});
  add("bert", {BertPreTokenizer{}});
  add("scripts", {UnicodeScripts{}});
  add("delimiter", {CharDelimiterSplit{"é"}});
  add("length", {FixedLength{3}});
  add("long", {FixedLength{100}});
  add("scripts of words", {WhitespaceSplit{}, UnicodeScripts{}});
  add("digits and more", {Digits{true}, Punctuation{SplitBehavior::contiguous},
                          Split{regex("\\s"), SplitBehavior::removed}, ByteLevelSplit{true, true}});
  for (const auto& [name, behavior] : behaviors) {
    const std::string with = std::string(" ") + name;
    add("punctuation" + with, {Punctuation{behavior}});
    add("space" + with, {Split{literal(" "), behavior}});
    add("not letters" + with, {Split{regex("\\p{L}"), behavior, true}});
    add("empty" + with, {Split{regex("(?=a)|b*"), behavior}});
    add("not empty" + with, {Split{regex("(?=a)|b*"), behavior, true}});
    add("nothing" + with, {Split{literal(""), behavior}});
    add("runs" + with, {Split{regex("[\\s!]+"), behavior}});
  }
  return known;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(pre_tokenizer_steps)

BOOST_AUTO_TEST_CASE(what_becomes_of_delimiters) {
  const std::string_view text = "the-final--countdown";
  const auto cut = [&](SplitBehavior behavior) {
    return barred(Split{literal("-"), behavior}, text);
  };
  BOOST_TEST(cut(SplitBehavior::removed) == "the|final|countdown");
  BOOST_TEST(cut(SplitBehavior::isolated) == "the|-|final|-|-|countdown");
  BOOST_TEST(cut(SplitBehavior::merged_with_previous) == "the-|final-|-|countdown");
  BOOST_TEST(cut(SplitBehavior::merged_with_next) == "the|-final|-|-countdown");
  BOOST_TEST(cut(SplitBehavior::contiguous) == "the|-|final|--|countdown");
  BOOST_TEST(barred(Split{regex("\\w+"), SplitBehavior::removed, true}, "a, b") == "a|b");
  BOOST_TEST(barred(Split{regex("(?=[A-Z])")}, "aBcD") == "a|Bc|D");
}

BOOST_AUTO_TEST_CASE(spaces_in_front) {
  BOOST_TEST(barred(Metaspace{}, "a  b") == "▁a|▁|▁b");
  BOOST_TEST(barred(Metaspace{}, " a") == "▁a");
  BOOST_TEST(barred(metaspace(PrependScheme::never), "a b") == "a|▁b");
  BOOST_TEST(barred(metaspace(PrependScheme::first), "a b") == "▁a|▁b");
  BOOST_TEST(barred(metaspace(PrependScheme::first), "a b", false) == "a|▁b");
  BOOST_TEST(barred(metaspace(PrependScheme::always), "a b", false) == "▁a|▁b");
  BOOST_TEST(barred(metaspace(PrependScheme::always, false), "a b") == "▁a▁b");
  const PreTokenizerSteps first({WhitespaceSplit{}, metaspace(PrependScheme::first)});
  BOOST_TEST(barred(first, "a b") == "▁a|b");
  BOOST_TEST(barred(first, " a b") == "a|b");  // what lay at the start is gone
  BOOST_TEST(barred(ByteLevelSplit{}, "a é\n") == "Ġa|ĠÃ©|Ċ");
  BOOST_TEST(barred(ByteLevelSplit{false, false}, "a b") == "aĠb");
}

BOOST_AUTO_TEST_CASE(kinds_of_characters) {
  BOOST_TEST(barred(Digits{}, "a123½b") == "a|123½|b");
  BOOST_TEST(barred(Digits{true}, "a12") == "a|1|2");
  BOOST_TEST(barred(Punctuation{}, "a,.b") == "a|,|.|b");
  BOOST_TEST(barred(Whitespace{}, "don't, \u00A0x²") == "don|'|t|,|x|²");
  BOOST_TEST(barred(WhitespaceSplit{}, " a,\nb ") == "a,|b");
  BOOST_TEST(barred(BertPreTokenizer{}, "Hey, you$") == "Hey|,|you|$");
  BOOST_TEST(barred(UnicodeScripts{}, "どこで生 Yes!") == "どこで生 |Yes|!");
  BOOST_TEST(barred(UnicodeScripts{}, "データ 表a") == "データ 表|a");
  BOOST_TEST(barred(UnicodeScripts{}, " ab") == "ab");  // lost, as there
  BOOST_TEST(barred(CharDelimiterSplit{"é"}, "aébéé") == "a|b");
  BOOST_TEST(barred(FixedLength{2}, "aéb") == "aé|b");
}

BOOST_AUTO_TEST_CASE(without_steps_or_text) {
  BOOST_TEST(barred(PreTokenizerSteps(), "a b") == "a b");
  BOOST_TEST(PreTokenizerSteps().empty());
  for (const auto& [name, steps] : known_steps()) BOOST_TEST(steps.apply("").ends.empty(), name);
}

BOOST_AUTO_TEST_CASE(wrong_options_are_errors) {
  BOOST_CHECK_THROW(barred(Split{regex("(")}, ""), Error);
  BOOST_CHECK_THROW(barred(Metaspace{"ab", PrependScheme::always, true}, ""), Error);
  BOOST_CHECK_THROW(barred(Metaspace{"", PrependScheme::always, true}, ""), Error);
  BOOST_CHECK_THROW(barred(CharDelimiterSplit{"\xFF"}, ""), Error);
  BOOST_CHECK_THROW(barred(FixedLength{0}, ""), Error);
}

BOOST_AUTO_TEST_CASE(any_bytes_are_cut) {
  const std::string_view text("a\xFF\xE4\xB8 a\0\xC0\x80 \xED\xA0\x80", 14);
  for (const auto& [name, steps] : known_steps()) {
    if (name.ends_with("removed")) continue;
    const Pieces pieces = steps.apply(text);
    BOOST_TEST_REQUIRE(!pieces.ends.empty(), name);
    BOOST_TEST(pieces.ends.back() == pieces.text.size(), name);
    BOOST_TEST(pieces.text.find(name == "words" || name.starts_with("byte level") ||
                                        name == "digits and more"
                                    ? std::string_view("ÿä¸")
                                    : std::string_view("\xFF\xE4\xB8")) != std::string::npos,
               name);
  }
}

BOOST_AUTO_TEST_CASE(long_runs_take_linear_time) {
  constexpr std::size_t size = 64 << 10;
  for (const auto& [name, steps] : known_steps()) {
    for (const std::string_view unit : {"a", " ", "1", "!", "中", "a ", "\u0301"}) {
      const std::string text = test::repeated(unit, size);
      const test::CpuTime time;
      const Pieces pieces = steps.apply(text);
      BOOST_TEST(time.seconds() < test::limit(0.5), name << " took " << time.seconds());
    }
  }
}

BOOST_AUTO_TEST_CASE(pieces_equal_those_of_tokenizers) {
  auto oracle = test::python_oracle("pre_tokenizer_steps_oracle.py", "tokenizers");
  if (!oracle) return;
  const std::map<std::string, PreTokenizerSteps> known = known_steps();
  const std::vector<std::string> names = oracle->texts();
  BOOST_TEST_REQUIRE(names.size() == known.size());
  test::Differences wrong;
  const std::uint32_t texts = oracle->number();
  BOOST_TEST(texts > 500U);
  for (std::uint32_t i = 0; i < texts; ++i) {
    const std::string text = oracle->text();
    for (const std::string& name : names) {
      Pieces expected;
      for (std::uint32_t left = oracle->number(); left > 0; --left) {
        expected.text += oracle->text();
        expected.ends.push_back(expected.text.size());
      }
      const Pieces pieces = known.at(name).apply(text);
      if (pieces.text == expected.text && pieces.ends == expected.ends) continue;
      if (!wrong.add(name)) continue;
      const auto& ends = pieces.ends;
      const auto differ =
          std::mismatch(ends.begin(), ends.end(), expected.ends.begin(), expected.ends.end());
      const std::size_t at = differ.first == ends.begin() ? 0 : differ.first[-1];
      BOOST_TEST_MESSAGE(name << ": " << ends.size() << " instead of " << expected.ends.size()
                              << " pieces, from " << pieces.text.substr(at, 40));
    }
  }
  BOOST_TEST(oracle->at_end());
  wrong.check("texts");
}

BOOST_AUTO_TEST_SUITE_END()
