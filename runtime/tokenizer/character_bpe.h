// CharacterBpe: byte-pair encoding by rank over the characters of a line, with spaces as U+2581.
//
// Merges as in byte-level encoding, characters, spaces and bytes as in SentencePiece
// (`tokenizer.ggml.model` gemma4). The only boundary is that between line breaks and the rest.
#pragma once

#include "runtime/tokenizer/character_symbols.h"
#include "runtime/tokenizer/merge_table.h"
#include "runtime/tokenizer/pre_tokenizer.h"
#include "runtime/tokenizer/vocabulary.h"

#include <string>
#include <string_view>
#include <vector>

namespace lamina {

class CharacterBpe {
 public:
  /// Throws where `tokenizer.ggml.token_type` is missing. The vocabulary must outlive this.
  CharacterBpe(const Metadata& metadata, const Vocabulary& vocabulary, Token unknown);

  /// Appends the tokens of `text`, in which nothing special is looked for.
  void encode(std::string_view text, std::vector<Token>& out) const;

  /// Appends the bytes of an ordinary token.
  void decode(Token token, std::string& out) const;

 private:
  const Vocabulary* vocabulary_;
  CharacterSymbols characters_;
  PreTokenizer lines_;
  MergeTable merges_;
};

}  // namespace lamina
