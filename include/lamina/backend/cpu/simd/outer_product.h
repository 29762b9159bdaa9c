// The heart of float products: rows of numbers times vectors that the rows share.
#pragma once

#include "lamina/backend/cpu/simd/lanes.h"

namespace lamina {

/// sums[r][v] += a[r][i] * b[i][v] for i = 0, 1, ... in this order; `b` has rows of `stride`
/// floats. A sum's bits do not depend on the others'.
template <class S, int Rows, int Vectors>
[[gnu::always_inline]] inline void add_outer_products(typename S::Float (&sums)[Rows][Vectors],
                                                      const float* const (&a)[Rows], const float* b,
                                                      std::int64_t stride, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i, b += stride) {
    typename S::Float shared[Vectors];
#pragma GCC unroll 4
    for (int v = 0; v < Vectors; ++v) shared[v] = S::Float::load(b + 16 * v);
#pragma GCC unroll 8
    for (int r = 0; r < Rows; ++r) {
      const typename S::Float factor = S::Float::all(a[r][i]);
#pragma GCC unroll 4
      for (int v = 0; v < Vectors; ++v) {
        sums[r][v] = S::multiply_add(factor, shared[v], sums[r][v]);
      }
    }
  }
}

/// Calls `call.template operator()<Rows>(first)` for all rows, in groups of `Most` and then of
/// fewer.
template <int Most, class Call>
[[gnu::always_inline]] inline void in_groups(int rows, const Call& call, int first = 0) {
  for (; first + Most <= rows; first += Most) call.template operator()<Most>(first);
  if constexpr (Most > 1) in_groups<Most / 2>(rows, call, first);
}

}  // namespace lamina
