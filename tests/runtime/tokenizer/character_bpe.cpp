// Character encoding by hand-made merges.
#include "runtime/tokenizer/character_bpe.h"

#include "tests/runtime/tokenizer/made_vocabulary.h"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace lamina;
using lamina::test::MadeVocabulary;

namespace {

std::string encoded(const MadeVocabulary& made, std::string_view text) {
  const Metadata metadata = made.metadata("gemma4");
  const Vocabulary vocabulary(metadata);
  const CharacterBpe bpe(metadata, vocabulary, -1);
  std::vector<Token> tokens;
  bpe.encode(text, tokens);
  std::string out, decoded;
  for (const Token token : tokens) {
    out += (out.empty() ? "" : "|") + std::string(vocabulary.text(token));
    if (vocabulary.type(token) == TokenType::byte) {
      decoded += static_cast<char>(vocabulary.byte_of(token));
    } else {
      bpe.decode(token, decoded);
    }
  }
  BOOST_TEST((decoded == text));
  return out;
}

MadeVocabulary words() {
  MadeVocabulary made;
  for (const char* text :
       {"a", "b", "▁", "\n", "ab", "▁a", "b▁", "\n\n", "a\n", "世", "a▁", "a▁b"}) {
    made.add(text);
  }
  made.add_byte_tokens();
  return made;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(character_bpe)

BOOST_AUTO_TEST_CASE(merges_cross_words_but_not_lines) {
  MadeVocabulary made = words();
  made.merges = {"a ▁", "a▁ b", "\n \n", "a \n", "▁ a"};
  BOOST_TEST(encoded(made, "a b") == "a▁b");
  BOOST_TEST(encoded(made, " a") == "▁a");
  BOOST_TEST(encoded(made, "a\n") == "a|\n");
  BOOST_TEST(encoded(made, "\n\n\n") == "\n\n|\n");
}

BOOST_AUTO_TEST_CASE(the_lowest_rank_merges_first) {
  MadeVocabulary made = words();
  made.merges = {"b ▁", "a b"};
  BOOST_TEST(encoded(made, "ab ") == "a|b▁");
  made.merges = {"a b", "b ▁"};
  BOOST_TEST(encoded(made, "ab ") == "ab|▁");
}

BOOST_AUTO_TEST_CASE(characters_without_token_become_their_bytes) {
  BOOST_TEST(encoded(words(), "世é\xFF") == "世|<0xC3>|<0xA9>|<0xFF>");
  BOOST_TEST(encoded(words(), std::string_view("a\0", 2)) == "a|<0x00>");
}

BOOST_AUTO_TEST_SUITE_END()
