// Sinks: one learned logit a head joins the denominator of the softmax and carries no value:
// p_k = exp(s_k) / (sum_j exp(s_j) + exp(sink)) (gpt-oss; Xiao et al. 2023 name the effect).
#pragma once

#include "lamina/attention/causal.h"

namespace lamina {

template <AttentionVariant Base = Causal>
struct Sinks : Base {
  const float* sinks = nullptr;  // [heads]

  LAMINA_HD float sink(int head) const { return sinks[head]; }
};

static_assert(SinkVariant<Sinks<>>);
static_assert(!SinkVariant<Causal>);

}  // namespace lamina
