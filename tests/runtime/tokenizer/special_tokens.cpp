// Special tokens in text, and the tokens that end generation.
// Covers runtime/tokenizer/end_tokens.h.
#include "runtime/tokenizer/special_tokens.h"

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

struct Marks {
  MadeVocabulary made;
  Token plain = made.add("hello");
  Token end = made.add("<|end|>", test::control);
  Token end2 = made.add("<|end|>x", test::control);
  Token unknown = made.add("<unk>", test::unknown);
  Token tool = made.add("<tool>", test::user_defined);
  Token spaces = made.add("   ", test::user_defined);
  Token overlap = made.add("|>x|", test::user_defined);
};

std::vector<Token> ends(const MadeVocabulary& made, Token eos = -1) {
  const Metadata metadata = made.metadata("gpt2");
  return end_tokens(metadata, Vocabulary(metadata), eos);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(special_tokens)

BOOST_AUTO_TEST_CASE(control_and_unknown_tokens_only_where_asked_for) {
  const Marks marks;
  const Vocabulary vocabulary(marks.made.metadata("llama"));
  const SpecialTokens special(vocabulary, {});
  const std::string_view text = "a<|end|>b<unk><tool>c";
  BOOST_TEST(shown(special.split(text, true)) == "[a] 1 [b] 3 4 [c] ");
  BOOST_TEST(shown(special.split(text, false)) == "[a<|end|>b<unk>] 4 [c] ");
  BOOST_TEST(shown(special.split("hello", true)) == "[hello] ");
  BOOST_TEST(shown(special.split("", true)).empty());
  BOOST_TEST(shown(special.split("<|end|><|end|>", true)) == "1 1 ");
  BOOST_TEST(shown(special.split("<|end", true)) == "[<|end] ");
}

BOOST_AUTO_TEST_CASE(the_leftmost_and_of_those_the_longest_is_taken) {
  const Marks marks;
  const Vocabulary vocabulary(marks.made.metadata("llama"));
  const SpecialTokens special(vocabulary, {});
  BOOST_TEST(shown(special.split("<|end|>x", true)) == "2 ");
  BOOST_TEST(shown(special.split("<|end|>x|", true)) == "2 [|] ");
  BOOST_TEST(shown(special.split("<|end|>x|", false)) == "[<|end] 6 ");
  BOOST_TEST(shown(special.split("       ", false)) == "5 5 [ ] ");
}

BOOST_AUTO_TEST_CASE(a_token_may_swallow_the_white_space_after_it) {
  const Marks marks;
  const Vocabulary vocabulary(marks.made.metadata("llama"));
  const SpecialTokens special(vocabulary, {marks.end});
  BOOST_TEST(shown(special.split("<|end|> \t\n\v\f\rb <tool> c", true)) == "1 [b ] 4 [ c] ");
  BOOST_TEST(shown(special.split("<|end|>  ", true)) == "1 ");
  BOOST_TEST(shown(special.split("<|end|>\xC2\xA0", true)) == "1 [\xC2\xA0] ");
}

BOOST_AUTO_TEST_CASE(many_nested_and_random_tokens_are_found_as_by_trying_all) {
  std::mt19937 random(test::seed());
  MadeVocabulary made;
  for (std::size_t size = 1; size <= 70; ++size) {
    made.add(std::string(size, 'n'), size % 3 == 0 ? test::control : test::user_defined);
  }
  const auto random_text = [&](std::size_t size) {
    std::string text;
    while (text.size() < size) text += "ab\xFF"[random() % 3];
    return text;
  };
  for (int i = 0; i < 60; ++i) {
    const std::string text = random_text(2 + random() % 4);
    const bool there = std::find(made.tokens.begin(), made.tokens.end(), text) != made.tokens.end();
    if (!there) made.add(text, i % 2 == 0 ? test::control : test::user_defined);
  }
  const Vocabulary vocabulary(made.metadata("llama"));
  const SpecialTokens special(vocabulary, {});
  for (int round = 0; round < 300; ++round) {
    const std::string text = random_text(random() % 30) + std::string(random() % 100, 'n');
    const bool parse = round % 2 == 0;
    std::string expected, rest;
    for (std::size_t at = 0; at < text.size();) {
      Token best = -1;
      for (Token token = 0; token < vocabulary.size(); ++token) {
        const std::string_view mark = vocabulary.text(token);
        const bool wanted = parse || vocabulary.type(token) == TokenType::user_defined;
        if (!wanted || text.compare(at, mark.size(), mark) != 0) continue;
        if (best < 0 || mark.size() > vocabulary.text(best).size()) best = token;
      }
      if (best >= 0 && !rest.empty()) expected += "[" + std::exchange(rest, "") + "] ";
      if (best >= 0) expected += std::to_string(best) + " ";
      if (best < 0) rest += text[at];
      at += best < 0 ? 1 : vocabulary.text(best).size();
    }
    if (!rest.empty()) expected += "[" + rest + "] ";
    BOOST_TEST(shown(special.split(text, parse)) == expected);
  }
}

BOOST_AUTO_TEST_CASE(end_tokens_come_from_keys_and_from_texts) {
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
  Metadata metadata = made.metadata("gpt2");
  metadata.set("tokenizer.ggml.eot_token_id", static_cast<std::uint32_t>(keyed));
  const auto with_key = end_tokens(metadata, Vocabulary(metadata), -1);
  BOOST_TEST(with_key == (std::vector<Token>{turn, message, response, keyed}),
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
