// The kernels on panels: a few columns of activations times 16 weight rows.
//
// For every row and column, whatever the kernel, tile and thread: steps of 32 in order, each with
// whole numbers summed exactly, then
//   t = S scale  (or S0 scale0 + S1 scale1);  y += t scale_x;  y -= min sum_x  (for each min).
// Two ways to get there: `multiply_direct` unpacks codes in registers, for few columns;
// `multiply_bytes` reads codes that `unpack_panel` has laid out as bytes, for many.
#pragma once

#include "lamina/backend/cpu/panel/activations.h"
#include "lamina/backend/cpu/panel/formats.h"

#include <cstddef>
#include <cstdint>

namespace lamina {

/// What a step's sums of whole numbers, one for each sub, add to y: see above.
template <class S, int Subs, bool HasMin>
[[gnu::always_inline]] inline typename S::Float add_step(typename S::Float y,
                                                         const typename S::Int (&sums)[Subs],
                                                         const typename S::Float* scales,
                                                         const typename S::Float* mins,
                                                         const StepRecord& x) {
  typename S::Float t = S::to_float(sums[0]) * scales[0];
  if constexpr (Subs == 2) t = S::multiply_add(S::to_float(sums[1]), scales[1], t);
  y = S::multiply_add(t, S::set_float(x.scale), y);
  if constexpr (HasMin && Subs == 1) {
    y = S::multiply_subtract(mins[0], S::set_float(x.scaled_sum), y);
  }
  if constexpr (HasMin && Subs == 2) {
    y = S::multiply_subtract(mins[0], S::set_float(x.scaled_sums[0]), y);
    y = S::multiply_subtract(mins[1], S::set_float(x.scaled_sums[1]), y);
  }
  return y;
}

/// The whole-number sums of one step and one column, or of the column's two parts.
template <class S, int Bits, int Subs, Precision P>
[[gnu::always_inline]] inline void dot_step(typename S::Int (&sums)[Subs],
                                            const typename S::Int* codes, const StepRecord* x,
                                            int offset_bits) {
  constexpr int lines = 8 / Subs;
#pragma GCC unroll 2
  for (int s = 0; s < Subs; ++s) {
    const std::int32_t minus_sum = Subs == 1 ? x->minus_sum : x->minus_sums[s];
    const auto start = offset_bits < 0 ? S::set(0) : S::set(minus_sum) << offset_bits;
    if constexpr (P == Precision::bits8) {
      sums[s] = S::template dot<Bits, lines>(start, codes + s * lines, x->codes + s * 16);
    } else {
      const auto high =
          S::template dot<Bits, lines>(S::set(0), codes + s * lines, x->codes + s * 16);
      const auto low = S::template dot<Bits, lines>(start, codes + s * lines, x[1].codes + s * 16);
      sums[s] = (high << 7) + low;
    }
  }
}

/// y[row of the panel] for each of `Columns` columns (or pairs of columns); `y` is [rows, stride].
template <class S, class F, int Columns, Precision P>
void multiply_direct(const std::byte* panel, std::int64_t units, const StepRecord* x, float* y,
                     std::int64_t stride) {
  constexpr int parts = P == Precision::bits15 ? 2 : 1;
  constexpr int rows = Columns / parts;
  constexpr int ahead = 8 * 1024;  // bytes to fetch ahead
  typename S::Float sums[rows];
  for (auto& sum : sums) sum = S::set_float(0);
  for (std::int64_t u = 0; u < units; ++u, panel += F::unit_bytes) {
    for (int i = 0; i < F::unit_bytes; i += 64) __builtin_prefetch(panel + i + ahead);
    UnitScales<S, F> scales;
    F::template scales<S>(panel, scales);
    for (int step = 0; step < F::steps; ++step, x += Columns) {
      typename S::Int codes[8];
      F::template codes<S>(panel, step, codes);
#pragma GCC unroll 6
      for (int c = 0; c < rows; ++c) {
        typename S::Int dots[F::subs];
        dot_step<S, F::bits, F::subs, P>(dots, codes, x + c * parts, F::template offset_bits<S>);
        sums[c] = add_step<S, F::subs, F::has_min>(sums[c], dots, scales.scales + step * F::subs,
                                                   scales.mins + step * F::subs, x[c * parts]);
      }
    }
  }
#pragma GCC unroll 6
  for (int c = 0; c < rows; ++c) sums[c].store(y + c * stride);
}

/// One step of some panels with its codes unpacked.
template <class S, int Subs, bool HasMin>
struct UnpackedStep {
  typename S::Int codes[S::tile_panels][8];
  typename S::Float scales[S::tile_panels][Subs];
  typename S::Float mins[HasMin ? S::tile_panels : 1][HasMin ? Subs : 1];
};

/// Unpacks panel number `number` of a tile.
template <class S, class F>
void unpack_panel(const std::byte* panel, std::int64_t units, int number,
                  UnpackedStep<S, F::subs, F::has_min>* to) {
  for (std::int64_t u = 0; u < units; ++u, panel += F::unit_bytes) {
    UnitScales<S, F> scales;
    F::template scales<S>(panel, scales);
    for (int step = 0; step < F::steps; ++step, ++to) {
      typename S::Int codes[8];
      F::template codes<S>(panel, step, codes);
      for (int j = 0; j < 8; ++j) to->codes[number][j] = codes[j];
      for (int s = 0; s < F::subs; ++s) {
        to->scales[number][s] = scales.scales[step * F::subs + s];
        if (F::has_min) to->mins[number][s] = scales.mins[step * F::subs + s];
      }
    }
  }
}

/// As multiply_direct, of S::tile_panels unpacked panels.
template <class S, int Bits, int Subs, bool HasMin, int Columns, Precision P>
void multiply_bytes(const UnpackedStep<S, Subs, HasMin>* w, std::int64_t steps, int offset_bits,
                    const StepRecord* x, float* y, std::int64_t stride) {
  constexpr int parts = P == Precision::bits15 ? 2 : 1;
  constexpr int rows = Columns / parts;
  constexpr int panels = S::tile_panels;
  typename S::Float sums[rows][panels];
  for (auto& row : sums) {
    for (auto& sum : row) sum = S::set_float(0);
  }
  for (std::int64_t step = 0; step < steps; ++step, ++w, x += Columns) {
#pragma GCC unroll 6
    for (int c = 0; c < rows; ++c) {
#pragma GCC unroll 2
      for (int p = 0; p < panels; ++p) {
        typename S::Int dots[Subs];
        dot_step<S, Bits, Subs, P>(dots, w->codes[p], x + c * parts, offset_bits);
        sums[c][p] = add_step<S, Subs, HasMin>(sums[c][p], dots, w->scales[p],
                                               w->mins[HasMin ? p : 0], x[c * parts]);
      }
    }
  }
#pragma GCC unroll 6
  for (int c = 0; c < rows; ++c) {
    for (int p = 0; p < panels; ++p) sums[c][p].store(y + c * stride + p * panel_rows);
  }
}

}  // namespace lamina
