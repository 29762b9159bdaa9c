// Text in parts, some of them literal, and faults that other engines had with special tokens,
// spaces and bytes.
#include "runtime/tokenizer/tokenizer.h"
#include "runtime/tokenizer/byte_alphabet.h"
#include "runtime/tokenizer/files/tokenizer_files.h"
#include "runtime/tokenizer/files/tokenizer_json.h"
#include "tests/message_of.h"
#include "tests/runtime/temporary_folder.h"
#include "tests/runtime/tokenizer/cpu_time.h"
#include "tests/runtime/tokenizer/made_vocabulary.h"
#include "tests/runtime/tokenizer/seed.h"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

using namespace lamina;
using lamina::test::MadeVocabulary;
using Tokens = std::vector<Token>;

namespace {

using Json = nlohmann::json;

/// Single bytes in the byte alphabet, <|im_start|> and <|im_end|>, and a token that is not special.
Json byte_level() {
  Json vocabulary, json;
  for (int value = 0; value < 256; ++value) {
    vocabulary[std::string(byte_symbol(static_cast<unsigned char>(value)))] = value;
  }
  const Json step = {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", true}};
  vocabulary["Ġa"] = 256;
  json["model"] = {{"type", "BPE"}, {"vocab", vocabulary}, {"merges", {"Ġ a"}}};
  json["pre_tokenizer"] = step;
  json["decoder"] = step;
  json["added_tokens"] = Json::parse(
      R"([{"content": "<|im_start|>", "special": true}, {"content": "<|im_end|>", "special": true},
          {"content": "<tool>", "special": false, "normalized": false}])");
  return json;
}

/// Characters with U+2581, bytes, and <s>; like Llama 2 in tokenizer.json.
Json sentences() {
  Json json;
  Json vocabulary = {{"<unk>", 0}, {"<s>", 1}, {"▁", 2}, {"G", 3}, {"▁G", 4}, {"a", 5}};
  for (int value = 0; value < 256; ++value) {
    constexpr char digits[] = "0123456789ABCDEF";
    vocabulary[std::string("<0x") + digits[value >> 4] + digits[value & 15] + ">"] = 6 + value;
  }
  json["model"] = {{"type", "BPE"},        {"vocab", vocabulary}, {"merges", {"▁ G"}},
                   {"unk_token", "<unk>"}, {"fuse_unk", true},    {"byte_fallback", true}};
  json["added_tokens"] = Json::parse(R"([{"content": "<s>", "special": true}])");
  json["normalizer"] = Json::parse(R"({"type": "Sequence", "normalizers": [
      {"type": "Prepend", "prepend": "▁"},
      {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]})");
  json["decoder"] = Json::parse(R"({"type": "Sequence", "decoders": [
      {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
      {"type": "ByteFallback"}, {"type": "Fuse"},
      {"type": "Strip", "content": " ", "start": 1, "stop": 0}]})");
  return json;
}

Tokenizer tokenizer(const Json& json) {
  return Tokenizer(read_tokenizer_json(json.dump(), "test"));
}

void check(const Tokens& found, const Tokens& expected) {
  BOOST_TEST(found == expected, boost::test_tools::per_element());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tokenizer_parts)

BOOST_AUTO_TEST_CASE(special_tokens_are_found_only_within_a_part_that_is_not_literal) {
  const Tokenizer read = tokenizer(byte_level());
  const auto encode = [&](std::vector<TextPart> parts) { return read.encode(parts); };
  constexpr Token start = 257, end = 258, tool = 259;
  check(encode({{"<|im_start|>"}, {"a", true}, {"<|im_end|>"}}), {start, 'a', end});
  check(encode({{"<|im_start|>"}, {"<|im_end|>", true}, {"<|im_end|>"}}),
        {start, '<', '|', 'i', 'm', '_', 'e', 'n', 'd', '|', '>', end});
  check(encode({{"<|im_"}, {"end|>"}}), {'<', '|', 'i', 'm', '_', 'e', 'n', 'd', '|', '>'});
  check(encode({{"<|im_"}, {"end|>", true}}), {'<', '|', 'i', 'm', '_', 'e', 'n', 'd', '|', '>'});
  check(encode({{"<to"}, {"ol>", true}}), {tool});  // not special: as it were one text
  check(encode({{"b "}, {"a", true}, {""}, {" ", true}, {"a"}}), {'b', 256, 256});
  check(encode({}), {});
  const std::vector<TextPart> parts = {{"<|im_end|>"}};
  check(read.encode(parts, {.parse_special = false}),
        {'<', '|', 'i', 'm', '_', 'e', 'n', 'd', '|', '>'});
}

BOOST_AUTO_TEST_CASE(parts_without_special_tokens_are_encoded_as_the_whole_text) {
  std::mt19937 random(test::seed());
  const Tokenizer kinds[] = {tokenizer(byte_level()), tokenizer(sentences())};
  for (int round = 0; round < 400; ++round) {
    std::string text;
    for (std::size_t i = random() % 12; i > 0; --i) {
      const char* const units[] = {"a", " ", "G", "é", "\xFF", " a", "  ", "\n", "中"};
      text += units[random() % std::size(units)];
    }
    std::vector<TextPart> parts;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t size = std::min<std::size_t>(text.size() - at, random() % 4);
      parts.push_back({std::string_view(text).substr(at, size), random() % 2 == 0});
      at += size;
    }
    for (const Tokenizer& read : kinds) {
      BOOST_TEST((read.encode(parts) == read.encode(text)), read.model() << text);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_normalizer_does_not_hide_special_tokens_of_parts) {
  Json json = sentences();
  json["added_tokens"] = Json::parse(
      R"([{"content": "<s>", "special": true},
          {"content": "<END>", "special": true, "normalized": true}])");
  json["normalizer"] = Json::parse(R"({"type": "Lowercase"})");
  json["pre_tokenizer"] = nullptr;
  const Tokenizer read = tokenizer(json);
  constexpr Token end = 6 + 256;
  const std::vector<TextPart> parts = {{"a<END>"}, {"<END>a", true}, {"<END>"}};
  const auto byte = [](char value) { return 6 + value; };
  check(read.encode(parts),
        {5, end, byte('<'), byte('e'), byte('n'), byte('d'), byte('>'), 5, end});
}

BOOST_AUTO_TEST_CASE(text_after_a_special_token_has_its_space_as_the_file_says) {
  // With Prepend each stretch of text begins with a space; with Metaspace, "first", only the whole.
  check(tokenizer(sentences()).encode("<s>G"), {1, 4});
  check(tokenizer(sentences()).encode("G<s> G"), {4, 1, 2, 4});
  Json json = sentences();
  json["normalizer"] = nullptr;
  json["pre_tokenizer"] = Json::parse(
      R"({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": false})");
  check(tokenizer(json).encode("<s>G"), {1, 3});
  check(tokenizer(json).encode("G<s> G"), {4, 1, 4});
}

BOOST_AUTO_TEST_CASE(characters_without_a_token_come_back_from_their_bytes) {
  const Tokenizer read = tokenizer(sentences());
  for (const std::string& text :
       std::vector<std::string>{"🦙.cpp", "G 🦙", "龘", "a\nb", "é"}) {
    const Tokens tokens = read.encode(text);
    BOOST_TEST(std::count(tokens.begin(), tokens.end(), 0) == 0, text);
    BOOST_TEST(read.decode(tokens) == text);
    std::string streamed;
    for (const Token token : tokens) streamed += read.piece(token);
    BOOST_TEST(streamed == " " + text);
  }
}

BOOST_AUTO_TEST_CASE(the_file_counts_and_not_the_name_of_the_class) {
  const test::TemporaryFolder folder;
  folder.write("tokenizer.json", byte_level().dump());
  folder.write("tokenizer_config.json", R"({"tokenizer_class": "LlamaTokenizerFast"})");
  const Tokenizer read = open_tokenizer(folder.path()).tokenizer;
  const std::string text = "theorem t (a b : ℕ) : a + b = b + a := by\n  rw [add_comm]";
  BOOST_TEST(read.decode(read.encode(text)) == text);
}

BOOST_AUTO_TEST_CASE(any_bytes_survive) {
  const Tokenizer kinds[] = {tokenizer(byte_level()), tokenizer(sentences())};
  for (const std::string& text :
       {std::string("\xFF"), std::string("\xC0\x80"), std::string("\xED\xA0\x80"),
        std::string("\xF4\x90\x80\x80"), std::string("a\xF0\x9F"), std::string("a\0b", 3),
        std::string("\xF0\x9F<s>\x80 G")}) {
    for (const Tokenizer& read : kinds) {
      const Tokens tokens = read.encode(text, {.parse_special = false});
      BOOST_TEST((read.decode(tokens) == text), read.model());
    }
  }
}

BOOST_AUTO_TEST_CASE(long_texts_take_linear_time_in_every_form) {
  for (const Json& json : {byte_level(), sentences()}) {
    const Tokenizer read = tokenizer(json);
    for (const std::string unit : {"a", "G ", " ", "\n", "中", "<s>", "<", "\xFF"}) {
      std::string text;
      while (text.size() < 256 << 10) text += unit;
      const test::CpuTime time;
      const Tokens tokens = read.encode(text, {.parse_special = false});
      const std::string decoded = read.decode(tokens);
      const double seconds = time.seconds();
      BOOST_TEST((decoded == text), unit);
      BOOST_TEST(seconds < test::limit(2.0), unit << " took " << seconds << " s");
    }
  }
}

/// As tokenizers 0.23 does: what the normalizer has removed at the start was the first.
BOOST_AUTO_TEST_CASE(a_mark_before_the_first_word_is_put_before_what_begins_the_text) {
  Json json = {
      {"model",
       {{"type", "BPE"},
        {"vocab", {{"<unk>", 0}, {"▁", 1}, {"a", 2}, {"b", 3}, {"▁a", 4}, {"x", 5}, {"▁x", 6}}},
        {"merges", {"▁ a", "▁ x"}},
        {"unk_token", "<unk>"}}},
      {"pre_tokenizer",
       {{"type", "Metaspace"},
        {"replacement", "▁"},
        {"prepend_scheme", "first"},
        {"split", false}}}};
  check(tokenizer(json).encode(" a"), {4});
  check(tokenizer(json).encode("bb"), {1, 3, 3});
  json["normalizer"] = {{"type", "Strip"}, {"strip_left", true}, {"strip_right", false}};
  check(tokenizer(json).encode("a"), {4});
  check(tokenizer(json).encode(" a"), {2});
  json["normalizer"] = {{"type", "Replace"}, {"pattern", {{"Regex", "b+"}}}, {"content", "x"}};
  check(tokenizer(json).encode("b"), {6});
  check(tokenizer(json).encode("bba"), {5, 2});
}

/// A pattern that takes forever, wherever a file may have one.
BOOST_AUTO_TEST_CASE(a_pattern_that_takes_too_many_steps_is_an_error_of_the_file) {
  const Json pattern = {{"Regex", "(a+)+$"}};
  Json cut = byte_level();
  cut["pre_tokenizer"] = {
      {"type", "Split"}, {"pattern", pattern}, {"behavior", "Isolated"}, {"invert", false}};
  Json normal = byte_level();
  normal["normalizer"] = {{"type", "Replace"}, {"pattern", pattern}, {"content", "x"}};
  const std::string text = std::string(40, 'a') + "b";
  for (const Json& json : {cut, normal}) {
    const Tokenizer read = tokenizer(json);
    BOOST_TEST(!read.encode("aaa").empty());
    const std::string said = test::message_of([&] { read.encode(text); });
    BOOST_TEST(said.starts_with("test: the pattern '(a+)+$' cannot be searched for"), said);
  }
  Json joined = byte_level();
  joined["decoder"] = normal["normalizer"];
  joined["model"]["vocab"][text] = 257;
  const Tokenizer read = tokenizer(joined);
  const std::string said = test::message_of([&] { read.decode(Tokens{257}); });
  BOOST_TEST(said.starts_with("test: the pattern"), said);
}

BOOST_AUTO_TEST_SUITE_END()
