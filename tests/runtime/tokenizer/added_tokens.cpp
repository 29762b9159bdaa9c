// Added tokens in text, and the tokens that end generation.
// Covers runtime/tokenizer/end_tokens.h.
#include "runtime/tokenizer/added_tokens.h"

#include "runtime/tokenizer/end_tokens.h"
#include "tests/runtime/tokenizer/made_vocabulary.h"
#include "tests/runtime/tokenizer/seed.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace lamina;
using lamina::test::MadeVocabulary;

namespace {

/// Fragments in one line: tokens as numbers, text in brackets.
std::string shown(const std::vector<Fragment>& fragments) {
  std::string out;
  for (const Fragment& fragment : fragments) {
    out += fragment.token >= 0 ? std::to_string(fragment.token) + " "
                               : "[" + std::string(fragment.text) + "] ";
  }
  return out;
}

std::string split(const AddedTokens& added, std::string_view text, bool special) {
  return shown(added.split(text, std::vector<Section>{{text.size(), special}}));
}

AddedTokens marks() {
  return AddedTokens({{.id = 1, .text = "<|end|>", .special = true},
                      {.id = 2, .text = "<|end|>x", .special = true},
                      {.id = 3, .text = "<unk>", .special = true},
                      {.id = 4, .text = "<tool>"},
                      {.id = 5, .text = "   "},
                      {.id = 6, .text = "|>x|"},
                      {.id = 7, .text = ""},
                      {.id = 8, .text = "<tool>", .special = true}});
}

std::vector<Token> ends(const MadeVocabulary& made, Token eos = -1) {
  return end_tokens(Vocabulary(made.metadata("gpt2")), {eos});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(added_tokens)

BOOST_AUTO_TEST_CASE(special_tokens_only_where_asked_for) {
  const AddedTokens added = marks();
  const std::string_view text = "a<|end|>b<unk><tool>c";
  BOOST_TEST(split(added, text, true) == "[a] 1 [b] 3 4 [c] ");
  BOOST_TEST(split(added, text, false) == "[a<|end|>b<unk>] 4 [c] ");
  BOOST_TEST(split(added, "hello", true) == "[hello] ");
  BOOST_TEST(split(added, "", true).empty());
  BOOST_TEST(split(added, "<|end|><|end|>", true) == "1 1 ");
  BOOST_TEST(split(added, "<|end", true) == "[<|end] ");
  BOOST_TEST(split(AddedTokens(), text, true) == "[" + std::string(text) + "] ");
}

BOOST_AUTO_TEST_CASE(the_leftmost_and_of_those_the_longest_is_taken) {
  const AddedTokens added = marks();
  BOOST_TEST(split(added, "<|end|>x", true) == "2 ");
  BOOST_TEST(split(added, "<|end|>x|", true) == "2 [|] ");
  BOOST_TEST(split(added, "<|end|>x|", false) == "[<|end|>x|] ");
  BOOST_TEST(split(added, "end|>x|", false) == "[end] 6 ");
  BOOST_TEST(split(added, "       ", false) == "5 5 [ ] ");
}

BOOST_AUTO_TEST_CASE(a_special_token_lies_within_one_section_that_allows_it) {
  const AddedTokens added = marks();
  const auto cut = [&](std::string_view text, std::vector<Section> sections) {
    return shown(added.split(text, sections));
  };
  const std::string_view text = "<|end|><|end|><|end|>";
  BOOST_TEST(cut(text, {{7, true}, {14, false}, {21, true}}) == "1 [<|end|>] 1 ");
  BOOST_TEST(cut(text, {{4, true}, {21, true}}) == "[<|end|>] 1 1 ");
  BOOST_TEST(cut(text, {{8, true}, {21, true}}) == "1 [<|end|>] 1 ");
  BOOST_TEST(cut("<|end|>x", {{7, true}, {8, false}}) == "1 [x] ");  // the shorter one is whole
  BOOST_TEST(cut("a<tool>", {{3, true}, {7, false}}) == "[a] 4 ");   // this one is not special
}

BOOST_AUTO_TEST_CASE(tokens_may_swallow_the_white_space_around_them) {
  const AddedTokens added({{.id = 1, .text = "<r>", .right_strip = true},
                           {.id = 2, .text = "<l>", .left_strip = true},
                           {.id = 3, .text = "<t>"}});
  BOOST_TEST(split(added, "<r> \t\n\v\f\r\u3000b <t> c", true) == "1 [b ] 3 [ c] ");
  BOOST_TEST(split(added, "<r>  ", true) == "1 ");
  BOOST_TEST(split(added, "a \u00A0\u2003<l> b", true) == "[a] 2 [ b] ");
  BOOST_TEST(split(added, "  <l>", true) == "2 ");
  BOOST_TEST(split(added, "<r> <l> <t>", true) == "1 2 [ ] 3 ");
  const auto spaces = [](bool left) {
    return AddedTokens({{.id = 1, .text = "<r>", .right_strip = true},
                        {.id = 2, .text = " ", .left_strip = left}});
  };
  BOOST_TEST(split(spaces(false), "<r>  x ", true) == "1 2 2 [x] 2 ");
  BOOST_TEST(split(spaces(true), "<r>  x ", true) == "1 [x] 2 ");
  BOOST_TEST(split(added, "\xE3\x80 <l>\x80", true) == "[\xE3\x80] 2 [\x80] ");
}

BOOST_AUTO_TEST_CASE(a_token_may_have_to_be_a_word_of_its_own) {
  const AddedTokens added({{.id = 1, .text = "ab", .single_word = true}, {.id = 2, .text = "b"}});
  BOOST_TEST(split(added, "ab", true) == "1 ");
  BOOST_TEST(split(added, "-ab-", true) == "[-] 1 [-] ");
  BOOST_TEST(split(added, "\u00BDab\u00B2", true) == "[\u00BD] 1 [\u00B2] ");
  for (const char* word : {"xab", "abx", "ab\u0301", "_ab", "ab9", "\u4E2Dab", "ab\u200D"}) {
    BOOST_TEST(split(added, word, true) == "[" + std::string(word) + "] ");
  }
  BOOST_TEST(split(added, "xabb", true) == "[xab] 2 ");
}

BOOST_AUTO_TEST_CASE(many_nested_and_random_tokens_are_found_as_by_trying_all) {
  std::mt19937 random(test::seed());
  std::vector<AddedToken> all;
  const auto add = [&](const std::string& text, bool special) {
    const auto same = [&](const AddedToken& token) { return token.text == text; };
    if (std::any_of(all.begin(), all.end(), same)) return;
    all.push_back({.id = static_cast<Token>(all.size()), .text = text, .special = special});
  };
  for (std::size_t size = 1; size <= 70; ++size) add(std::string(size, 'n'), size % 3 == 0);
  const auto random_text = [&](std::size_t size) {
    std::string text;
    while (text.size() < size) text += "ab\xFF"[random() % 3];
    return text;
  };
  for (int i = 0; i < 60; ++i) add(random_text(2 + random() % 4), i % 2 == 0);
  const AddedTokens added(all);
  for (int round = 0; round < 300; ++round) {
    const std::string text = random_text(random() % 30) + std::string(random() % 100, 'n');
    const bool special = round % 2 == 0;
    std::string expected, rest;
    for (std::size_t at = 0; at < text.size();) {
      const AddedToken* best = nullptr;
      for (const AddedToken& token : all) {
        if (text.compare(at, token.text.size(), token.text) != 0) continue;
        if (best == nullptr || token.text.size() > best->text.size()) best = &token;
      }
      if (best != nullptr && best->special && !special) {
        rest += best->text;
        at += best->text.size();
        continue;
      }
      if (best != nullptr && !rest.empty()) expected += "[" + std::exchange(rest, "") + "] ";
      if (best != nullptr) expected += std::to_string(best->id) + " ";
      if (best == nullptr) rest += text[at];
      at += best == nullptr ? 1 : best->text.size();
    }
    if (!rest.empty()) expected += "[" + rest + "] ";
    BOOST_TEST(split(added, text, special) == expected);
  }
}

BOOST_AUTO_TEST_CASE(end_tokens_come_from_the_file_and_from_texts) {
  MadeVocabulary made;
  made.add("a");
  const Token eos = made.add("<end of everything>", test::control);
  const Token turn = made.add("<|im_end|>", test::control);
  const Token message = made.add("<|eom_id|>", test::control);
  const Token response = made.add("<|tool_response>", test::user_defined);
  made.add("</s>", test::normal);  // an HTML tag that text may contain
  const Token keyed = made.add("stop");
  BOOST_TEST(ends(made, eos) == (std::vector<Token>{eos, turn, message, response}),
             boost::test_tools::per_element());
  BOOST_TEST(ends(made, keyed) == (std::vector<Token>{turn, message, response, keyed}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_end_of_a_message_of_gpt_oss_does_not_end_generation) {
  MadeVocabulary made;
  const Token end = made.add("<|end|>", test::control);
  const Token back = made.add("<|return|>", test::control);
  BOOST_TEST(ends(made) == (std::vector<Token>{end, back}), boost::test_tools::per_element());
  const Token call = made.add("<|call|>", test::control);
  BOOST_TEST(ends(made) == (std::vector<Token>{back, call}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
