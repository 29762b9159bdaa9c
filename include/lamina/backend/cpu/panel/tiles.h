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

/// The sums of a step's products, of all rows.
struct TileProducts {
  alignas(64) std::int32_t sums[2][16][16];
  bool fine;  // whether low parts are in it
};

/// Takes the products of one step.
template <class S, int Bits, int Rows, int Subs, bool HasMin>
[[gnu::always_inline]] inline void multiply_step(const UnpackedStep<S, Subs, HasMin>& w,
                                                 const TileSteps& x, TileProducts& to) {
  constexpr bool biased = tiles_biased<HasMin>;
  const typename S::Int start = S::set(biased ? sum_bias : 0);
  to.fine = any_fine<Rows>(x.fine);
  if (to.fine) {
    S::template multiply_fine_tiles<Bits, Subs, biased>(start, w.codes, x, to.sums);
  } else {
    S::template multiply_tiles<Subs, biased>(start, w.codes, x.records, to.sums);
  }
}

/// Adds one step's products of all rows.
template <class S, int Bits, bool Fine, int Rows, int Subs, bool HasMin>
[[gnu::always_inline]] inline void add_products(typename S::Float (&sums)[Rows],
                                                const TileProducts& products,
                                                const UnpackedStep<S, Subs, HasMin>& w,
                                                const StepRecord* x) {
  constexpr bool biased = tiles_biased<HasMin>;
  using Int = typename S::Int;
  const Quarters<S, Subs> quarters(w.scales);
  const typename S::Float* scales = Fine ? quarters.scales : w.scales;
#pragma GCC unroll 16
  for (int r = 0; r < Rows; ++r) {
    Int dots[Subs];
#pragma GCC unroll 2
    for (int s = 0; s < Subs; ++s) {
      dots[s] = Int::load(products.sums[s][r]);
      if constexpr (Fine && S::template parts_apart<Bits>) {
        const Int more = Int::load(products.sums[1][r]);
        dots[s] = (dots[s] << 2) + (biased ? more + S::set(sum_bias_again) : more);
      }
    }
    sums[r] = add_step<S, Subs, HasMin, biased>(sums[r], dots, scales, w.mins, x[r].sums);
  }
}

/// As multiply_bytes, by tiles of codes that are signed, their offsets taken off.
template <class S, int Bits, int Subs, bool HasMin, int Rows>
void multiply_tile(const UnpackedStep<S, Subs, HasMin>* w, std::int64_t steps, TileSteps x,
                   const WantedLines& wanted, const TileTarget& to, bool first) {
  typename S::Float sums[Rows];
#pragma GCC unroll 16
  for (int r = 0; r < Rows; ++r) sums[r] = first ? S::set_float(0) : load_sums<S>(to, r);
  // Tiles are one step ahead: what they store can be read only when it has reached the cache.
  TileProducts products[2];
  multiply_step<S, Bits, Rows>(*w, x, products[0]);
  for (std::int64_t step = 0; step < steps; ++step, ++w) {
    const StepRecord* records = x.records;
    x.advance(1, Rows);
    if (step + 1 < steps) multiply_step<S, Bits, Rows>(w[1], x, products[(step + 1) % 2]);
    wanted.fetch(step);
    const TileProducts& now = products[step % 2];
    if (now.fine) {
      add_products<S, Bits, true>(sums, now, *w, records);
    } else {
      add_products<S, Bits, false>(sums, now, *w, records);
    }
  }
#pragma GCC unroll 16
  for (int r = 0; r < Rows; ++r) store_sums<S>(sums[r], to, r);
}

}  // namespace lamina
