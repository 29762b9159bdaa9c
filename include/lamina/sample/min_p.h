// Min-p: keeps the candidates at least p times as probable as the best one.
//
// Nguyen et al., "Turning up the heat: min-p sampling for creative and coherent LLM outputs", ICLR
// 2025. In logits: kept if logit >= max + ln(p), no sum needed. p <= 0 keeps all; p >= 1 keeps
// those equal to the best, so at least one always is; a NaN is an error. The order of candidates
// does not change.
#pragma once

#include "lamina/sample/sampler.h"

namespace lamina {

struct MinP {
  double p = 0.05;

  void apply(Candidates& candidates) const;
  void accept(Token) {}
};

static_assert(Sampler<MinP>);

inline void MinP::apply(Candidates& candidates) const {
  if (std::isnan(p)) throw Error("min_p: p is NaN; expected a number in [0, 1]");
  if (p <= 0 || candidates.empty()) return;
  const float max = candidates.best().logit;
  const double floor = static_cast<double>(max) + std::min(std::log(p), 0.0);
  candidates.keep_if([&](const Candidate& c) { return static_cast<double>(c.logit) >= floor; });
}

}  // namespace lamina
