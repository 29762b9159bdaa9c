// SentencePiece encoding by hand-made scores.
// Covers runtime/tokenizer/models/character_symbols.h.
#include "runtime/tokenizer/models/sentence_piece.h"

#include "tests/runtime/tokenizer/made_vocabulary.h"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace lamina;
using lamina::test::MadeVocabulary;

namespace {

/// Tokens as their texts, with bars between them.
std::string encoded(const MadeVocabulary& made, std::string_view text, Token unknown = -1) {
  const Vocabulary vocabulary(made.metadata("llama"));
  std::vector<Token> tokens;
  SentencePiece(vocabulary, unknown).encode(text, tokens);
  std::string out;
  for (const Token token : tokens) {
    out += (out.empty() ? "" : "|") + std::string(vocabulary.text(token));
  }
  return out;
}

MadeVocabulary letters() {
  MadeVocabulary made;
  for (const char* text : {"▁", "a", "b", "c"}) made.add(text, test::normal, -100);
  return made;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(sentence_piece)

BOOST_AUTO_TEST_CASE(the_highest_score_merges_first) {
  MadeVocabulary made = letters();
  made.add("ab", test::normal, -2);
  made.add("bc", test::normal, -1);
  BOOST_TEST(encoded(made, "abc") == "a|bc");
  made.scores[4] = 1.5F;
  BOOST_TEST(encoded(made, "abc") == "ab|c");
  made.scores[5] = 2.5F;
  BOOST_TEST(encoded(made, "abc") == "a|bc");
  made.scores[4] = made.scores[5] = 0;
  BOOST_TEST(encoded(made, "abc") == "ab|c");
  made.scores[5] = -0.0F;  // equal to 0: the leftmost
  BOOST_TEST(encoded(made, "abc") == "ab|c");
  made.scores[4] = -0.0F;
  made.scores[5] = 0;
  BOOST_TEST(encoded(made, "abc") == "ab|c");
}

BOOST_AUTO_TEST_CASE(merges_go_on_with_what_was_merged) {
  MadeVocabulary made = letters();
  made.add("▁a", test::normal, -1);
  made.add("bc", test::normal, -2);
  made.add("▁abc", test::normal, -3);
  BOOST_TEST(encoded(made, " abc") == "▁abc");
  BOOST_TEST(encoded(made, "abc abc") == "a|bc|▁abc");
  BOOST_TEST(encoded(made, "") == "");
}

BOOST_AUTO_TEST_CASE(control_and_byte_tokens_do_not_come_from_text) {
  MadeVocabulary made = letters();
  made.add("ab", test::control, 5);
  made.add("<0x61>", test::byte, 5);
  for (const char* text : {"<", "0", "x", "6", "1", ">", "<0", "x6", "1>", "<0x6"}) made.add(text);
  BOOST_TEST(encoded(made, "ab") == "a|b");
  BOOST_TEST(encoded(made, "<0x61>") == "<0x6|1>");
}

BOOST_AUTO_TEST_CASE(characters_without_token_become_their_bytes) {
  MadeVocabulary made = letters();
  made.add_byte_tokens();
  BOOST_TEST(encoded(made, "aé🦙") == "a|<0xC3>|<0xA9>|<0xF0>|<0x9F>|<0xA6>|<0x99>");
  BOOST_TEST(encoded(made, std::string_view("\0\xFF\xE4\xB8", 4)) == "<0x00>|<0xFF>|<0xE4>|<0xB8>");
  BOOST_TEST(encoded(made, "\n") == "<0x0A>");
}

BOOST_AUTO_TEST_CASE(without_byte_tokens_a_run_becomes_one_unknown_token) {
  MadeVocabulary made = letters();
  const Token unknown = made.add("<unk>", test::unknown);
  BOOST_TEST(encoded(made, "aéèbé", unknown) == "a|<unk>|b|<unk>");
  BOOST_TEST(encoded(made, "aéb") == "a|b");  // nothing stands for it
}

BOOST_AUTO_TEST_SUITE_END()
