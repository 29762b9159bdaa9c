// Byte-level encoding by hand-made merges.
#include "runtime/tokenizer/byte_level_bpe.h"

#include "runtime/tokenizer/byte_alphabet.h"
#include "tests/runtime/tokenizer/made_vocabulary.h"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace lamina;
using lamina::test::MadeVocabulary;

namespace {

struct Bytes : MadeVocabulary {
  Bytes() {
    for (int value = 0; value < 256; ++value) {
      add(std::string(byte_symbol(static_cast<unsigned char>(value))));
    }
  }
};

struct Model {
  Metadata metadata;
  Vocabulary vocabulary;
  ByteLevelBpe bpe;

  explicit Model(const MadeVocabulary& made, std::string_view pre = "gpt-2")
      : metadata(made.metadata("gpt2")),
        vocabulary(metadata),
        bpe(metadata, vocabulary, pre_tokenizer_preset(pre)) {}

  std::vector<Token> encode(std::string_view text) const {
    std::vector<Token> tokens;
    bpe.encode(text, tokens);
    return tokens;
  }
  std::string decode(const std::vector<Token>& tokens) const {
    std::string out;
    for (const Token token : tokens) bpe.decode(token, out);
    return out;
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(byte_level_bpe)

BOOST_AUTO_TEST_CASE(every_byte_is_encoded_and_decoded) {
  std::string all;
  for (int value = 0; value < 256; ++value) all += static_cast<char>(value);
  const Model model{Bytes()};
  const auto tokens = model.encode(all);
  BOOST_TEST_REQUIRE(tokens.size() == 256U);
  for (int value = 0; value < 256; ++value) {
    BOOST_TEST(tokens[static_cast<std::size_t>(value)] == value);
  }
  BOOST_TEST((model.decode(tokens) == all));
}

BOOST_AUTO_TEST_CASE(the_lowest_rank_merges_first_and_only_within_a_piece) {
  Bytes made;
  const Token bc = made.add("bc");
  const Token ab = made.add("ab");
  const Token space_a = made.add("Ġa");
  made.merges = {"b c", "a b", "Ġ a"};
  const Model model(made);
  BOOST_TEST(model.encode("abc") == (std::vector<Token>{'a', bc}),
             boost::test_tools::per_element());
  BOOST_TEST(model.encode(" ab") == (std::vector<Token>{' ', ab}),
             boost::test_tools::per_element());
  BOOST_TEST(model.encode("1 a") == (std::vector<Token>{'1', space_a}),
             boost::test_tools::per_element());
  const Token joined = made.add("1a");
  made.merges = {"1 a"};
  BOOST_TEST(Model(made).encode("1a") == (std::vector<Token>{'1', 'a'}),
             boost::test_tools::per_element());  // digits and letters are two pieces
  BOOST_TEST(Model(made).decode({joined}) == "1a");
}

BOOST_AUTO_TEST_CASE(whole_words_are_taken_only_where_the_preset_says_so) {
  Bytes made;
  const Token word = made.add("Ġword");
  const Token control = made.add("secret", test::control);
  BOOST_TEST(Model(made, "llama-bpe").encode(" word") == (std::vector<Token>{word}),
             boost::test_tools::per_element());
  BOOST_TEST(Model(made, "gpt-2").encode(" word").size() == 5U);
  BOOST_TEST(Model(made, "llama-bpe").encode("secret").size() == 6U);
  BOOST_TEST(control == word + 1);
}

BOOST_AUTO_TEST_CASE(a_byte_without_token_is_left_out) {
  MadeVocabulary made;
  made.add("a");
  made.add("b");
  made.add("ü", test::user_defined);  // spells the byte FC, but is an added token
  BOOST_TEST(Model(made).encode("a\xFC\x01"
                                "b") == (std::vector<Token>{0, 1}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(text_outside_the_alphabet_decodes_as_it_stands) {
  Bytes made;
  const Token token = made.add("<｜text｜>");
  BOOST_TEST(Model(made).decode({'a', token}) == "a<｜text｜>");
}

BOOST_AUTO_TEST_SUITE_END()
