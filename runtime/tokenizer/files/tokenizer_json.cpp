// Putting the parts together: vocabulary, added tokens, frame.
#include "runtime/tokenizer/files/tokenizer_json.h"

#include "lamina/gguf/quoted.h"
#include "runtime/tokenizer/end_tokens.h"
#include "runtime/tokenizer/files/json_view.h"
#include "runtime/tokenizer/files/tokenizer_json_parts.h"
#include "runtime/unicode/utf8.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace lamina {
namespace {

/// The tokens of model and file while they are read.
struct Texts {
  std::vector<std::string> texts;  // by number
  std::size_t count = 0;           // of the model's
  std::unordered_map<std::string, Token> numbers;
  Token highest_added = -1;

  Texts(std::vector<std::string> given, std::size_t given_count)
      : texts(std::move(given)), count(given_count) {
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (!texts[i].empty()) numbers.emplace(texts[i], static_cast<Token>(i));
    }
  }

  Token next() const {
    const auto behind = static_cast<Token>(count);
    return std::max(behind, highest_added + 1);
  }
};

Token number_of(Texts& known, const JsonView& entry, const std::string& text) {
  const auto found = known.numbers.find(text);
  const Token number = found != known.numbers.end() ? found->second : known.next();
  known.highest_added = std::max(known.highest_added, number);
  const auto at = static_cast<std::size_t>(number);
  if (at >= known.texts.size()) known.texts.resize(at + 1);
  if (!known.texts[at].empty() && known.texts[at] != text) {
    entry.fail_because(fmt::format("gets the number {}, which {} has already", number,
                                   lamina::quoted(known.texts[at])));
  }
  known.texts[at] = text;
  known.numbers.emplace(text, number);
  return number;
}

AddedToken read_added_token(const JsonView& entry, Texts& known) {
  AddedToken token = read_json_added_token(entry);
  if (token.text.empty()) return token;
  token.id = number_of(known, entry, token.text);
  if (const auto id = entry.find("id"); id && id->value() != token.id) {
    spdlog::warn(
        "{}: the added token {} has the number {} in the file, but it becomes {}, as "
        "tokenizers numbers it",
        entry.source(), lamina::quoted(token.text), id->value().dump(), token.id);
  }
  return token;
}

std::vector<AddedToken> read_added_tokens(const JsonView& list, Texts& known) {
  std::vector<AddedToken> tokens;
  for (std::size_t i = 0; i < list.size(); ++i) {
    AddedToken token = read_added_token(list[i], known);
    if (token.text.empty()) continue;
    // What stands later in the file counts.
    std::erase_if(tokens, [&](const AddedToken& other) { return other.id == token.id; });
    tokens.push_back(std::move(token));
  }
  return tokens;
}

bool is_byte_text(std::string_view text) {
  const auto digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F'); };
  return text.size() == 6 && text.starts_with("<0x") && digit(text[3]) && digit(text[4]) &&
         text[5] == '>';
}

struct Fallback {
  Token unknown = -1;
  bool bytes = false;
};

Fallback fallback_of(const ModelOptions& model) {
  if (const auto* bpe = std::get_if<BpeOptions>(&model)) return {bpe->unknown, bpe->byte_fallback};
  if (const auto* unigram = std::get_if<UnigramModel>(&model)) {
    return {unigram->options.unknown, unigram->options.byte_fallback};
  }
  if (const auto* words = std::get_if<WordPieceOptions>(&model)) return {words->unknown, false};
  return {std::get<WordLevelOptions>(model).unknown, false};
}

Vocabulary make_vocabulary(const std::string& source, const Texts& known,
                           const std::vector<AddedToken>& added, const ModelOptions& model,
                           Token model_size) {
  const Fallback fallback = fallback_of(model);
  std::vector<TokenType> types(known.texts.size(), TokenType::normal);
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (known.texts[i].empty()) types[i] = TokenType::unused;
    if (fallback.bytes && is_byte_text(known.texts[i])) types[i] = TokenType::byte;
  }
  for (const AddedToken& token : added) {
    // The model may still use its own tokens, but text that must not become a special token does
    // not; a single character has to have a token all the same.
    const bool own = token.id < model_size;
    const bool character = character_length(token.text) == token.text.size();
    TokenType& type = types[static_cast<std::size_t>(token.id)];
    if (!own) type = token.special ? TokenType::control : TokenType::user_defined;
    if (own && token.special && !character) type = TokenType::control;
  }
  if (fallback.unknown >= 0) types[static_cast<std::size_t>(fallback.unknown)] = TokenType::unknown;
  const std::vector<std::string_view> views(known.texts.begin(), known.texts.end());
  return Vocabulary(source, views, std::move(types), {});
}

/// Tokens that a post-processor names must be there.
void check_frame(const JsonView& post_processor, const TokenizerDefinition& definition) {
  for (const auto* tokens : {&definition.prefix, &definition.suffix}) {
    for (const Token token : *tokens) {
      if (token < definition.vocabulary.size()) continue;
      post_processor.fail_because(
          fmt::format("adds the token {}, which is not in the vocabulary, "
                      "0 to {}",
                      token, definition.vocabulary.size() - 1));
    }
  }
}

}  // namespace

AddedToken read_json_added_token(const JsonView& entry) {
  AddedToken token;
  token.text = entry.at("content").text();
  token.special = entry.boolean_or("special", false);
  token.single_word = entry.boolean_or("single_word", false);
  token.left_strip = entry.boolean_or("lstrip", false);
  token.right_strip = entry.boolean_or("rstrip", false);
  token.normalized = entry.boolean_or("normalized", !token.special);
  return token;
}

TokenizerDefinition read_tokenizer_json(std::string_view bytes, std::string source) {
  const nlohmann::json json = parse_json(bytes, source);
  const JsonView file(json, source);
  TokenizerDefinition definition;
  JsonModel model = read_json_model(file.at("model"));
  definition.kind = std::move(model.kind);
  definition.model = std::move(model.options);
  definition.model_size = static_cast<Token>(model.texts.size());
  Texts known(std::move(model.texts), model.count);
  if (const auto added = file.find("added_tokens")) {
    definition.added_tokens = read_added_tokens(*added, known);
  }
  definition.vocabulary = make_vocabulary(source, known, definition.added_tokens, definition.model,
                                          definition.model_size);
  if (const auto part = file.find("normalizer"))
    definition.normalizer = read_json_normalizer(*part);
  if (const auto part = file.find("pre_tokenizer")) {
    definition.pre_tokenizer = read_json_pre_tokenizer(*part);
  }
  if (const auto part = file.find("decoder")) definition.decoder = read_json_decoder(*part);
  if (const auto part = file.find("post_processor")) {
    JsonFrame frame = read_json_post_processor(*part);
    definition.prefix = std::move(frame.prefix);
    definition.suffix = std::move(frame.suffix);
    check_frame(*part, definition);
  }
  if (!definition.prefix.empty()) definition.bos = definition.prefix.front();
  if (!definition.suffix.empty()) definition.eos = definition.suffix.back();
  definition.ends = end_tokens(definition.vocabulary, {definition.eos});
  definition.source = std::move(source);
  return definition;
}

}  // namespace lamina
