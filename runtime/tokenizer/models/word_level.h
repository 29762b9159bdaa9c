// WordLevel: each word is one token, or the unknown token (huggingface/tokenizers, models WordLevel
// and, for google/sentencepiece, model type WORD).
#pragma once

#include "runtime/tokenizer/vocabulary.h"

#include <string_view>
#include <vector>

namespace lamina {

struct WordLevelOptions {
  Token unknown = -1;         // -1: none
  bool fuse_unknown = false;  // no second unknown token after one
};

class WordLevel {
 public:
  /// The first `model_size` tokens of the vocabulary are the model's; later ones are never found.
  /// The vocabulary must outlive this.
  WordLevel(const Vocabulary& vocabulary, Token model_size, const WordLevelOptions& options)
      : vocabulary_(&vocabulary), model_size_(model_size), options_(options) {}

  /// Appends the token of `word`. Throws where it has none and there is no unknown token.
  void encode(std::string_view word, std::vector<Token>& out) const;

 private:
  const Vocabulary* vocabulary_;
  Token model_size_;
  WordLevelOptions options_;
};

}  // namespace lamina
