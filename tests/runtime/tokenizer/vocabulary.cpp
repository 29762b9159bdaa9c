// Vocabularies: reading, finding, and everything that may be wrong with one.
// Covers runtime/tokenizer/token_texts.h.
#include "runtime/tokenizer/vocabulary.h"

#include "lamina/core/error.h"
#include "tests/message_of.h"
#include "tests/runtime/tokenizer/made_vocabulary.h"
#include "tests/runtime/tokenizer/seed.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

using namespace lamina;
using lamina::test::MadeVocabulary;

namespace {

/// The message with which reading fails.
std::string refusal(const Metadata& metadata) {
  return test::message_of([&] { Vocabulary read(metadata); });
}

MadeVocabulary letters() {
  MadeVocabulary made;
  for (const char* text : {"a", "b", "c"}) made.add(text);
  return made;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(vocabulary)

BOOST_AUTO_TEST_CASE(texts_are_found_as_a_map_finds_them) {
  std::mt19937 random(test::seed());
  std::vector<std::string> texts;
  std::unordered_map<std::string, Token> expected;
  while (texts.size() < 5000) {
    std::string text(random() % 20, ' ');
    for (char& letter : text) letter = static_cast<char>(random() % 4);  // NUL among them
    if (text.empty() || expected.contains(text)) continue;
    expected[text] = static_cast<Token>(texts.size());
    texts.push_back(text);
  }
  const TokenTexts read(std::vector<std::string_view>(texts.begin(), texts.end()));
  BOOST_TEST(read.size() == 5000);
  std::vector<std::string> asked = texts;
  for (const std::string& text : texts) asked.push_back(text + "x");
  for (const std::string& text : texts) asked.push_back(text.substr(1));
  asked.emplace_back();
  std::vector<Token> together(asked.size());
  read.find(std::vector<std::string_view>(asked.begin(), asked.end()), together);
  int wrong = 0;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const auto found = expected.find(asked[i]);
    const Token token = found == expected.end() ? -1 : found->second;
    wrong += read.find(asked[i]) != token || together[i] != token;
    if (token >= 0) wrong += read[token] != asked[i];
  }
  BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_CASE(tokens_are_found_by_text_and_type) {
  MadeVocabulary made = letters();
  made.add("<s>", test::control);
  made.add("<unk>", test::unknown);
  made.add("<tool>", test::user_defined);
  made.add("spare", test::unused);
  made.add("undefined", 0);
  made.add("");
  made.add("");  // empty texts may recur: they are never found
  made.add_byte_tokens();
  const Vocabulary read(made.metadata("llama"));
  BOOST_TEST(read.size() == 10 + 256);
  BOOST_TEST(read.find("b") == 1);
  BOOST_TEST(read.find("") == -1);
  BOOST_TEST(read.find("<s>") == 3);
  BOOST_TEST(read.find_ordinary("<s>") == -1);
  BOOST_TEST(read.find_ordinary("<unk>") == -1);
  BOOST_TEST(read.find_ordinary("<tool>") == 5);
  BOOST_TEST(read.find_ordinary("spare") == 6);
  BOOST_TEST(read.find_ordinary("undefined") == 7);
  BOOST_TEST(read.find_ordinary("<0x41>") == -1);
  BOOST_TEST(read.byte_token(0x41) == 10 + 0x41);
  BOOST_TEST(read.byte_of(10 + 0xFE) == 0xFE);
}

BOOST_AUTO_TEST_CASE(long_texts_and_nul_are_kept) {
  MadeVocabulary made = letters();
  const std::string nul("a\0b", 3);
  const Token with_nul = made.add(nul);
  const Token long_one = made.add(std::string(4 << 20, 'x'));
  const Vocabulary read(made.metadata("gpt2"));
  BOOST_TEST(read.find(nul) == with_nul);
  BOOST_TEST(read.find(std::string(4 << 20, 'x')) == long_one);
  BOOST_TEST(read.find(std::string(100 << 10, 'x')) == -1);
}

BOOST_AUTO_TEST_CASE(byte_tokens_have_exactly_two_hexadecimal_digits) {
  for (const char* text : {"<0x-1>", "<0x-F>", "<0xZZ>", "<0x 1>", "<0x1>", "<0x+1>", "<0x001>",
                           "<0x>", "0x01", "<0x1g>", "<0X01>", "<0x01", ""}) {
    MadeVocabulary made = letters();
    made.add(text, test::byte);
    const std::string message = refusal(made.metadata("llama"));
    BOOST_TEST(test::contains(message, "tokenizer.ggml.tokens"), message);
    BOOST_TEST(test::contains(message, "byte token 3"), message);
  }
  MadeVocabulary twice = letters();
  twice.add("<0x0a>", test::byte);
  twice.add("<0x0A>", test::byte);
  BOOST_TEST(
      test::contains(refusal(twice.metadata("llama")), "two tokens for the byte 0x0a, 3 and 4"));
}

BOOST_AUTO_TEST_CASE(of_tokens_with_one_text_the_lowest_is_found) {
  MadeVocabulary made = letters();
  made.add("b");
  const Vocabulary read(made.metadata("gpt2"));
  BOOST_TEST(read.find("b") == 1);
  BOOST_TEST(read.text(1) == "b");
  BOOST_TEST(read.text(3) == "b");
}

BOOST_AUTO_TEST_CASE(plain_data_is_checked_like_a_file) {
  const std::vector<std::string_view> texts = {"a", "<0x0A>", ""};
  const auto refused = [&](std::vector<TokenType> types, std::vector<float> scores) {
    try {
      Vocabulary("there.json", texts, std::move(types), std::move(scores));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const Vocabulary plain("there.json", texts, {}, {});
  BOOST_TEST(plain.size() == 3);
  BOOST_TEST(plain.scores().empty());
  BOOST_TEST(plain.find_ordinary("<0x0A>") == 1);
  BOOST_TEST(plain.find("") == -1);
  using enum TokenType;
  BOOST_TEST(Vocabulary("there.json", texts, {normal, byte, unused}, {}).byte_token(10) == 1);
  BOOST_TEST(
      test::contains(refused({normal, normal}, {}), "there.json: the list of token types has 2"));
  BOOST_TEST(test::contains(refused({}, {1.0F}), "there.json: the list of scores has 1"));
  BOOST_TEST(test::contains(refused({byte, normal, normal}, {}), "spells byte token 0 as 'a'"));
  BOOST_CHECK_THROW(Vocabulary("there.json", {}, {}, {}), Error);
}

BOOST_AUTO_TEST_CASE(arrays_of_other_lengths_or_values_are_refused_by_key) {
  for (const int difference : {-1, 1}) {
    MadeVocabulary types = letters();
    types.types.resize(static_cast<std::size_t>(3 + difference), 1);
    BOOST_TEST(test::contains(refusal(types.metadata("llama")), "tokenizer.ggml.token_type has"));
    MadeVocabulary scores = letters();
    scores.scores.resize(static_cast<std::size_t>(3 + difference));
    BOOST_TEST(test::contains(refusal(scores.metadata("llama")), "tokenizer.ggml.scores has"));
  }
  for (const std::int32_t type : {-1, 7, 1 << 30}) {
    MadeVocabulary made = letters();
    made.types[1] = type;
    BOOST_TEST(
        test::contains(refusal(made.metadata("llama")), "tokenizer.ggml.token_type gives token 1"));
  }
  MadeVocabulary made = letters();
  made.scores[2] = std::nanf("");
  BOOST_TEST(
      test::contains(refusal(made.metadata("llama")), "tokenizer.ggml.scores gives token 2"));
}

BOOST_AUTO_TEST_CASE(missing_empty_or_mistyped_tokens_are_refused_by_key) {
  Metadata metadata = letters().metadata("llama");
  BOOST_TEST(test::contains(refusal(Metadata({{"tokenizer.ggml.model", "llama"}})),
                            "tokenizer.ggml.tokens"));
  metadata.set("tokenizer.ggml.tokens", std::vector<std::string>{});
  BOOST_TEST(test::contains(refusal(metadata), "tokenizer.ggml.tokens is empty"));
  metadata.set("tokenizer.ggml.tokens", std::vector<std::int32_t>{1, 2, 3});
  BOOST_TEST(test::contains(refusal(metadata), "tokenizer.ggml.tokens"));
  metadata = letters().metadata("llama");
  metadata.set("tokenizer.ggml.token_type", std::vector<float>{1, 1, 1});
  BOOST_TEST(test::contains(refusal(metadata), "tokenizer.ggml.token_type"));
}

BOOST_AUTO_TEST_CASE(a_key_names_a_token_or_is_refused) {
  Metadata metadata = letters().metadata("llama");
  const Vocabulary read(metadata);
  BOOST_TEST(!read.token_of_key(metadata, "tokenizer.ggml.eot_token_id").has_value());
  metadata.set("tokenizer.ggml.eot_token_id", 2U);
  BOOST_TEST(read.token_of_key(metadata, "tokenizer.ggml.eot_token_id").value() == 2);
  for (const std::int64_t wrong : {std::int64_t{3}, std::int64_t{-1}, std::int64_t{0xFFFFFFFF}}) {
    metadata.set("tokenizer.ggml.eot_token_id", wrong);
    BOOST_CHECK_EXCEPTION(read.token_of_key(metadata, "tokenizer.ggml.eot_token_id"), Error,
                          [](const Error& error) {
                            return test::contains(error.what(), "tokenizer.ggml.eot_token_id is");
                          });
  }
}

BOOST_AUTO_TEST_SUITE_END()
