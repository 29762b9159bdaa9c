// Streaming softmax: a weighted mean that takes scores and values as they come, in one pass.
//
// Kept are the largest score so far, the sum of exp(score - largest) and the weighted sum of
// values; when the largest grows, both sums are scaled down (Milakov and Gimelshein 2018; Dao et
// al. 2022). Chunks of keys are merged by the same rule. Whoever wants the same bits in prefill and
// decode cuts chunks at absolute positions and merges them in order.
#pragma once

#include "lamina/core/config.h"

#include <cmath>
#include <limits>

namespace lamina {

/// The two scalars of a streaming softmax; the weighted sum of values is the caller's.
template <class Real>
struct OnlineSoftmax {
  /// The score of nothing; a constant, because device code may not call numeric_limits.
  static constexpr Real none = -std::numeric_limits<Real>::infinity();

  Real top = none;
  Real sum = 0;

  /// Takes a chunk whose largest score is `chunk_top`; returns what the sums so far must be
  /// multiplied by.
  LAMINA_HD Real rescale(Real chunk_top) {
    if (!(chunk_top > top)) return Real(1);
    using std::exp;
    // With nothing taken yet the sums are zero and any factor will do; exp(-inf - x) is a clean 0.
    const Real factor = exp(top - chunk_top);
    top = chunk_top;
    sum *= factor;
    return factor;
  }

  /// The weight of a score in the current scale; a score of -infinity has none.
  LAMINA_HD Real weight(Real score) const {
    using std::exp;
    return score == none ? Real(0) : exp(score - top);
  }

  /// 1 / sum, or 0 where no key took part.
  LAMINA_HD Real normalizer() const { return sum == Real(0) ? Real(0) : Real(1) / sum; }

  /// The natural log-sum-exp of all scores taken.
  LAMINA_HD Real log_sum() const {
    using std::log;
    return sum == Real(0) ? none : top + log(sum);
  }
};

}  // namespace lamina
