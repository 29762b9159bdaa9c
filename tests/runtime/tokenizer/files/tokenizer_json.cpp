// tokenizer.json files against the PyPI package `tokenizers`: tokenizers like those of large
// models, and of random parts; and files that are wrong.
// Covers runtime/tokenizer/files/tokenizer_json_parts.h, runtime/tokenizer/models/text_model.h.
// Covers runtime/tokenizer/token_decoder.h, runtime/tokenizer/files/json_view.h.
// Covers runtime/tokenizer/definition.h.
#include "runtime/tokenizer/files/tokenizer_json.h"

#include "lamina/core/error.h"
#include "lamina/gguf/quoted.h"
#include "runtime/tokenizer/tokenizer.h"
#include "runtime/unicode/utf8.h"
#include "tests/runtime/tokenizer/python_oracle.h"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

using namespace lamina;
using Tokens = std::vector<Token>;

namespace {

/// With U+FFFD where `bytes` is no UTF-8, as tokenizers gives text.
std::string with_replacements(std::string_view bytes) {
  std::string out;
  while (!bytes.empty()) {
    const Utf8Part part = first_utf8_part(bytes);
    if (part.kind == Utf8Part::Kind::character) {
      out += bytes.substr(0, part.length);
    } else {
      out += "\xEF\xBF\xBD";
    }
    bytes.remove_prefix(part.length);
  }
  return out;
}

std::string_view without_outer_spaces(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

std::string shown(const Tokens& tokens) {
  std::string out;
  for (const Token token : tokens) out += std::to_string(token) + " ";
  return out.substr(0, 400);
}

/// Tokens a, b and ab.
nlohmann::json small() {
  return nlohmann::json::parse(
      R"({"model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]}})");
}

std::string refusal(const std::string& json) {
  try {
    Tokenizer(read_tokenizer_json(json, "there.json"));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// No warnings of texts that begin with the token which is put before them.
class Quiet {
 public:
  Quiet() : before_(spdlog::get_level()) { spdlog::set_level(spdlog::level::err); }
  ~Quiet() { spdlog::set_level(before_); }

 private:
  spdlog::level::level_enum before_;
};

/// Counts what differs, and shows the first few.
class Differences {
 public:
  void compare(const std::string& what, const std::string& name, const std::string& text,
               const std::string& found, const std::string& expected) {
    if (found == expected) return;
    if (++count_ > 40) return;
    BOOST_TEST_MESSAGE(name << ", " << what << " of " << lamina::quoted(text) << ":\n  "
                            << lamina::quoted(found) << "\n  " << lamina::quoted(expected));
  }
  int count() const { return count_; }

 private:
  int count_ = 0;
};

void compare_text(test::PythonOracle& oracle, const Tokenizer& tokenizer, const std::string& name,
                  Differences& differences) {
  const std::string text = oracle.text();
  const Tokens whole = oracle.tokens();
  const auto compare = [&](const std::string& what, const Tokens& found, const Tokens& expected) {
    differences.compare(what, name, text, shown(found), shown(expected));
  };
  compare("tokens", tokenizer.encode(text), whole);
  compare("plain tokens", tokenizer.encode(text, {.add_special = false}), oracle.tokens());
  const Tokens as_text = tokenizer.encode(text, {.add_special = false, .parse_special = false});
  const Tokens expected_as_text = oracle.tokens();
  // These models of tokenizers find special tokens that are the model's even in literal text.
  const bool spells_special = tokenizer.model() == "Unigram" || tokenizer.model() == "WordLevel";
  if (!spells_special) compare("tokens as text", as_text, expected_as_text);
  BOOST_TEST(std::none_of(as_text.begin(), as_text.end(),
                          [&](Token token) {
                            return tokenizer.is_special(token) &&
                                   tokenizer.text(token).starts_with("<s>");
                          }),
             name << ": " << text);
  for (const bool special : {false, true}) {
    differences.compare(special ? "decoding with special" : "decoding", name, text,
                        with_replacements(tokenizer.decode(whole, special)), oracle.text());
  }
}

// A member of the file, or of its model, what it is set to, and what the message has to say.
struct Wrong {
  const char* pointer;
  const char* value;
  const char* message;
};
const Wrong wrong_parts[] = {
    {"/model/type", R"("LSTM")", "model.type is 'LSTM', expected a model: BPE"},
    {"/model/vocab", R"({})", "model.vocab has no tokens"},
    {"/model/vocab", R"({"a": -1})", "model.vocab.a is -1, expected a token"},
    {"/model/vocab", R"({"a": 16777216})", "model.vocab.a is 16777216, expected a token"},
    {"/model/vocab", R"({"a": 1.5})", "model.vocab.a is 1.5"},
    {"/model/vocab", R"({"a": 0, "b": 0, "ab": 1})", "two texts for token 0"},
    {"/model/vocab", "null", "model has no 'vocab'"},
    {"/model/merges", R"(["a b c"])", "model.merges[0] is 'a b c', expected two texts"},
    {"/model/merges", R"([["a"]])", "model.merges[0] is an array of 1"},
    {"/model/merges", R"([["a", "a"]])", "model.merges[0] needs 'aa', which is no token"},
    {"/model/dropout", "0.1", "model.dropout is 0.1, expected 0 or null"},
    {"/model/fuse_unk", R"("yes")", "model.fuse_unk is 'yes', expected true or false"},
    {"/normalizer", R"({"type": "Rot13"})", "normalizer.type is 'Rot13', expected a normalizer"},
    {"/normalizer", R"({"type": "Sequence", "normalizers": [{"type": "NFC"}, {"type": "Strip"}]})",
     "normalizer.normalizers[1] has no 'strip_left'"},
    {"/normalizer", R"({"type": "Replace", "pattern": "a", "content": ""})",
     "normalizer.pattern is 'a', expected an object"},
    {"/normalizer", R"({"type": "Replace", "pattern": {"Regex": "("}, "content": ""})",
     "normalizer.pattern.Regex cannot be used: "},
    {"/normalizer", R"({"type": "Precompiled", "precompiled_charsmap": "AAAA"})",
     "normalizer.precompiled_charsmap is damaged: "},
    {"/normalizer", R"({"type": "Precompiled", "precompiled_charsmap": "!"})",
     "normalizer.precompiled_charsmap is no base64"},
    {"/pre_tokenizer", R"({"type": "Metaspace", "replacement": "ab"})",
     "pre_tokenizer.replacement is 'ab', expected one character"},
    {"/pre_tokenizer", R"({"type": "Split", "pattern": {"String": "a"}, "behavior": "Kept",
                           "invert": false})",
     "pre_tokenizer.behavior is 'Kept', expected Removed"},
    {"/pre_tokenizer", R"({"type": "Lua"})", "pre_tokenizer.type is 'Lua'"},
    {"/pre_tokenizer", R"([])", "pre_tokenizer is an array of 0 elements, expected an object"},
    {"/decoder", R"({"type": "Strip", "content": " ", "start": -1, "stop": 0})",
     "decoder.start is -1, expected an integer"},
    {"/decoder", R"({"type": "Zip"})", "decoder.type is 'Zip'"},
    {"/post_processor", R"({"type": "TemplateProcessing", "special_tokens": {}, "single": []})",
     "post_processor.single has no Sequence"},
    {"/post_processor", R"({"type": "TemplateProcessing", "special_tokens": {}, "single":
                            [{"SpecialToken": {"id": "<s>"}}]})",
     "post_processor.single[0].SpecialToken.id is '<s>', expected a member of special_tokens"},
    {"/post_processor", R"({"type": "BertProcessing", "cls": ["a", 0], "sep": ["b", 99]})",
     "post_processor adds the token 99, which is not in the vocabulary"},
    {"/post_processor", R"({"type": "Mail"})", "post_processor.type is 'Mail'"},
    {"/added_tokens", R"([{"id": 7}])", "added_tokens[0] has no 'content'"},
    {"/added_tokens", R"([{"id": 7, "content": "x", "lstrip": 1}])",
     "added_tokens[0].lstrip is 1, expected true or false"},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(tokenizer_json)

BOOST_AUTO_TEST_CASE(tokens_and_texts_equal_those_of_tokenizers) {
  auto oracle = test::python_oracle("tokenizer_json_oracle.py", "tokenizers, sentencepiece");
  if (!oracle) return;
  const Quiet quiet;
  const std::uint32_t cases = oracle->number();
  BOOST_TEST(cases > 100U);
  for (std::uint32_t i = 0; i < cases; ++i) {
    const std::string name = oracle->text();
    const bool joins_bytes = oracle->number() != 0;
    const std::string json = oracle->text();
    const Tokenizer tokenizer(read_tokenizer_json(json, name));
    Differences differences;
    for (std::uint32_t texts = oracle->number(); texts > 0; --texts) {
      compare_text(*oracle, tokenizer, name, differences);
    }
    for (std::uint32_t lists = oracle->number(); lists > 0; --lists) {
      const Tokens tokens = oracle->tokens();
      const std::string expected = oracle->text();
      if (joins_bytes) continue;  // there a run with one wrong byte is all wrong
      differences.compare("text", name, shown(tokens), with_replacements(tokenizer.decode(tokens)),
                          expected);
    }
    BOOST_TEST(differences.count() == 0,
               name << ": " << differences.count() << " differences, " << json.substr(0, 3000));
  }
  BOOST_TEST(oracle->at_end());
}

BOOST_AUTO_TEST_CASE(what_is_wrong_is_named_by_its_place) {
  for (const Wrong& wrong : wrong_parts) {
    nlohmann::json json = small();
    json[nlohmann::json::json_pointer(wrong.pointer)] = nlohmann::json::parse(wrong.value);
    const std::string message = refusal(json.dump());
    BOOST_TEST(message.starts_with("there.json: "), wrong.pointer << wrong.value);
    BOOST_TEST(message.find(wrong.message) != std::string::npos, message);
  }
}

BOOST_AUTO_TEST_CASE(damaged_files_are_errors) {
  const std::string whole = small().dump();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    BOOST_TEST(!refusal(whole.substr(0, size)).empty());
  }
  BOOST_TEST(refusal("[]").find("expected an object") != std::string::npos);
  const std::string deep(100'000, '[');
  BOOST_TEST(refusal(deep).find("deep in each other") != std::string::npos);
  BOOST_TEST(
      refusal("{\"model\": \"\xFF\"}")
          .find("no JSON: line 1, column 12: bytes that are no UTF-8; the file is damaged") !=
      std::string::npos);
}

BOOST_AUTO_TEST_CASE(added_tokens_are_numbered_behind_the_vocabulary) {
  nlohmann::json json = small();
  json["added_tokens"] = nlohmann::json::parse(
      R"([{"id": 500, "content": "<x>"}, {"id": 1, "content": "b"}, {"id": 4, "content": "<y>"}])");
  const Quiet quiet;
  const Tokenizer tokenizer(read_tokenizer_json(json.dump(), "there.json"));
  BOOST_TEST(tokenizer.find("<x>") == 3);
  BOOST_TEST(tokenizer.find("<y>") == 4);
  BOOST_TEST(tokenizer.vocab_size() == 5);
  BOOST_TEST(tokenizer.encode("ab<y>") == (Tokens{0, 1, 4}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_is_put_around_a_text_is_put_around_what_was_put_before) {
  nlohmann::json json = small();
  json["post_processor"] = nlohmann::json::parse(R"({"type": "Sequence", "processors": [
      {"type": "BertProcessing", "cls": ["b", 1], "sep": ["ab", 2]},
      {"type": "RobertaProcessing", "cls": ["ab", 2], "sep": ["b", 1]}]})");
  const Tokenizer tokenizer(read_tokenizer_json(json.dump(), "there.json"));
  BOOST_TEST(tokenizer.encode("a") == (Tokens{2, 1, 0, 2, 1}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(numbers_may_be_unused) {
  nlohmann::json json = small();
  json["model"] = nlohmann::json::parse(
      R"({"type": "WordLevel", "unk_token": "?", "vocab": {"a": 0, "b": 7, "?": 3}})");
  const Tokenizer tokenizer(read_tokenizer_json(json.dump(), "there.json"));
  BOOST_TEST(tokenizer.vocab_size() == 8);
  BOOST_TEST(tokenizer.encode("b") == (Tokens{7}), boost::test_tools::per_element());
  BOOST_TEST(tokenizer.decode(Tokens{0, 5, 7}) == "a b");
  BOOST_TEST(tokenizer.piece(5) == " ");
}

/// What is written token by token is the whole text, but for spaces around it.
BOOST_AUTO_TEST_CASE(pieces_are_what_decoding_joins) {
  auto oracle = test::python_oracle("tokenizer_json_oracle.py", "tokenizers, sentencepiece");
  if (!oracle) return;
  const Quiet quiet;
  for (std::uint32_t cases = oracle->number(); cases > 0; --cases) {
    const std::string name = oracle->text();
    oracle->number();
    const std::string json = oracle->text();
    // Of equal tokens CTC leaves one, and a first token keeps WordPiece's prefix.
    const bool independent = json.find("\"CTC\"") == std::string::npos && name != "prefixed bpe";
    const Tokenizer tokenizer(read_tokenizer_json(json, name));
    int wrong = 0;
    for (std::uint32_t texts = oracle->number(); texts > 0; --texts) {
      const std::string text = oracle->text();
      for (int lists = 0; lists < 3; ++lists) oracle->tokens();
      for (int strings = 0; strings < 2; ++strings) oracle->text();
      std::string joined;
      const Tokens tokens = tokenizer.encode(text);
      for (const Token token : tokens) joined += tokenizer.piece(token);
      const std::string whole = tokenizer.decode(tokens);
      const bool equal = without_outer_spaces(joined) == without_outer_spaces(whole);
      wrong += independent && !equal;
    }
    BOOST_TEST(wrong == 0,
               name << ": " << wrong << " " << json.substr(json.find("\"decoder\""), 300));
    for (std::uint32_t lists = oracle->number(); lists > 0; --lists) {
      oracle->tokens();
      oracle->text();
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
