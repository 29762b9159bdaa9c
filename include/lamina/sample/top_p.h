// Top-p (nucleus): keeps the smallest set of best candidates whose probabilities sum to at least p.
//
// Holtzman et al., "The curious case of neural text degeneration", ICLR 2020, section 3.1. The
// candidate that reaches p is kept, so at least one always is; p >= 1 keeps all; a NaN is an error.
// Kept probabilities are renormalised by whatever comes next, since only logits are stored.
#pragma once

#include "lamina/sample/sampler.h"

namespace lamina {

struct TopP {
  double p = 0.95;

  void apply(Candidates& candidates) const;
  void accept(Token) {}
};

static_assert(Sampler<TopP>);

inline void TopP::apply(Candidates& candidates) const {
  if (std::isnan(p)) throw Error("top_p: p is NaN; expected a number in (0, 1]");
  if (p >= 1 || candidates.empty()) return;
  const float max = candidates.best().logit;
  // A list in no order is given one, so that the sum does not depend on where candidates lie.
  if (candidates.order() == CandidateOrder::none) candidates.sort_by_token();
  double total = 0;
  for (const Candidate& candidate : candidates) total += weight(candidate.logit, max);

  const double target = p * total;
  double sum = 0;
  std::size_t kept = 0;
  std::size_t sorted = 0;
  do {
    if (kept ==
        sorted) {  // a nucleus is small as a rule: sort no more of the vocabulary than it needs
      sorted = std::min(std::max<std::size_t>(4 * sorted, 128), candidates.size());
      candidates.sort_head(sorted);
    }
    sum += weight(candidates[kept].logit, max);
    ++kept;
  } while (sum < target && kept < candidates.size());
  candidates.keep_best(kept);
}

}  // namespace lamina
