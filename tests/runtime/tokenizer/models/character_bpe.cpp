// Character encoding by hand-made merges.
#include "runtime/tokenizer/models/character_bpe.h"

#include "lamina/core/error.h"
#include "tests/runtime/tokenizer/made_vocabulary.h"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace lamina;
using lamina::test::MadeVocabulary;

namespace {

/// The texts of the tokens with bars between them.
std::string encoded(const MadeVocabulary& made, std::string_view text, BpeOptions options = {}) {
  const Metadata metadata = made.metadata("gpt2");
  const Vocabulary vocabulary(metadata);
  options.merges = read_merges(metadata, vocabulary);
  const CharacterBpe bpe(vocabulary, vocabulary.size(), std::move(options));
  std::vector<Token> tokens;
  bpe.encode(text, tokens);
  std::string out;
  for (const Token token : tokens) {
    out += (out.empty() ? "" : "|") + std::string(vocabulary.text(token));
  }
  return out;
}

MadeVocabulary words() {
  MadeVocabulary made;
  for (const char* text : {"a", "b", "▁", "ab", "▁a", "b▁", "世", "a▁", "a▁b", "▁▁", "▁▁a"}) {
    made.add(text);
  }
  return made;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(character_bpe)

BOOST_AUTO_TEST_CASE(the_lowest_rank_merges_first) {
  MadeVocabulary made = words();
  made.merges = {"b ▁", "a b"};
  BOOST_TEST(encoded(made, "ab▁") == "a|b▁");
  made.merges = {"a b", "b ▁"};
  BOOST_TEST(encoded(made, "ab▁") == "ab|▁");
}

BOOST_AUTO_TEST_CASE(merges_may_join_words) {
  MadeVocabulary made = words();
  made.merges = {"a ▁", "a▁ b", "▁ a"};
  BOOST_TEST(encoded(made, "a▁b") == "a▁b");
  BOOST_TEST(encoded(made, "▁a") == "▁a");
  made.merges = {"▁ ▁", "▁ a", "▁▁ a", "a b"};  // these do not
  BOOST_TEST(encoded(made, "ab▁ab▁▁▁a▁▁a▁▁") == "ab|▁a|b|▁▁|▁a|▁▁a|▁▁");
}

BOOST_AUTO_TEST_CASE(characters_without_token_become_bytes_or_unknown_or_nothing) {
  MadeVocabulary made = words();
  BOOST_TEST(encoded(made,
                     "aé\xFF"
                     "b") == "a|b");
  const Token unknown = made.add("?", test::unknown);
  BOOST_TEST(encoded(made,
                     "aé\xFF"
                     "b",
                     {.unknown = unknown}) == "a|?|?|b");
  BOOST_TEST(encoded(made,
                     "aé\xFF"
                     "b",
                     {.unknown = unknown, .fuse_unknown = true}) == "a|?|b");
  BOOST_CHECK_THROW(encoded(made, "é", {.unknown = BpeOptions::no_unknown}), Error);
  BOOST_TEST(encoded(made, "b", {.unknown = BpeOptions::no_unknown}) == "b");
  made.add("<0xC3>", test::byte);
  // All bytes of a character or none.
  BOOST_TEST(encoded(made, "é", {.unknown = unknown, .byte_fallback = true}) == "?");
  made.add("<0xA9>", test::byte);
  made.add("<0x00>", test::byte);
  const std::string_view nul("a\0é", 4);
  BOOST_TEST(encoded(made, nul, {.byte_fallback = true}) == "a|<0x00>|<0xC3>|<0xA9>");
}

BOOST_AUTO_TEST_CASE(what_is_left_out_does_not_keep_its_neighbours_apart) {
  MadeVocabulary made = words();
  made.merges = {"a b"};
  BOOST_TEST(encoded(made, "aéb") == "ab");
}

BOOST_AUTO_TEST_CASE(the_first_and_the_last_character_may_be_spelled_in_their_own_way) {
  MadeVocabulary made;
  for (const char* text : {"a", "##a", "##b</w>", "a</w>", "ab</w>", "##ab</w>"}) made.add(text);
  BpeOptions options{.continuing_subword_prefix = "##", .end_of_word_suffix = "</w>"};
  BOOST_TEST(encoded(made, "a", options) == "a</w>");
  BOOST_TEST(encoded(made, "aab", options) == "a|##a|##b</w>");
}

BOOST_AUTO_TEST_CASE(a_whole_piece_may_be_taken_without_merges) {
  MadeVocabulary made = words();
  BOOST_TEST(encoded(made, "ab", {.ignore_merges = true}) == "ab");
  BOOST_TEST(encoded(made, "aba", {.ignore_merges = true}) == "a|b|a");
  made.types[3] = test::control;
  BOOST_TEST(encoded(made, "ab", {.ignore_merges = true}) == "a|b");
}

BOOST_AUTO_TEST_SUITE_END()
