// Products by instruction sets that multiply tiles of bytes: for many columns.
//
// Some panels are unpacked for a run of steps that stays in the first caches, then meet every tile
// of columns. The sums of whole numbers come from tiles; what follows is that of panel/kernels.h,
// in the same order, so that the bits are the same as without tiles.
#pragma once

#include "lamina/backend/cpu/panel/kernels.h"

namespace lamina {

inline constexpr int steps_together = 32;  // a multiple of every unit's

/// Where a tile's results go: `y` [x.rows, stride], of which `count` rows of W.
struct TileTarget {
  float* y = nullptr;
  std::int64_t stride = 0;
  int count = 0;  // rows of W, at most 16
  int rows = 0;   // of x
};

/// Adds one step's products of all columns.
template <class S, Precision P, int Rows, int Subs, bool HasMin>
[[gnu::always_inline]] inline void add_products(typename S::Float (&sums)[Rows],
                                                const std::int32_t (&products)[Subs][16][16],
                                                const UnpackedStep<S, Subs, HasMin>& w,
                                                int offset_bits, const StepRecord* x) {
  using Int = typename S::Int;
  constexpr int parts = P == Precision::bits15 ? 2 : 1;
#pragma GCC unroll 16
  for (int r = 0; r < Rows; ++r) {
    const StepRecord& column = x[r * parts];
    Int dots[Subs];
#pragma GCC unroll 2
    for (int s = 0; s < Subs; ++s) {
      dots[s] = Int::load(products[s][r * parts]);
      if (parts == 2) dots[s] = (dots[s] << 7) + Int::load(products[s][r * parts + 1]);
      if (offset_bits >= 0) {
        const std::int32_t minus_sum = Subs == 1 ? column.minus_sum : column.minus_sums[s];
        dots[s] = dots[s] + (S::set(minus_sum) << offset_bits);
      }
    }
    sums[r] = add_step<S, Subs, HasMin>(sums[r], dots, w.scales[0], w.mins[0], column);
  }
}

/// Adds `steps` steps of one panel for one tile of columns; the first ones overwrite.
template <class S, int Bits, int Subs, bool HasMin, int Columns, Precision P>
void multiply_tile(const UnpackedStep<S, Subs, HasMin>* w, std::int64_t steps, int offset_bits,
                   const StepRecord* x, const TileTarget& to, bool first) {
  constexpr int parts = P == Precision::bits15 ? 2 : 1;
  constexpr int rows = Columns / parts;
  typename S::Float sums[rows];
#pragma GCC unroll 16
  for (int r = 0; r < rows; ++r) {
    sums[r] =
        first || r >= to.rows ? S::set_float(0) : S::load_lanes(to.y + r * to.stride, to.count);
  }
  // Tiles are one step ahead: what they store can be read only when it has reached the cache.
  alignas(64) std::int32_t products[2][Subs][16][16];
  S::template multiply_tiles<Subs>(w->codes[0], x, products[0]);
  for (std::int64_t step = 0; step < steps; ++step, ++w, x += Columns) {
    if (step + 1 < steps) {
      S::template multiply_tiles<Subs>(w[1].codes[0], x + Columns, products[(step + 1) % 2]);
    }
    add_products<S, P>(sums, products[step % 2], *w, offset_bits, x);
  }
#pragma GCC unroll 16
  for (int r = 0; r < rows; ++r) {
    if (r < to.rows) S::store_lanes(sums[r], to.y + r * to.stride, to.count);
  }
}

}  // namespace lamina
