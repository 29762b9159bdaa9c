// ByteLevelBpe: byte-pair encoding by rank over the bytes of each piece of a pre-tokenizer.
//
// Tokens spell bytes in the alphabet of byte_alphabet.h. A byte that has no token is left out, as
// the models' own tokenizers do (openai/gpt-2, encoder.py; `tokenizer.ggml.model` gpt2).
#pragma once

#include "runtime/tokenizer/merge_table.h"
#include "runtime/tokenizer/pre_tokenizer.h"
#include "runtime/tokenizer/vocabulary.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace lamina {

class ByteLevelBpe {
 public:
  /// `whole_words`: a piece that is a token is not merged from its bytes. The vocabulary must
  /// outlive this.
  ByteLevelBpe(const Vocabulary& vocabulary, MergeTable merges, PreTokenizer pre_tokenizer,
               bool whole_words);
  ByteLevelBpe(const Metadata& metadata, const Vocabulary& vocabulary,
               const PreTokenizerPreset& preset);

  /// Appends the tokens of `text`, in which nothing special is looked for.
  void encode(std::string_view text, std::vector<Token>& out) const;

  /// Appends the bytes of an ordinary token.
  void decode(Token token, std::string& out) const;

 private:
  Token whole_word(std::string_view piece) const;

  const Vocabulary* vocabulary_;
  PreTokenizer pre_tokenizer_;
  MergeTable merges_;
  bool whole_words_;
  std::array<Token, 256> bytes_;  // the token of each byte; -1: none
};

}  // namespace lamina
