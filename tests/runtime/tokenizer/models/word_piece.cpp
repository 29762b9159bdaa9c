// Words spelled by tokens, and whole words; the comparison with tokenizers is in
// tokenizers_models.cpp.
// Covers runtime/tokenizer/models/word_level.h.
#include "runtime/tokenizer/models/word_piece.h"

#include "lamina/core/error.h"
#include "runtime/tokenizer/models/word_level.h"
#include "tests/runtime/tokenizer/cpu_time.h"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>
#include <vector>

using namespace lamina;
using Tokens = std::vector<Token>;

namespace {

Vocabulary vocabulary_of(const std::vector<std::string_view>& texts) {
  return Vocabulary("test", texts, {}, {});
}

template <class Model>
Tokens encoded(const Model& model, std::string_view word) {
  Tokens out;
  model.encode(word, out);
  return out;
}

WordPieceOptions options(Token unknown, std::size_t longest = 100) {
  WordPieceOptions made;
  made.unknown = unknown;
  made.max_characters = longest;
  return made;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(word_piece)

BOOST_AUTO_TEST_CASE(the_longest_token_comes_first) {
  // The example in google-research/bert, tokenization.py.
  const auto vocabulary =
      vocabulary_of({"[UNK]", "un", "##aff", "##able", "##a", "una", "##ff", "##", "able"});
  const WordPiece model(vocabulary, vocabulary.size(), options(0));
  BOOST_TEST(encoded(model, "unaffable") == (Tokens{5, 6, 3}), boost::test_tools::per_element());
  BOOST_TEST(encoded(model, "unable") == Tokens{0}, boost::test_tools::per_element());  // una + bl
  BOOST_TEST(encoded(model, "able") == Tokens{8}, boost::test_tools::per_element());
  BOOST_TEST(encoded(model, "ff") == Tokens{0}, boost::test_tools::per_element());
  BOOST_TEST(encoded(model, "##ff") == Tokens{6}, boost::test_tools::per_element());
  BOOST_TEST(encoded(model, "").empty());
}

BOOST_AUTO_TEST_CASE(in_gguf_the_beginning_is_marked) {
  const auto vocabulary = vocabulary_of({"[UNK]", "▁un", "aff", "able", "un"});
  WordPieceOptions given = options(0);
  given.word_prefix = "▁";
  given.continuing_subword_prefix = "";
  const WordPiece model(vocabulary, vocabulary.size(), given);
  BOOST_TEST(encoded(model, "unaffable") == (Tokens{1, 2, 3}), boost::test_tools::per_element());
  BOOST_TEST(encoded(model, "unun") == (Tokens{1, 4}), boost::test_tools::per_element());
  BOOST_TEST(encoded(model, "able") == Tokens{0}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_word_of_too_many_characters_is_unknown) {
  const auto vocabulary = vocabulary_of({"[UNK]", "é", "##é"});
  const WordPiece model(vocabulary, vocabulary.size(), options(0, 3));
  BOOST_TEST(encoded(model, "ééé") == (Tokens{1, 2, 2}), boost::test_tools::per_element());
  BOOST_TEST(encoded(model, "éééé") == Tokens{0}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(tokens_beyond_the_model_are_never_found) {
  const auto vocabulary = vocabulary_of({"[UNK]", "a", "##b", "ab"});
  BOOST_TEST(encoded(WordPiece(vocabulary, 3, options(0)), "ab") == (Tokens{1, 2}),
             boost::test_tools::per_element());
  BOOST_TEST(encoded(WordLevel(vocabulary, 3, {.unknown = 0}), "ab") == Tokens{0},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(text_never_becomes_a_control_token) {
  const std::vector<std::string_view> texts{"[UNK]", "a", "##b", "ab"};
  const Vocabulary vocabulary(
      "test", texts, {TokenType::normal, TokenType::normal, TokenType::normal, TokenType::control},
      {});
  BOOST_TEST(encoded(WordPiece(vocabulary, 4, options(0)), "ab") == (Tokens{1, 2}),
             boost::test_tools::per_element());
  BOOST_TEST(encoded(WordLevel(vocabulary, 4, {.unknown = 0}), "ab") == Tokens{0},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(without_an_unknown_token_it_is_an_error) {
  const auto vocabulary = vocabulary_of({"a"});
  BOOST_CHECK_THROW(encoded(WordPiece(vocabulary, 1, options(-1)), "ab"), Error);
  BOOST_CHECK_THROW(encoded(WordLevel(vocabulary, 1, {}), "b"), Error);
}

BOOST_AUTO_TEST_CASE(a_whole_word_is_one_token) {
  const auto vocabulary = vocabulary_of({"<unk>", "a", "ab"});
  const WordLevel model(vocabulary, vocabulary.size(), {.unknown = 0});
  BOOST_TEST(encoded(model, "ab") == Tokens{2}, boost::test_tools::per_element());
  BOOST_TEST(encoded(model, "aab") == Tokens{0}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(unknown_words_side_by_side_may_be_one) {
  const auto vocabulary = vocabulary_of({"<unk>", "a"});
  for (const bool fuse : {false, true}) {
    const WordLevel model(vocabulary, vocabulary.size(), {.unknown = 0, .fuse_unknown = fuse});
    Tokens out;
    for (const char* word : {"x", "y", "a", "z"}) model.encode(word, out);
    BOOST_TEST(out == (fuse ? Tokens{0, 1, 0} : Tokens{0, 0, 1, 0}),
               boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(a_long_word_takes_linear_time) {
  const auto vocabulary = vocabulary_of({"[UNK]", "a", "##a", "##aaaaaaaa"});
  const std::string word(1 << 20, 'a');
  const test::CpuTime time;
  const WordPiece model(vocabulary, vocabulary.size(), options(0, word.size()));
  BOOST_TEST(encoded(model, word).size() > word.size() / 8);
  BOOST_TEST(time.seconds() < test::limit(1.0));
}

BOOST_AUTO_TEST_SUITE_END()
