// Vocabulary: the tokens of a model's file, checked: text, type, score, and the tokens of bytes.
//
// Texts are any bytes. Where one occurs twice both tokens have it, and the lower one is found.
#pragma once

#include "lamina/gguf/metadata.h"
#include "runtime/tokenizer/token_texts.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lamina {

/// As numbered in `tokenizer.ggml.token_type`; 0, undefined, is read as normal.
enum class TokenType : std::uint8_t {
  normal = 1,
  unknown = 2,
  control = 3,
  user_defined = 4,
  unused = 5,
  byte = 6,
};

class Vocabulary {
 public:
  Vocabulary() = default;

  /// Reads `tokenizer.ggml.tokens`, `.token_type` (all normal where absent) and `.scores` (all 0
  /// where absent). Throws where lengths differ, a type is unknown, a score is no number, or a byte
  /// token is not spelled <0xNN>.
  explicit Vocabulary(const Metadata& metadata);

  /// Token i has texts[i]; `types` may be empty (all normal), `scores` too (none). `source` is the
  /// name that messages use. Throws as above.
  Vocabulary(std::string source, std::span<const std::string_view> texts,
             std::vector<TokenType> types, std::vector<float> scores);

  Token size() const { return texts_.size(); }
  std::string_view text(Token token) const { return texts_[token]; }
  TokenType type(Token token) const { return types_[static_cast<std::size_t>(token)]; }
  std::span<const float> scores() const { return scores_; }  // one a token, or empty

  /// The token with this text; -1 where there is none.
  Token find(std::string_view text) const { return texts_.find(text); }

  /// The same for many texts at once, which is faster.
  void find(std::span<const std::string_view> texts, std::span<Token> found) const {
    texts_.find(texts, found);
  }

  /// The same, but only tokens that ordinary text may become: no control, unknown or byte tokens.
  Token find_ordinary(std::string_view text) const;
  bool ordinary(Token token) const;

  /// The token <0xNN> of a byte; -1 where there is none.
  Token byte_token(unsigned char byte) const { return byte_tokens_[byte]; }

  /// The byte that a token of type byte stands for.
  unsigned char byte_of(Token token) const;

  /// The token that `key` names; nothing where the key is missing. Throws where it is no token.
  std::optional<Token> token_of_key(const Metadata& metadata, std::string_view key) const;

 private:
  /// What the arrays are called in messages.
  struct Names {
    std::string source, texts, types, scores;
  };

  Vocabulary(const Names& names, std::span<const std::string_view> texts,
             std::vector<TokenType> types, std::vector<float> scores);
  void index_byte_tokens(const Names& names);

  TokenTexts texts_;
  std::vector<TokenType> types_;
  std::vector<float> scores_;
  std::array<Token, 256> byte_tokens_{};
};

}  // namespace lamina
