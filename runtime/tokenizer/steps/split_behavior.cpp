// Each behavior is when a span joins the one before it.
#include "runtime/tokenizer/steps/split_behavior.h"

#include <algorithm>
#include <iterator>

namespace lamina {
namespace {

/// Spans of which each is joined to the one before it where `joins(before, it)`.
template <class Joins>
std::vector<PatternSpan> joined(const std::vector<PatternSpan>& spans, Joins joins) {
  std::vector<PatternSpan> pieces;
  bool before = false;
  for (const PatternSpan& span : spans) {
    if (!pieces.empty() && joins(before, span.match)) {
      pieces.back().begin = std::min(pieces.back().begin, span.begin);
      pieces.back().end = std::max(pieces.back().end, span.end);
    } else {
      pieces.push_back(span);
    }
    before = span.match;
  }
  return pieces;
}

}  // namespace

std::vector<PatternSpan> split_spans(const std::vector<PatternSpan>& spans,
                                     SplitBehavior behavior) {
  const auto first_match = [](bool before, bool match) { return match && !before; };
  std::vector<PatternSpan> pieces;
  switch (behavior) {
    case SplitBehavior::isolated:
      return spans;
    case SplitBehavior::removed:
      std::copy_if(spans.begin(), spans.end(), std::back_inserter(pieces),
                   [](const PatternSpan& span) { return !span.match; });
      return pieces;
    case SplitBehavior::contiguous:
      return joined(spans, [](bool before, bool match) { return before == match; });
    case SplitBehavior::merged_with_previous:
      return joined(spans, first_match);
    case SplitBehavior::merged_with_next:
      pieces = joined({spans.rbegin(), spans.rend()}, first_match);
      std::reverse(pieces.begin(), pieces.end());
      return pieces;
  }
  return pieces;
}

}  // namespace lamina
