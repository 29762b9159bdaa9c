// One number of 16 lanes: their sum or their largest.
//
// Lanes are combined in pairs, j with j + 8, then j + 4, j + 2 and j + 1, so that every instruction
// set gets the same bits.
#pragma once

#include "lamina/backend/cpu/simd/lanes.h"
#include "lamina/backend/cpu/simd/transpose.h"

#include <utility>

namespace lamina {

/// The vector with lane l in the place of lane l ^ Distance.
template <int Distance, class Part, int... Lane>
[[gnu::always_inline]] inline Part exchanged(Part x, std::integer_sequence<int, Lane...>) {
  return __builtin_shufflevector(x, x, (Lane ^ Distance)...);
}

/// Combines all lanes by `combine`, a function of two vectors.
template <class S, class Combine>
[[gnu::always_inline]] inline float fold_lanes(typename S::Float x, const Combine& combine) {
  using Part = typename S::FloatPart;
  constexpr int lanes = 16 / S::parts;
  constexpr auto order = std::make_integer_sequence<int, lanes>();
#pragma GCC unroll 2
  for (int apart = S::parts / 2; apart > 0; apart /= 2) {
#pragma GCC unroll 2
    for (int i = 0; i < apart; ++i) x.part[i] = combine(x.part[i], x.part[i + apart]);
  }
  Part y = x.part[0];
  if constexpr (lanes > 8) y = combine(y, exchanged<8>(y, order));
  if constexpr (lanes > 4) y = combine(y, exchanged<4>(y, order));
  y = combine(y, exchanged<2>(y, order));
  y = combine(y, exchanged<1>(y, order));
  return y[0];
}

template <class S>
[[gnu::always_inline]] inline float sum_of_lanes(typename S::Float x) {
  using Part = typename S::FloatPart;
  return fold_lanes<S>(
      x, [](Part a, Part b) __attribute__((always_inline))->Part { return a + b; });
}

/// Halves the number of vectors: lane l of a result is the sum of two lanes that are `Half` apart.
template <int Half, int Lanes, class Part>
[[gnu::always_inline]] inline void add_apart(Part* x) {
#pragma GCC unroll 8
  for (int i = 0; i < Half; ++i) {
    exchange_lanes<Half>(x[i], x[i + Half], std::make_integer_sequence<int, Lanes>());
    x[i] += x[i + Half];
  }
  if constexpr (Half > 1) add_apart<Half / 2, Lanes>(x);
}

/// Lane r becomes the sum of the lanes of rows[r], with the bits of sum_of_lanes.
template <class S>
[[gnu::always_inline]] inline typename S::Float sums_of_lanes(typename S::Float (&rows)[16]) {
  constexpr int lanes = 16 / S::parts;
  typename S::Float sums;
#pragma GCC unroll 4
  for (int p = 0; p < S::parts; ++p) {
    typename S::FloatPart x[lanes];
#pragma GCC unroll 16
    for (int r = 0; r < lanes; ++r) {
      auto& part = rows[p * lanes + r].part;
#pragma GCC unroll 2
      for (int apart = S::parts / 2; apart > 0; apart /= 2) {
#pragma GCC unroll 2
        for (int i = 0; i < apart; ++i) part[i] += part[i + apart];
      }
      x[r] = part[0];
    }
    add_apart<lanes / 2, lanes>(x);
    sums.part[p] = x[0];
  }
  return sums;
}

/// The largest lane that is a number.
template <class S>
[[gnu::always_inline]] inline float largest_lane(typename S::Float x) {
  using Part = typename S::FloatPart;
  return fold_lanes<S>(
      x, [](Part a, Part b) __attribute__((always_inline))->Part { return a > b ? a : b; });
}

}  // namespace lamina
