// CharacterSymbols: characters as the symbols that merging starts from, and bytes for those that
// are no token in the end.
//
// Such a character becomes one token <0xNN> for each byte; where a byte has none, the unknown
// token, once for a run of such bytes (google/sentencepiece does the same). Without an unknown
// token the byte is left out.
#pragma once

#include "runtime/tokenizer/models/symbol_chain.h"
#include "runtime/tokenizer/vocabulary.h"

#include <string_view>
#include <vector>

namespace lamina {

class CharacterSymbols {
 public:
  /// `unknown` is -1 where there is no unknown token. The vocabulary must outlive this.
  CharacterSymbols(const Vocabulary& vocabulary, Token unknown)
      : vocabulary_(&vocabulary), unknown_(unknown) {}

  /// Whether each byte has a token.
  bool bytes_known() const;

  /// Makes `chain` the characters of `text`.
  void start(SymbolChain& chain, std::string_view text) const;

  /// Appends the tokens of `chain`, which was started with `text`.
  void finish(const SymbolChain& chain, std::string_view text, std::vector<Token>& out) const;

 private:
  void append_byte(unsigned char byte, std::vector<Token>& out) const;

  const Vocabulary* vocabulary_;
  Token unknown_;
};

}  // namespace lamina
