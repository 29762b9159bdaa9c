// Reading and checking the arrays of a vocabulary.
#include "runtime/tokenizer/vocabulary.h"

#include "lamina/core/error.h"
#include "lamina/gguf/quoted.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace lamina {
namespace {

constexpr std::string_view tokens_key = "tokenizer.ggml.tokens";
constexpr std::string_view types_key = "tokenizer.ggml.token_type";
constexpr std::string_view scores_key = "tokenizer.ggml.scores";

[[noreturn]] void fail(std::string_view source, std::string_view name, const std::string& found) {
  throw Error(fmt::format("{}: {} {}; the file is damaged or badly converted: convert it again",
                          source, name, found));
}

std::vector<TokenType> read_types(const Metadata& metadata) {
  std::vector<TokenType> types;
  for (const std::int32_t number :
       metadata.get_or<std::vector<std::int32_t>>(types_key, std::vector<std::int32_t>{})) {
    if (number < 0 || number > static_cast<std::int32_t>(TokenType::byte)) {
      fail(metadata.source(), types_key,
           fmt::format("gives token {} the type {}, expected 0 to 6", types.size(), number));
    }
    types.push_back(number == 0 ? TokenType::normal : static_cast<TokenType>(number));
  }
  return types;
}

int hex_digit(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
  return -1;
}

/// The byte of `<0xNN>`, exactly two digits; -1 for any other text.
int parse_byte(std::string_view text) {
  if (text.size() != 6 || text.substr(0, 3) != "<0x" || text[5] != '>') return -1;
  const int high = hex_digit(text[3]);
  const int low = hex_digit(text[4]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

}  // namespace

Vocabulary::Vocabulary(const Metadata& metadata)
    : Vocabulary(Names{metadata.source(), std::string(tokens_key), std::string(types_key),
                       std::string(scores_key)},
                 metadata.get<std::vector<std::string_view>>(tokens_key), read_types(metadata),
                 metadata.get_or<std::vector<float>>(scores_key, std::vector<float>{})) {}

Vocabulary::Vocabulary(std::string source, std::span<const std::string_view> texts,
                       std::vector<TokenType> types, std::vector<float> scores)
    : Vocabulary(Names{std::move(source), "the vocabulary", "the list of token types",
                       "the list of scores"},
                 texts, std::move(types), std::move(scores)) {}

Vocabulary::Vocabulary(const Names& names, std::span<const std::string_view> texts,
                       std::vector<TokenType> types, std::vector<float> scores)
    : types_(std::move(types)), scores_(std::move(scores)) {
  if (texts.empty()) fail(names.source, names.texts, "is empty, expected the tokens of the model");
  if (texts.size() > static_cast<std::size_t>(std::numeric_limits<Token>::max())) {
    fail(names.source, names.texts, fmt::format("has {} tokens, more than 2^31 - 1", texts.size()));
  }
  const auto check_length = [&](const std::string& name, std::size_t found) {
    if (found == 0 || found == texts.size()) return;
    fail(names.source, name,
         fmt::format("has {} elements, expected {}, one for each of {}", found, texts.size(),
                     names.texts));
  };
  check_length(names.types, types_.size());
  check_length(names.scores, scores_.size());
  for (std::size_t i = 0; i < scores_.size(); ++i) {
    if (!std::isnan(scores_[i])) continue;
    fail(names.source, names.scores, fmt::format("gives token {} the score NaN", i));
  }
  texts_ = TokenTexts(texts);
  types_.resize(texts.size(), TokenType::normal);
  index_byte_tokens(names);
}

void Vocabulary::index_byte_tokens(const Names& names) {
  byte_tokens_.fill(-1);
  for (Token token = 0; token < size(); ++token) {
    if (type(token) != TokenType::byte) continue;
    const int byte = parse_byte(text(token));
    if (byte < 0) {
      fail(names.source, names.texts,
           fmt::format("spells byte token {} as {}, expected <0x00> to <0xFF>", token,
                       quoted(text(token))));
    }
    Token& known = byte_tokens_[static_cast<std::size_t>(byte)];
    if (known >= 0) {
      fail(names.source, names.texts,
           fmt::format("has two tokens for the byte {:#04x}, {} and {}", byte, known, token));
    }
    known = token;
  }
}

bool Vocabulary::ordinary(Token token) const {
  const TokenType found = type(token);
  return found == TokenType::normal || found == TokenType::user_defined ||
         found == TokenType::unused;
}

Token Vocabulary::find_ordinary(std::string_view text) const {
  const Token token = find(text);
  return token >= 0 && ordinary(token) ? token : -1;
}

unsigned char Vocabulary::byte_of(Token token) const {
  return static_cast<unsigned char>(parse_byte(text(token)));
}

std::optional<Token> Vocabulary::token_of_key(const Metadata& metadata,
                                              std::string_view key) const {
  const auto number = metadata.find<std::int64_t>(key);
  if (!number) return std::nullopt;
  if (*number < 0 || *number >= size()) {
    fail(metadata.source(), key,
         fmt::format("is {}, expected a token, 0 to {}", *number, size() - 1));
  }
  return static_cast<Token>(*number);
}

}  // namespace lamina
