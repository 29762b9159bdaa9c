// Temperature: divides logits by t, so that probabilities are raised to the power 1/t and
// renormalised.
//
// Ackley, Hinton, Sejnowski, "A learning algorithm for Boltzmann machines", Cognitive Science 9,
// 1985, eq. 2. t == 1 changes nothing. t <= 0 is the limit t -> 0: only the best candidate stays,
// of equals the lowest token id, with its logit. Else logits become (logit - max) / t: taking the
// largest off first changes no probability and keeps a small t from turning several logits into
// infinities. A NaN is an error.
#pragma once

#include "lamina/sample/sampler.h"

namespace lamina {

struct Temperature {
  double t = 0.8;

  void apply(Candidates& candidates) const;
  void accept(Token) {}
};

static_assert(Sampler<Temperature>);

inline void Temperature::apply(Candidates& candidates) const {
  if (std::isnan(t)) throw Error("temperature: t is NaN; expected a number >= 0");
  if (t == 1 || candidates.empty()) return;
  if (t <= 0) return candidates.keep_best(1);
  const float max = candidates.best().logit;
  candidates.transform([&](const Candidate& c) {
    if (c.logit == max) return 0.0f;  // also where max is infinite
    return static_cast<float>((static_cast<double>(c.logit) - static_cast<double>(max)) / t);
  });
}

}  // namespace lamina
