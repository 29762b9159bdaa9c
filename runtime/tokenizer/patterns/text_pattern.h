// TextPattern: what a Split or Replace of tokenizer.json looks for: a text, or a regular
// expression.
//
// Expressions are written for Oniguruma (its own syntax, no options), by which Hugging Face's
// tokenizers finds them. Matches are those of its iterator: the leftmost from where the last one
// ended, empty ones too, but no empty one where the last one ended.
#pragma once

#include "runtime/tokenizer/patterns/regex.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lamina {

struct TextPattern {
  std::string text;
  bool regex = false;
};

/// Bytes of a text that a pattern matches, or that lie between two of its matches.
struct PatternSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool match = false;
};

class PatternSearch {
 public:
  /// Throws where the expression is wrong, or says what PCRE2 cannot be made to mean.
  explicit PatternSearch(const TextPattern& pattern);

  /// All of `text`, in order: matches, which may be empty, and what lies between them. One span
  /// that is no match where `text` is empty.
  std::vector<PatternSpan> spans(std::string_view text) const;

  /// The text with `content` for each match.
  std::string replaced(std::string_view text, std::string_view content) const;

 private:
  std::string literal_;
  std::optional<Regex> regex_;
  bool has_properties_ = false;  // otherwise each character means only itself
};

}  // namespace lamina
