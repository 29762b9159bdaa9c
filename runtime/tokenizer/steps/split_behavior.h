// SplitBehavior: what becomes of the delimiters between the pieces of a text.
//
// The names and their meaning are those of Hugging Face's tokenizers (SplitDelimiterBehavior in
// tokenizers/src/tokenizer/normalizer.rs).
#pragma once

#include "runtime/unicode/character_reader.h"
#include "runtime/tokenizer/patterns/text_pattern.h"

#include <string_view>
#include <vector>

namespace lamina {

/// With the delimiter `-`, of `the-final--countdown`:
enum class SplitBehavior {
  removed,               // the, final, countdown
  isolated,              // the, -, final, -, -, countdown
  merged_with_previous,  // the-, final-, -, countdown
  merged_with_next,      // the, -final, -, -countdown
  contiguous,            // the, -, final, --, countdown
};

/// The pieces that `spans`, of which matches are delimiters, become.
std::vector<PatternSpan> split_spans(const std::vector<PatternSpan>& spans, SplitBehavior behavior);

/// All of `text`: characters for which `is_delimiter(code)` are matches, each for itself.
template <class IsDelimiter>
std::vector<PatternSpan> character_spans(std::string_view text, IsDelimiter is_delimiter) {
  std::vector<PatternSpan> spans;
  std::size_t at = 0;
  for_each_character(text, [&](char32_t code, std::string_view bytes) {
    const bool match = is_delimiter(code);
    if (match || spans.empty() || spans.back().match) spans.push_back({at, at, match});
    at += bytes.size();
    spans.back().end = at;
  });
  return spans;
}

}  // namespace lamina
