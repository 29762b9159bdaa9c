// Alibi: a bias that falls with distance, slope(head) * (key - query) (Press et al. 2021).
//
// For h of H heads and n = 2^floor(log2 H): slope = 2^(-b (h+1) / n) while h < n, and beyond that
// 2^(-b (2 (h - n) + 1) / (2 n)), with b the largest bias exponent, usually 8.
#pragma once

#include "lamina/attention/causal.h"

#include <cmath>

namespace lamina {

template <AttentionVariant Base = Causal>
struct Alibi : Base {
  int heads = 1;
  float max_bias = 8.0f;

  template <class Real>
  LAMINA_HD Real slope(int head) const {
    using std::exp2;
    int power = 1;
    while (power * 2 <= heads) power *= 2;
    const Real step = Real(max_bias) / Real(power);
    if (head < power) return exp2(-step * Real(head + 1));
    return exp2(-step / Real(2) * Real(2 * (head - power) + 1));
  }
  template <class Real>
  LAMINA_HD Real score(Real s, int head, Position query, Position key) const {
    return Base::score(s, head, query, key) + slope<Real>(head) * Real(key - query);
  }
};

static_assert(AttentionVariant<Alibi<>>);

}  // namespace lamina
