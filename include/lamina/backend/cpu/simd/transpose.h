// Transposition of 16 x 16 numbers in registers.
//
// Squares of as many lanes as a vector has are transposed by exchanging halves, then quarters, down
// to neighbours (a butterfly); the squares themselves then change places.
#pragma once

#include "lamina/backend/cpu/simd/lanes.h"

#include <utility>

namespace lamina {

/// Exchanges the lanes of `a` that have bit `Half` with those of `b` that have not.
template <int Half, class Part, int... Lane>
[[gnu::always_inline]] inline void exchange_lanes(Part& a, Part& b,
                                                  std::integer_sequence<int, Lane...>) {
  constexpr int lanes = sizeof...(Lane);
  const Part low =
      __builtin_shufflevector(a, b, ((Lane & Half) == 0 ? Lane : lanes + Lane - Half)...);
  b = __builtin_shufflevector(a, b, ((Lane & Half) == 0 ? Lane + Half : lanes + Lane)...);
  a = low;
}

template <int Half, int Lanes, class Part>
[[gnu::always_inline]] inline void transpose_square(Part* rows) {
#pragma GCC unroll 16
  for (int i = 0; i < Lanes; ++i) {
    if ((i & Half) == 0) {
      exchange_lanes<Half>(rows[i], rows[i + Half], std::make_integer_sequence<int, Lanes>());
    }
  }
  if constexpr (Half > 1) transpose_square<Half / 2, Lanes>(rows);
}

/// Lane c of rows[r] becomes lane r of rows[c].
template <class S>
[[gnu::always_inline]] inline void transpose_lanes(typename S::Float (&rows)[16]) {
  constexpr int lanes = 16 / S::parts;
  typename S::FloatPart squares[S::parts][S::parts][lanes];
#pragma GCC unroll 4
  for (int i = 0; i < S::parts; ++i) {
#pragma GCC unroll 4
    for (int j = 0; j < S::parts; ++j) {
#pragma GCC unroll 16
      for (int r = 0; r < lanes; ++r) squares[j][i][r] = rows[i * lanes + r].part[j];
      transpose_square<lanes / 2, lanes>(squares[j][i]);
    }
  }
#pragma GCC unroll 4
  for (int j = 0; j < S::parts; ++j) {
#pragma GCC unroll 16
    for (int r = 0; r < lanes; ++r) {
#pragma GCC unroll 4
      for (int i = 0; i < S::parts; ++i) rows[j * lanes + r].part[i] = squares[j][i][r];
    }
  }
}

}  // namespace lamina
