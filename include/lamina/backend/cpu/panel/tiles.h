// Products by instruction sets that multiply tiles of bytes: for many rows of activations.
//
// The sums of whole numbers come from tiles; what follows is that of panel/kernels.h, in the same
// order, so that the bits are the same as without tiles.
#pragma once

#include "lamina/backend/cpu/panel/kernels.h"

namespace lamina {

/// Whether products of tiles are biased: to load the bias costs as much as it saves where floats
/// take longer than tiles.
template <bool HasMin>
inline constexpr bool tiles_biased = !HasMin;

/// Adds one step's products of all rows.
template <class S, int Bits, Precision P, int Rows, int Subs, bool HasMin>
[[gnu::always_inline]] inline void add_products(typename S::Float (&sums)[Rows],
                                                const std::int32_t (&products)[2][16][16],
                                                const UnpackedStep<S, Subs, HasMin>& w,
                                                const StepRecord* x) {
  using Int = typename S::Int;
  constexpr int records = records_of(P);
#pragma GCC unroll 16
  for (int r = 0; r < Rows; ++r) {
    const StepSums& row = x[(r + 1) * records - 1].sums;
    Int dots[Subs];
#pragma GCC unroll 2
    for (int s = 0; s < Subs; ++s) {
      dots[s] = Int::load(products[s][r]);
      if constexpr (S::template parts_apart<Bits, P>) {
        dots[s] = (dots[s] << 2) + Int::load(products[1][r]);
      }
    }
    sums[r] = add_step<S, Subs, HasMin, tiles_biased<HasMin>>(sums[r], dots, w.scales, w.mins, row);
  }
}

/// As multiply_bytes, by tiles of codes that are signed, their offsets taken off.
template <class S, int Bits, int Subs, bool HasMin, int Rows, Precision P>
void multiply_tile(const UnpackedStep<S, Subs, HasMin>* w, std::int64_t steps, const StepRecord* x,
                   const WantedLines& wanted, const TileTarget& to, bool first) {
  constexpr int records = Rows * records_of(P);
  typename S::Float sums[Rows];
#pragma GCC unroll 16
  for (int r = 0; r < Rows; ++r) sums[r] = first ? S::set_float(0) : load_sums<S>(to, r);
  // High parts of their own count four times.
  constexpr Precision of_first = S::template parts_apart<Bits, P> ? P : Precision::bits8;
  const typename S::Int start = S::set(first_sum<of_first>(tiles_biased<HasMin>));
  // Tiles are one step ahead: what they store can be read only when it has reached the cache.
  alignas(64) std::int32_t products[2][2][16][16];
  S::template multiply_tiles<Bits, Subs, P, tiles_biased<HasMin>>(start, w->codes, x, products[0]);
  for (std::int64_t step = 0; step < steps; ++step, ++w, x += records) {
    if (step + 1 < steps) {
      S::template multiply_tiles<Bits, Subs, P, tiles_biased<HasMin>>(
          start, w[1].codes, x + records, products[(step + 1) % 2]);
    }
    wanted.fetch(step);
    add_products<S, Bits, P>(sums, products[step % 2], *w, x);
  }
#pragma GCC unroll 16
  for (int r = 0; r < Rows; ++r) store_sums<S>(sums[r], to, r);
}

}  // namespace lamina
