// Softcap: scores are squeezed into (-cap, cap): cap * tanh(s / cap), before the base's own score
// (Gemma 2).
#pragma once

#include "lamina/attention/causal.h"

#include <cmath>

namespace lamina {

template <AttentionVariant Base = Causal>
struct Softcap : Base {
  float cap = 50.0f;

  template <class Real>
  LAMINA_HD Real score(Real s, int head, Position query, Position key) const {
    using std::tanh;
    return Base::score(Real(cap) * tanh(s / Real(cap)), head, query, key);
  }
};

static_assert(AttentionVariant<Softcap<>>);

}  // namespace lamina
