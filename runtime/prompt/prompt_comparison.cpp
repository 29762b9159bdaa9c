// The longest common start, then the longest common end of what remains.
#include "runtime/prompt/prompt_comparison.h"

#include <algorithm>

namespace lamina {

double PromptComparison::percent() const {
  return a.empty() ? 0 : 100.0 * static_cast<double>(difference()) / static_cast<double>(a.size());
}

PromptComparison compare_prompts(const Tokenizer& tokenizer, std::string_view a,
                                 std::string_view b) {
  PromptComparison result{tokenizer.encode(a), tokenizer.encode(b)};
  const std::size_t shorter = std::min(result.a.size(), result.b.size());
  while (result.same_start < shorter && result.a[result.same_start] == result.b[result.same_start])
    ++result.same_start;
  while (result.same_end < shorter - result.same_start &&
         result.a[result.a.size() - 1 - result.same_end] ==
             result.b[result.b.size() - 1 - result.same_end])
    ++result.same_end;
  return result;
}

}  // namespace lamina
