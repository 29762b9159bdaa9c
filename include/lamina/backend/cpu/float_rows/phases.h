// Products of many rows of activations with rows of floats, by outer products.
//
// Lane j of a sum (see kernels.h) has the elements j, j + 16, ...: its phase j. Here the lanes of
// vectors are rows of W, so that a phase is a sum of its own, and every number that is read meets
// many others: a vector of weights all rows of a tile, a number of x 32 rows of W. Weights and x
// are transposed for that, [phases, steps, rows], and the phases added up at the end, in the order
// of lanes.
#pragma once

#include "lamina/backend/cpu/float_rows/kernels.h"
#include "lamina/backend/cpu/float_rows/product.h"
#include "lamina/backend/cpu/simd/transpose.h"

namespace lamina {

/// Floats between phases of weights; one step more than it has, for phases that are a
/// power of two apart would share the places of a cache.
constexpr std::int64_t weight_phase_stride(std::int64_t steps) {
  return (steps + 1) * float_rows_together;
}

/// 16 elements of a row from `first` on as floats; those past `cols` are zero.
template <class S, FormatId F>
[[gnu::always_inline]] inline typename S::Float load_step(const std::byte* row, std::int64_t first,
                                                          std::int64_t cols) {
  if (first + float_lanes <= cols) return load_elements<S, F>(row, first);
  std::byte last[64] = {};
  __builtin_memcpy(last, row + first * float_bytes<F>,
                   static_cast<std::size_t>((cols - first) * float_bytes<F>));
  return load_elements<S, F>(last, 0);
}

/// Lays tile `t` of x [rows, stride] out; rows that do not exist are zero.
template <class S>
void arrange_tile(const float* x, std::int64_t stride, std::int64_t cols, const PhasedRows& to,
                  std::int64_t t) {
  const int used = to.used(t);
  const auto* rows = reinterpret_cast<const std::byte*>(x + t * to.tile * stride);
  const std::int64_t row_bytes = stride * static_cast<std::int64_t>(sizeof(float));
  for (std::int64_t step = 0; step < to.steps; ++step) {
    typename S::Float square[16];
    for (int r = 0; r < 16; ++r) {
      square[r] = r < used ? load_step<S, FormatId::f32>(rows + r * row_bytes, step * 16, cols)
                           : S::set_float(0);
    }
    transpose_lanes<S>(square);
    // A vector reaches into the next step, which is written after it.
    for (int j = 0; j < float_lanes; ++j) square[j].store(to.of_phase(t, j, step));
  }
}

/// Some rows of W as floats, to [phases, steps, rows].
template <class S, FormatId F>
[[gnu::always_inline]] inline void arrange_weights(const FloatProduct& p, std::int64_t first,
                                                   int rows, float* to) {
  constexpr int ahead = 1024;  // bytes of every row, asked for to the second cache
  const std::int64_t steps = steps_of_phase(p.cols);
  const std::int64_t stride = weight_phase_stride(steps);
  for (int of = 0; of < float_rows_together; of += 16) {
    const std::byte* w = p.w + (first + of) * p.row_bytes;
    for (std::int64_t step = 0; step < steps; ++step) {
      typename S::Float square[16];
#pragma GCC unroll 16
      for (int r = 0; r < 16; ++r) {
        square[r] = S::set_float(0);
        if (of + r >= rows) continue;
        const std::byte* row = w + r * p.row_bytes;
        square[r] = load_step<S, F>(row, step * float_lanes, p.cols);
        __builtin_prefetch(row + step * float_lanes * float_bytes<F> + ahead, 0, 2);
      }
      transpose_lanes<S>(square);
#pragma GCC unroll 16
      for (int j = 0; j < 16; ++j) {
        square[j].store(to + j * stride + step * float_rows_together + of);
      }
    }
  }
}

/// sums[phase][row of x][row of W] = 32 rows of weights times a tile's rows, phase by phase.
template <class S, int Rows>
[[gnu::always_inline]] inline void add_phases(float* sums, const float* w, const PhasedRows& x,
                                              std::int64_t t) {
  using Part = typename S::FloatPart;
  constexpr int lanes = 16 / S::parts;
  constexpr int together = S::phase_parts;  // vectors whose sums fit the registers
  for (int phase = 0; phase < float_lanes; ++phase, w += weight_phase_stride(x.steps)) {
    for (int v = 0; v < float_rows_together; v += together * lanes) {
      Part sum[Rows][together] = {};
      const float* weights = w + v;
      const float* factors = x.of_phase(t, phase, 0);
      for (std::int64_t s = 0; s < x.steps; ++s, weights += float_rows_together, factors += Rows) {
        Part weight[together];
#pragma GCC unroll 4
        for (int i = 0; i < together; ++i) {
          weight[i] = S::template load<Part>(weights + i * lanes);
        }
#pragma GCC unroll 12
        for (int r = 0; r < Rows; ++r) {
          const Part factor = S::in_register(factors[r] - Part{});
#pragma GCC unroll 4
          for (int i = 0; i < together; ++i) {
            sum[r][i] = S::multiply_add(weight[i], factor, sum[r][i]);
          }
        }
      }
      float* at = sums + phase * Rows * float_rows_together + v;
#pragma GCC unroll 12
      for (int r = 0; r < Rows; ++r) {
#pragma GCC unroll 4
        for (int i = 0; i < together; ++i) {
          __builtin_memcpy(at + r * float_rows_together + i * lanes, &sum[r][i], sizeof(Part));
        }
      }
    }
  }
}

/// Adds up the phases of one row of x and 16 rows of W, in pairs as sums_of_lanes does.
template <class S>
[[gnu::always_inline]] inline typename S::Float sum_of_phases(const float* sums,
                                                              std::int64_t phase_stride) {
  typename S::Float x[16];
#pragma GCC unroll 16
  for (int j = 0; j < 16; ++j) x[j] = S::Float::load(sums + j * phase_stride);
#pragma GCC unroll 4
  for (int half = 8; half > 0; half /= 2) {
#pragma GCC unroll 8
    for (int j = 0; j < half; ++j) x[j] = x[j] + x[j + half];
  }
  return x[0];
}

}  // namespace lamina
