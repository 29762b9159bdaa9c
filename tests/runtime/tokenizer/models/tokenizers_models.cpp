// Unigram, WordPiece and WordLevel against the PyPI package `tokenizers`, on random vocabularies.
//
// Runs where $LAMINA_PYTHON (default: python3) can import it.
#include "runtime/tokenizer/models/unigram.h"
#include "runtime/tokenizer/vocabulary.h"
#include "runtime/tokenizer/models/word_level.h"
#include "runtime/tokenizer/models/word_piece.h"
#include "tests/runtime/tokenizer/python_oracle.h"

#include <boost/test/unit_test.hpp>

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

using namespace lamina;

namespace {

/// One case of models_oracle.py.
struct Case {
  std::string name;
  Token unknown = -1;
  bool byte_fallback = false;
  std::size_t longest = 0;
  std::vector<double> scores;
  Vocabulary vocabulary;
};

Case read_case(test::PythonOracle& oracle) {
  Case made;
  made.name = oracle.text();
  made.unknown = static_cast<Token>(oracle.number());
  made.byte_fallback = oracle.number() != 0;
  made.longest = oracle.number();
  std::vector<std::string> texts(oracle.number());
  std::vector<TokenType> types;
  for (std::string& text : texts) {
    text = oracle.text();
    made.scores.push_back(oracle.score());
    const bool byte = made.byte_fallback && text.starts_with("<0x");
    types.push_back(byte ? TokenType::byte : TokenType::normal);
  }
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  made.vocabulary = Vocabulary("test", views, std::move(types), {});
  return made;
}

std::function<void(std::string_view, std::vector<Token>&)> model_of(const Case& made) {
  const Vocabulary& vocabulary = made.vocabulary;
  const auto encoder = [](auto model) {
    return [model = std::move(model)](std::string_view text, std::vector<Token>& out) {
      model.encode(text, out);
    };
  };
  if (made.name == "unigram") {
    return encoder(Unigram(vocabulary, made.scores,
                           {made.unknown, made.byte_fallback, UnigramRules::tokenizers}));
  }
  if (made.name == "word_piece") {
    WordPieceOptions options;
    options.unknown = made.unknown;
    options.max_characters = made.longest;
    return encoder(WordPiece(vocabulary, vocabulary.size(), options));
  }
  BOOST_TEST_REQUIRE(made.name == "word_level");
  return encoder(WordLevel(vocabulary, vocabulary.size(), {.unknown = made.unknown}));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tokenizers_models)

BOOST_AUTO_TEST_CASE(tokens_equal_those_of_tokenizers) {
  auto oracle = test::python_oracle("models_oracle.py", "tokenizers");
  if (!oracle) return;
  const std::uint32_t cases = oracle->number();
  BOOST_TEST(cases >= 8U);
  for (std::uint32_t i = 0; i < cases; ++i) {
    const Case made = read_case(*oracle);
    const auto encode = model_of(made);
    const std::uint32_t texts = oracle->number();
    BOOST_TEST(texts > 1000U);
    int wrong = 0;
    for (std::uint32_t t = 0; t < texts; ++t) {
      const std::string text = oracle->text();
      std::vector<Token> found;
      encode(text, found);
      if (found == oracle->tokens()) continue;
      if (++wrong <= 3) BOOST_TEST_MESSAGE(made.name << ": " << text.substr(0, 200));
    }
    BOOST_TEST(wrong == 0, made.name << ", case " << i << ": " << wrong << " texts differ");
  }
  BOOST_TEST(oracle->at_end());
}

BOOST_AUTO_TEST_SUITE_END()
