// Tables and lists of tokens, with pieces that are no text and tokens that are special.
#include "runtime/tools/token_table.h"

#include "runtime/tokenizer/definition.h"
#include "runtime/tokenizer/files/tokenizer_json.h"
#include "tests/runtime/prompt/byte_tokenizer.h"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

namespace lamina {
namespace {

const std::string text = "a \xC3\xA9<|im_end|>";

BOOST_AUTO_TEST_SUITE(token_table_)

BOOST_AUTO_TEST_CASE(a_line_a_token) {
  const Tokenizer tokenizer = test::byte_tokenizer();
  const std::vector<Token> tokens = tokenizer.encode(text);
  BOOST_TEST(token_table(tokenizer, tokens, false) ==
             "     256  <s>  (special)\n      97  a\n      32  \u2423\n     195  \\xC3\n"
             "     169  \\xA9\n     258  <|im_end|>  (special)\n");
  const std::vector<Token> two = {97, 98, 99};
  BOOST_TEST(token_table(tokenizer, two, true) ==
             "      97  \x1b[30;46ma\x1b[0m\n      98  \x1b[30;43mb\x1b[0m\n"
             "      99  \x1b[30;46mc\x1b[0m\n");
}

/// Decoding words puts blanks between them, but a special token has none of its own.
BOOST_AUTO_TEST_CASE(a_special_token_is_shown_as_it_is_spelled) {
  const Tokenizer tokenizer(read_tokenizer_json(
      R"({"model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                    "max_input_chars_per_word": 100,
                    "vocab": {"[UNK]": 0, "a": 1, "##b": 2}},
          "added_tokens": [{"id": 0, "content": "[UNK]", "special": true}],
          "pre_tokenizer": {"type": "BertPreTokenizer"},
          "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": false}})",
      "there.json"));
  const std::vector<Token> tokens = tokenizer.encode("ab x");
  BOOST_TEST(token_table(tokenizer, tokens, false) ==
             "       1  \u2423a\n       2  b\n       0  [UNK]  (special)\n");
  BOOST_TEST(token_list(tokenizer, tokens)[2].dump() ==
             R"({"id":0,"text":"[UNK]","special":true})");
}

BOOST_AUTO_TEST_CASE(as_json) {
  const Tokenizer tokenizer = test::byte_tokenizer();
  BOOST_TEST(token_list(tokenizer, tokenizer.encode(text, {.add_special = false})).dump() ==
             R"([{"id":97,"text":"a","special":false},{"id":32,"text":" ","special":false},)"
             R"({"id":195,"bytes":[195],"special":false},{"id":169,"bytes":[169],"special":false},)"
             R"({"id":258,"text":"<|im_end|>","special":true}])");
  BOOST_TEST(counts_json(count_text("a bc"), 6).dump() ==
             R"({"tokens":6,"characters":4,"bytes":4,"words":2,"tokens_per_word":3.0,)"
             R"("bytes_per_token":0.6666666666666666})");
  BOOST_TEST(counts_line(count_text("a bc"), 6) ==
             "6 tokens, 4 characters, 4 bytes, 2 words: 3.00 tokens a word, 0.67 bytes a token\n");
  BOOST_TEST(counts_line(count_text("a"), 1) ==
             "1 token, 1 character, 1 byte, 1 word: 1.00 tokens a word, 1.00 bytes a token\n");
  BOOST_TEST(counts_line({}, 0) ==
             "0 tokens, 0 characters, 0 bytes, 0 words: 0.00 tokens a word, 0.00 bytes a token\n");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
