// WordLevel: each word is one token, or the unknown token (huggingface/tokenizers, models WordLevel
// and, for google/sentencepiece, model type WORD).
#pragma once

#include "runtime/tokenizer/vocabulary.h"

#include <limits>
#include <string_view>
#include <vector>

namespace lamina {

struct WordLevelOptions {
  Token unknown = -1;         // -1: none
  bool fuse_unknown = false;  // no second unknown token after one
  /// The model's tokens are the first so many: later ones are never found.
  Token model_size = std::numeric_limits<Token>::max();
};

class WordLevel {
 public:
  /// The vocabulary must outlive this.
  WordLevel(const Vocabulary& vocabulary, const WordLevelOptions& options)
      : vocabulary_(&vocabulary), options_(options) {}

  /// Appends the token of `word`. Throws where it has none and there is no unknown token.
  void encode(std::string_view word, std::vector<Token>& out) const;

 private:
  const Vocabulary* vocabulary_;
  WordLevelOptions options_;
};

}  // namespace lamina
