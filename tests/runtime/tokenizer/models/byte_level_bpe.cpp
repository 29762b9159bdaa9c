// Byte-level encoding by hand-made merges.
#include "runtime/tokenizer/models/byte_level_bpe.h"

#include "runtime/tokenizer/byte_alphabet.h"
#include "runtime/gguf_files.h"
#include "runtime/tokenizer/tokenizer.h"
#include "tests/runtime/tokenizer/cpu_time.h"
#include "tests/runtime/tokenizer/made_vocabulary.h"
#include "tests/runtime/tokenizer/seed.h"
#include "tests/shared_data.h"
#include "tests/skip.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <random>
#include <span>
#include <string>
#include <utility>
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
        bpe(vocabulary, MergeTable(read_merges(metadata, vocabulary)),
            PreTokenizer(pre_tokenizer_preset(pre).passes), pre_tokenizer_preset(pre).whole_words) {
  }

  std::vector<Token> encode(std::string_view text) const {
    std::vector<Token> tokens;
    bpe.encode(text, tokens);
    return tokens;
  }
  std::string decode(const std::vector<Token>& tokens) const {
    return Tokenizer::from_metadata(metadata).decode(tokens);
  }
};

/// Byte-pair encoding by its definition: all pairs are looked at before each merge.
class Definition {
 public:
  Definition(const Vocabulary& vocabulary, std::span<const PairMerge> merges) {
    for (const PairMerge& merge : merges) rules_[{merge.left, merge.right}] = merge;
    for (unsigned byte = 0; byte < 256; ++byte) {
      const Token token = vocabulary.find(byte_symbol(static_cast<unsigned char>(byte)));
      const bool added = token >= 0 && vocabulary.type(token) == TokenType::user_defined;
      bytes_[byte] = added ? -1 : token;
    }
  }

  std::vector<Token> encode(std::string_view piece) const {
    std::vector<Token> tokens;
    for (const char byte : piece) tokens.push_back(bytes_[static_cast<unsigned char>(byte)]);
    for (;;) {
      std::size_t best = tokens.size();
      const PairMerge* merge = nullptr;
      for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        const auto found = rules_.find({tokens[i], tokens[i + 1]});
        if (found == rules_.end()) continue;
        if (merge != nullptr && merge->rank <= found->second.rank) continue;
        best = i;
        merge = &found->second;
      }
      if (merge == nullptr) break;
      tokens[best] = merge->result;
      tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(best) + 1);
    }
    std::erase(tokens, -1);
    return tokens;
  }

 private:
  std::map<std::pair<Token, Token>, PairMerge> rules_;
  std::array<Token, 256> bytes_;
};

const std::string characters[] = {"a", "b", "c", "é", "中", "文", "😀"};

/// A vocabulary of merges that were never learnt: ranks in any order, several for a token.
struct RandomMerges {
  std::vector<std::string> texts;  // as bytes
  std::vector<PairMerge> merges;

  RandomMerges(std::mt19937& random, bool ascending) {
    for (const std::string& character : characters) {
      for (const char byte : character) {
        const std::string text(1, byte);
        if (number(text) < 0 && random() % 20 > 0) texts.push_back(text);
      }
    }
    for (auto count = random() % 40; count > 0 && texts.size() > 1; --count) {
      const auto any = [&] { return static_cast<Token>(random() % texts.size()); };
      const Token left = any();
      const Token right = any();
      const std::string text = at(left) + at(right);
      if (text.size() > 12) continue;
      Token result = number(text);
      if (result < 0 || !ascending) {
        if (result < 0) {
          result = static_cast<Token>(texts.size());
          texts.push_back(text);
        }
        const auto rank = ascending ? static_cast<std::uint32_t>(merges.size())
                                    : static_cast<std::uint32_t>(random() % 30);
        merges.push_back({left, right, rank, result});
      }
    }
  }

  const std::string& at(Token token) const { return texts[static_cast<std::size_t>(token)]; }
  Token number(const std::string& text) const {
    const auto found = std::find(texts.begin(), texts.end(), text);
    return found == texts.end() ? -1 : static_cast<Token>(found - texts.begin());
  }
  Vocabulary vocabulary() const {
    MadeVocabulary made;
    for (const std::string& text : texts) {
      std::string spelling;
      append_spelled(spelling, text);
      made.add(spelling);
    }
    return Vocabulary(made.metadata("gpt2"));
  }
};

std::string random_piece(std::mt19937& random, std::size_t most) {
  std::string piece;
  for (auto count = 1 + random() % most; count > 0; --count) {
    piece += random() % 30 == 0 ? "\xE4" : characters[random() % std::size(characters)];
  }
  return piece;
}

const std::vector<std::string> one_piece;  // no pattern cuts

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

/// However long it is, and though no merges make it.
BOOST_AUTO_TEST_CASE(a_whole_piece_is_looked_up_up_to_the_longest_token) {
  Bytes made;
  const std::string longest(300, 'a');
  const std::string with_space = " " + std::string(160, 'b');
  const Token first = made.add(longest);
  const Token second = made.add("Ġ" + std::string(160, 'b'));
  const Model model(made, "llama-bpe");
  BOOST_TEST(model.encode(longest) == std::vector<Token>{first}, boost::test_tools::per_element());
  BOOST_TEST(model.encode(longest + with_space) == (std::vector<Token>{first, second}),
             boost::test_tools::per_element());
  for (const std::size_t size : {127u, 128u, 129u, 299u, 301u, 600u}) {
    BOOST_TEST(model.encode(std::string(size, 'a')) == std::vector<Token>(size, 'a'),
               boost::test_tools::per_element());
  }
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

BOOST_AUTO_TEST_CASE(tokens_are_those_of_the_definition) {
  std::mt19937 random(test::seed());
  int wrong = 0;
  for (int round = 0; round < 1500; ++round) {
    const RandomMerges made(random, round % 2 == 0);
    const Vocabulary vocabulary = made.vocabulary();
    const Definition definition(vocabulary, made.merges);
    const MergeTable merges(made.merges);
    BOOST_TEST((round % 2 == 1 || merges.ascending()));
    const ByteLevelBpe bpe(vocabulary, merges, PreTokenizer(one_piece), false);
    const ByteLevelBpe whole(vocabulary, merges, PreTokenizer(one_piece), true);
    for (int i = 0; i < 20; ++i) {
      const std::string piece = random_piece(random, i < 18 ? 6 : 60);
      std::vector<Token> expected = definition.encode(piece);
      std::vector<Token> out;
      bpe.encode(piece, out);
      wrong += out != expected;
      if (const Token token = made.number(piece); token >= 0) expected = {token};
      out.clear();
      whole.encode(piece, out);
      wrong += out != expected;
    }
  }
  BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_CASE(a_character_does_not_come_first_where_its_rank_is_higher) {
  Bytes made;
  const Token e_acute = made.add("Ã©");  // é
  const Token ba = made.add("ba");
  const Token a_e_acute = made.add("aÃ©");
  const Vocabulary vocabulary(made.metadata("gpt2"));
  const auto encode = [&](std::uint32_t rank_of_e_acute) {
    const std::vector<PairMerge> merges = {
        {0xC3, 0xA9, rank_of_e_acute, e_acute}, {'b', 'a', 3, ba}, {'a', e_acute, 2, a_e_acute}};
    std::vector<Token> out;
    ByteLevelBpe(vocabulary, MergeTable(merges), PreTokenizer(one_piece), false).encode("baé", out);
    return out;
  };
  BOOST_TEST(encode(1) == (std::vector<Token>{'b', a_e_acute}), boost::test_tools::per_element());
  BOOST_TEST(encode(5) == (std::vector<Token>{ba, e_acute}), boost::test_tools::per_element());
}

/// Tokens of public vocabularies side by side: what may merge across, and what may not.
BOOST_AUTO_TEST_CASE(public_vocabularies_are_encoded_as_the_definition_says) {
  const auto data = test::shared_data();
  if (!data) return test::skip(test::no_shared_data());
  std::mt19937 random(test::seed());
  for (const char* name : {"gpt-2", "llama-bpe", "qwen2", "deepseek-coder", "falcon"}) {
    const GgufFiles file(*data / "vocab" / ("ggml-vocab-" + std::string(name) + ".gguf"));
    const Vocabulary vocabulary(file.metadata());
    const std::vector<PairMerge> merges = read_merges(file.metadata(), vocabulary);
    const Definition definition(vocabulary, merges);
    const ByteLevelBpe bpe(vocabulary, MergeTable(merges), PreTokenizer(one_piece), false);
    int wrong = 0;
    for (int i = 0; i < 4000; ++i) {
      std::string piece;
      for (auto count = 1 + random() % 5; count > 0; --count) {
        const auto token = static_cast<Token>(random() % static_cast<unsigned>(vocabulary.size()));
        append_unspelled(piece, vocabulary.text(token));
      }
      std::vector<Token> out;
      bpe.encode(piece, out);
      wrong += out != definition.encode(piece);
    }
    BOOST_TEST(wrong == 0, name << ": " << wrong << " pieces differ");
  }
}

BOOST_AUTO_TEST_CASE(a_long_piece_takes_little_more_than_linear_time) {
  std::mt19937 random(test::seed());
  const RandomMerges made(random, true);
  const Vocabulary vocabulary = made.vocabulary();
  const ByteLevelBpe bpe(vocabulary, MergeTable(made.merges), PreTokenizer(one_piece), true);
  for (const std::string& unit : {std::string("a"), std::string("ab"), std::string("中"),
                                  std::string("😀文"), std::string("\xE4")}) {
    std::string piece;
    while (piece.size() < 1000000) piece += unit;
    const test::CpuTime time;
    std::vector<Token> out;
    bpe.encode(piece, out);
    BOOST_TEST(time.seconds() < test::limit(1.5), unit << ": " << time.seconds() << " s");
  }
}

BOOST_AUTO_TEST_SUITE_END()
