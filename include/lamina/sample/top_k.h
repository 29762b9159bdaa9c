// Top-k: keeps the k candidates with the highest logits; k <= 0 keeps all.
//
// Fan, Lewis, Dauphin, "Hierarchical neural story generation", ACL 2018, section 5.3. Among equal
// logits the lower token id is kept. Costs a selection, not a sort, of the vocabulary; the result
// is in order.
#pragma once

#include "lamina/sample/sampler.h"

#include <cstdint>

namespace lamina {

struct TopK {
  std::int64_t k = 40;

  void apply(Candidates& candidates) const;
  void accept(Token) {}
};

static_assert(Sampler<TopK>);

inline void TopK::apply(Candidates& candidates) const {
  if (k <= 0) return;
  if (static_cast<std::uint64_t>(k) >= candidates.size()) return;
  candidates.keep_best(static_cast<std::size_t>(k));
}

}  // namespace lamina
