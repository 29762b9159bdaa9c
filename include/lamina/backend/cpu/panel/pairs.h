// Two panels at once, for instruction sets with registers for it: what is read of an activation
// serves both, and so fewer loads go with each dot product. The same operations in the same order
// as in multiply_bytes, and so the same bits.
#pragma once

#include "lamina/backend/cpu/panel/kernels.h"

namespace lamina {

/// Rows that two panels meet at once, a divisor of `Rows`: two panels' sums, whole and float, fill
/// the registers. 0 where panels are taken one by one.
template <class S, int Subs, int Rows>
constexpr int rows_of_pair() {
  if (!S::takes_pairs) return 0;
  if (Subs == 1 && Rows % 6 == 0) return 6;
  return Rows % 4 == 0 ? 4 : 0;
}

/// The whole-number sums of a step of two panels and some rows.
template <class S, int Subs, int Rows>
struct PairSums {
  typename S::Int of[2][Subs][Rows];

  /// Adds `start(r, s)` to the sums of row r, sub s.
  template <class Start>
  [[gnu::always_inline]] void add(const Start& start) {
#pragma GCC unroll 2
    for (int s = 0; s < Subs; ++s) {
#pragma GCC unroll 6
      for (int r = 0; r < Rows; ++r) {
        const auto more = S::set(start(r, s));
        of[0][s][r] = of[0][s][r] + more;
        of[1][s][r] = of[1][s][r] + more;
      }
    }
  }
  [[gnu::always_inline]] void count_four_times() {
#pragma GCC unroll 2
    for (int s = 0; s < Subs; ++s) {
#pragma GCC unroll 6
      for (int r = 0; r < Rows; ++r) {
        of[0][s][r] = of[0][s][r] << 2;
        of[1][s][r] = of[1][s][r] << 2;
      }
    }
  }
  template <class Record>
  [[gnu::always_inline]] void dot(const typename S::Int* first, const typename S::Int* second,
                                  const Record* x) {
    constexpr int lines = 8 / Subs;
#pragma GCC unroll 8
    for (int j = 0; j < 8; ++j) {
      S::dot_two(of[0][j / lines], of[1][j / lines], first[j], second[j], x->codes + 4 * j,
                 sizeof(Record));
    }
  }
};

/// Adds one step of two panels for some rows.
template <class S, int Bits, int Subs, bool HasMin, int Rows>
[[gnu::always_inline]] inline void add_pair(typename S::Float (&sums)[2][Rows],
                                            const UnpackedStep<S, Subs, HasMin>& first,
                                            const UnpackedStep<S, Subs, HasMin>& second,
                                            const TileSteps& x, int offset_bits) {
  constexpr bool offset = has_offset<S, Bits, HasMin>;
  PairSums<S, Subs, Rows> dots = {};
  dots.add([&](int r, int s) __attribute__((always_inline)) {
    const std::int32_t start = S::biased_sums && s == 0 ? sum_bias : 0;
    if constexpr (!offset) return start;
    return start + minus_offset<Subs>(x.records[r].sums, s, offset_bits);
  });
  dots.dot(first.codes, second.codes, x.records);
  if (any_fine<Rows>(x.fine)) {
    dots.count_four_times();
    dots.add([&](int r, int s) __attribute__((always_inline)) {
      const std::int32_t start = S::biased_sums && s == 0 ? sum_bias_again : 0;
      if constexpr (!offset) return start;
      return start + minus_offset<Subs>(x.low[r], s, offset_bits);
    });
    dots.dot(first.codes, second.codes, x.low);
    const Quarters<S, Subs> scales(first.scales), others(second.scales);
    add_sums<S, Subs, HasMin>(sums[0], dots.of[0], scales.scales, first.mins, x.records);
    add_sums<S, Subs, HasMin>(sums[1], dots.of[1], others.scales, second.mins, x.records);
  } else {
    add_sums<S, Subs, HasMin>(sums[0], dots.of[0], first.scales, first.mins, x.records);
    add_sums<S, Subs, HasMin>(sums[1], dots.of[1], second.scales, second.mins, x.records);
  }
}

/// As multiply_bytes, for the rows of a tile from `row` on and two panels, whose unpacked steps
/// and results begin at `w` and `to`.
template <class S, int Bits, int Subs, bool HasMin, int TileRows>
void multiply_pair(const UnpackedStep<S, Subs, HasMin>* const (&w)[2], std::int64_t steps,
                   int offset_bits, TileSteps x, int row, const TileTarget (&to)[2], bool first) {
  constexpr int rows = rows_of_pair<S, Subs, TileRows>();
  typename S::Float sums[2][rows];
#pragma GCC unroll 6
  for (int r = 0; r < rows; ++r) {
    sums[0][r] = first ? S::set_float(0) : load_sums<S>(to[0], row + r);
    sums[1][r] = first ? S::set_float(0) : load_sums<S>(to[1], row + r);
  }
  x = x.from_row(row);
  for (std::int64_t step = 0; step < steps; ++step) {
    add_pair<S, Bits>(sums, w[0][step], w[1][step], x, offset_bits);
    x.advance(1, TileRows);
  }
#pragma GCC unroll 6
  for (int r = 0; r < rows; ++r) {
    store_sums<S>(sums[0][r], to[0], row + r);
    store_sums<S>(sums[1][r], to[1], row + r);
  }
}

}  // namespace lamina
