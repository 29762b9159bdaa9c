// SpecialTokens: the tokens that are found in a text as they stand, before it is encoded.
//
// Control and unknown tokens only where the caller asks for it, user-defined ones always. The
// leftmost comes first and, of those that begin at one place, the longest: the rule of added tokens
// in Hugging Face's tokenizers and of user-defined symbols in SentencePiece.
#pragma once

#include "runtime/tokenizer/vocabulary.h"

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace lamina {

/// A stretch of text: one special token, or text to encode.
struct Fragment {
  std::string_view text;
  Token token = -1;  // -1: text to encode
};

class SpecialTokens {
 public:
  /// `strip_right`: tokens that swallow the white space after them. The vocabulary must outlive
  /// this.
  SpecialTokens(const Vocabulary& vocabulary, std::vector<Token> strip_right);

  /// The fragments of `text`, none of them empty.
  std::vector<Fragment> split(std::string_view text, bool parse_special) const;

 private:
  /// The special token that `text` starts with, the longest; -1 where it starts with none.
  Token match(std::string_view text, bool parse_special) const;

  const Vocabulary* vocabulary_;
  std::vector<Token> sorted_;                // by text
  std::array<std::size_t, 257> by_first_{};  // where in sorted_ the texts of a first byte begin
  std::vector<Token> strip_right_;           // ascending
};

}  // namespace lamina
