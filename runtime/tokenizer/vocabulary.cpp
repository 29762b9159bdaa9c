// Reading and checking the arrays of a vocabulary.
#include "runtime/tokenizer/vocabulary.h"

#include "lamina/core/error.h"
#include "lamina/gguf/quoted.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <string>

namespace lamina {
namespace {

constexpr std::string_view tokens_key = "tokenizer.ggml.tokens";
constexpr std::string_view types_key = "tokenizer.ggml.token_type";
constexpr std::string_view scores_key = "tokenizer.ggml.scores";

[[noreturn]] void fail(const Metadata& metadata, std::string_view key, const std::string& found) {
  throw Error(fmt::format("{}: {} {}; the file is damaged or badly converted: convert it again",
                          metadata.source(), key, found));
}

TokenTexts read_texts(const Metadata& metadata) {
  const auto texts = metadata.get<std::vector<std::string_view>>(tokens_key);
  if (texts.empty()) fail(metadata, tokens_key, "is empty, expected the tokens of the model");
  if (texts.size() > static_cast<std::size_t>(std::numeric_limits<Token>::max())) {
    fail(metadata, tokens_key, fmt::format("has {} tokens, more than 2^31 - 1", texts.size()));
  }
  TokenTexts read(texts);
  if (const auto twice = read.duplicate()) {
    fail(metadata, tokens_key,
         fmt::format("has {} twice, as tokens {} and {}, expected different texts",
                     quoted(read[*twice]), read.find(read[*twice]), *twice));
  }
  return read;
}

void check_length(const Metadata& metadata, std::string_view key, std::size_t found, Token tokens) {
  if (found == static_cast<std::size_t>(tokens)) return;
  fail(metadata, key,
       fmt::format("has {} elements, expected {}, one for each of {}", found, tokens, tokens_key));
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

Vocabulary::Vocabulary(const Metadata& metadata) : texts_(read_texts(metadata)) {
  read_types(metadata);
  read_scores(metadata);
  index_byte_tokens(metadata);
}

void Vocabulary::read_types(const Metadata& metadata) {
  types_.assign(static_cast<std::size_t>(size()), TokenType::normal);
  const auto numbers = metadata.find<std::vector<std::int32_t>>(types_key);
  if (!numbers) return;
  check_length(metadata, types_key, numbers->size(), size());
  for (std::size_t i = 0; i < types_.size(); ++i) {
    const std::int32_t number = (*numbers)[i];
    if (number < 0 || number > static_cast<std::int32_t>(TokenType::byte)) {
      fail(metadata, types_key,
           fmt::format("gives token {} the type {}, expected 0 to 6", i, number));
    }
    if (number > 0) types_[i] = static_cast<TokenType>(number);
  }
}

void Vocabulary::read_scores(const Metadata& metadata) {
  auto scores = metadata.find<std::vector<float>>(scores_key);
  if (!scores) return;
  check_length(metadata, scores_key, scores->size(), size());
  for (std::size_t i = 0; i < scores->size(); ++i) {
    if (std::isnan((*scores)[i])) {
      fail(metadata, scores_key, fmt::format("gives token {} the score NaN", i));
    }
  }
  scores_ = std::move(*scores);
}

void Vocabulary::index_byte_tokens(const Metadata& metadata) {
  byte_tokens_.fill(-1);
  for (Token token = 0; token < size(); ++token) {
    if (type(token) != TokenType::byte) continue;
    const int byte = parse_byte(text(token));
    if (byte < 0) {
      fail(metadata, tokens_key,
           fmt::format("spells byte token {} as {}, expected <0x00> to <0xFF>", token,
                       quoted(text(token))));
    }
    Token& known = byte_tokens_[static_cast<std::size_t>(byte)];
    if (known >= 0) {
      fail(metadata, tokens_key,
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
    fail(metadata, key, fmt::format("is {}, expected a token, 0 to {}", *number, size() - 1));
  }
  return static_cast<Token>(*number);
}

}  // namespace lamina
