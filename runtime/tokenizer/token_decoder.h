// TokenDecoder: the text of tokens, by the decoder of a definition, as a whole or token by token.
#pragma once

#include "runtime/tokenizer/definition.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lamina {

class TokenDecoder {
 public:
  /// Takes what it needs from `definition`; the vocabulary must outlive this. An added token that
  /// is looked for in normalized text stands for its normalized form (tokenizers 0.23).
  TokenDecoder(const Vocabulary& vocabulary, TokenizerDefinition& definition,
               const Normalizer& normalizer);

  /// Whether `token` is left out where special tokens are not asked for.
  bool special(Token token) const {
    return kinds_[static_cast<std::size_t>(token)] == Kind::special;
  }

  std::string decode(std::span<const Token> tokens, bool with_special) const;

  /// What `token` adds to a text between other tokens.
  std::string piece(Token token, bool with_special) const;

 private:
  enum class Kind : unsigned char { model, added, special };

  std::string joined(std::vector<std::string> texts) const;
  std::string decode_verbatim(std::span<const Token> tokens, bool with_special) const;
  std::string text(Token token) const;

  const Vocabulary* vocabulary_;
  std::vector<Kind> kinds_;
  std::unordered_map<Token, std::string> normalized_;  // texts that are not the vocabulary's
  Decoder decoder_;
  bool verbatim_;
  bool space_prefix_;
  std::size_t before_ = 0;  // bytes of the text before a piece, see piece()
  std::size_t after_ = 0;
};

}  // namespace lamina
