// Kinds of GGUF vocabularies that the goldens do not have: bert and t5 against their own libraries,
// rwkv by trying all tokens; special tokens and templates by key.
// Covers runtime/tokenizer/files/gguf_word_vocabulary.h.
#include "runtime/tokenizer/files/gguf_tokenizer.h"

#include "lamina/core/error.h"
#include "runtime/tokenizer/tokenizer.h"
#include "tests/message_of.h"
#include "tests/runtime/tokenizer/made_vocabulary.h"
#include "tests/runtime/tokenizer/python_oracle.h"
#include "tests/runtime/tokenizer/seed.h"

#include <boost/test/unit_test.hpp>

#include <random>
#include <string>
#include <vector>

using namespace lamina;
using lamina::test::MadeVocabulary;
using Tokens = std::vector<Token>;

namespace {

MadeVocabulary read_vocabulary(test::PythonOracle& oracle) {
  MadeVocabulary made;
  for (std::uint32_t tokens = oracle.number(); tokens > 0; --tokens) {
    const std::string text = oracle.text();
    const auto type = static_cast<std::int32_t>(oracle.number());
    made.add(text, type, static_cast<float>(oracle.score()));
  }
  return made;
}

/// As a converter writes it.
std::string gguf_text(const std::string& text) {
  if (text.starts_with('[') && text.ends_with(']')) return text;
  return text.starts_with("##") ? text.substr(2) : "▁" + text;
}

void compare_texts(test::PythonOracle& oracle, const Tokenizer& tokenizer) {
  int wrong = 0;
  for (std::uint32_t texts = oracle.number(); texts > 0; --texts) {
    const std::string text = oracle.text();
    const Tokens expected = oracle.tokens();
    const Tokens found = tokenizer.encode(text);
    if (found == expected || ++wrong > 3) continue;
    BOOST_TEST(found == expected, boost::test_tools::per_element());
    BOOST_TEST_MESSAGE(text);
  }
  BOOST_TEST(wrong == 0);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(gguf_tokenizer)

BOOST_AUTO_TEST_CASE(word_piece_and_unigram_equal_their_libraries) {
  auto oracle = test::python_oracle("gguf_tokenizer_oracle.py", "tokenizers, sentencepiece");
  if (!oracle) return;
  for (const bool capitals : {false, true}) {
    BOOST_TEST_CONTEXT("capitals: " << capitals) {
      MadeVocabulary made = read_vocabulary(*oracle);
      for (std::string& token : made.tokens) token = gguf_text(token);
      Metadata metadata = made.metadata("bert");
      metadata.set("tokenizer.ggml.cls_token_id", 2U);
      metadata.set("tokenizer.ggml.seperator_token_id", 3U);
      oracle->text();
      const Tokenizer tokenizer = Tokenizer::from_metadata(metadata);
      compare_texts(*oracle, tokenizer);
      BOOST_TEST(tokenizer.decode(tokenizer.encode("the words there")) == "the words there");
    }
  }
  Metadata metadata = read_vocabulary(*oracle).metadata("t5");
  const std::string charsmap = oracle->text();
  metadata.set("tokenizer.ggml.precompiled_charsmap",
               std::vector<std::uint8_t>(charsmap.begin(), charsmap.end()));
  metadata.set("tokenizer.ggml.remove_extra_whitespaces", true);
  const Tokenizer tokenizer = Tokenizer::from_metadata(metadata);
  BOOST_TEST(tokenizer.eos() == 1);
  compare_texts(*oracle, tokenizer);
  // A character without a token is spelled by its bytes and comes back.
  BOOST_TEST(tokenizer.decode(tokenizer.encode("this is 🦙.cpp")) == "this is 🦙.cpp");
  metadata.set("tokenizer.ggml.precompiled_charsmap", std::vector<std::uint8_t>{1, 2, 3});
  BOOST_CHECK_THROW(Tokenizer::from_metadata(metadata), Error);
}

BOOST_AUTO_TEST_CASE(a_llama_needs_scores_and_types) {
  MadeVocabulary made;
  made.add("a");
  const Metadata whole = made.metadata("llama");
  for (const char* key : {"tokenizer.ggml.scores", "tokenizer.ggml.token_type"}) {
    std::vector<MetadataEntry> kept;
    for (const MetadataEntry& entry : whole.entries()) {
      if (entry.key != key) kept.push_back(entry);
    }
    const Metadata lacking("file.gguf", kept);
    const std::string said = test::message_of([&] { Tokenizer::from_metadata(lacking); });
    BOOST_TEST(test::contains(said, key), said);
  }
}

BOOST_AUTO_TEST_CASE(rwkv_takes_the_longest_token_that_fits) {
  constexpr char digits[] = "0123456789abcdef";
  MadeVocabulary made;
  made.add("<s>", test::control);
  std::vector<std::string> bytes = {""};
  for (unsigned value = 0; value < 256; ++value) {
    const char byte = static_cast<char>(value);
    std::string shown = {'\\', 'x', digits[value >> 4], digits[value & 15]};
    if (byte == '\\' || byte == '\'') shown = {'\\', byte};
    if (byte == '\n') shown = "\\n";
    if (byte >= 'a' && byte <= 'z') shown = std::string(1, byte);
    made.add(shown);
    bytes.emplace_back(1, byte);
  }
  for (const std::string text : {"ab", "abc", "bcd", "\\xe4\\xb8", "\\xe4\\xb8\\xad", "\\n\\n"}) {
    made.add(text);
  }
  for (const std::string text : {"ab", "abc", "bcd", "\xE4\xB8", "\xE4\xB8\xAD", "\n\n"}) {
    bytes.push_back(text);
  }
  const Tokenizer tokenizer = Tokenizer::from_metadata(made.metadata("rwkv"));
  std::mt19937 random(test::seed());
  for (int round = 0; round < 300; ++round) {
    std::string text;
    for (std::size_t i = random() % 20; i > 0; --i) text += bytes[random() % bytes.size()];
    Tokens expected;
    for (std::size_t at = 0; at < text.size();) {
      std::size_t best = 0;
      for (std::size_t i = 1; i < bytes.size(); ++i) {
        if (text.compare(at, bytes[i].size(), bytes[i]) != 0) continue;
        if (bytes[i].size() > bytes[best].size()) best = i;
      }
      expected.push_back(static_cast<Token>(best));
      at += bytes[best].size();
    }
    BOOST_TEST((tokenizer.encode(text) == expected));
    BOOST_TEST((tokenizer.decode(expected) == text));
  }
  made.add("\\xg0");
  BOOST_CHECK_THROW(Tokenizer::from_metadata(made.metadata("rwkv")), Error);
}

BOOST_AUTO_TEST_CASE(chat_templates_have_names) {
  Metadata metadata = MadeVocabulary().metadata("llama");
  BOOST_TEST(gguf_chat_templates(metadata).empty());
  metadata.set("tokenizer.chat_template", "one");
  metadata.set("tokenizer.chat_template.tool_use", "two");
  metadata.set("tokenizer.chat_templates", std::vector<std::string>{"tool_use"});
  const auto templates = gguf_chat_templates(metadata);
  BOOST_TEST(templates.size() == 2U);
  BOOST_TEST(templates.at("default") == "one");
  BOOST_TEST(templates.at("tool_use") == "two");
}

BOOST_AUTO_TEST_SUITE_END()
