// PromptComparison: what two phrasings cost in a model's tokens, and where they differ.
#pragma once

#include "runtime/tokenizer/tokenizer.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace lamina {

struct PromptComparison {
  std::vector<Token> a;
  std::vector<Token> b;
  std::size_t same_start = 0;  // tokens that both begin with
  std::size_t same_end = 0;    // tokens that both end with, none of them counted above

  /// How many tokens more B takes.
  std::int64_t difference() const {
    return static_cast<std::int64_t>(b.size()) - static_cast<std::int64_t>(a.size());
  }
  /// The same as a part of A's; 0 where A has none.
  double percent() const;
  std::span<const Token> only_a() const { return middle(a); }
  std::span<const Token> only_b() const { return middle(b); }

 private:
  std::span<const Token> middle(std::span<const Token> tokens) const {
    return tokens.subspan(same_start, tokens.size() - same_start - same_end);
  }
};

PromptComparison compare_prompts(const Tokenizer& tokenizer, std::string_view a,
                                 std::string_view b);

}  // namespace lamina
