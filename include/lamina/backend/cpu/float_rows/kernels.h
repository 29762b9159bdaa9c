// Rows of floats times a few rows of floats: the sums that products of F32, F16 and BF16 weights
// are made of.
//
// A sum has 16 lanes: lane j takes the elements j, j + 16, j + 32, ... in order, and the lanes are
// added in pairs at the end. So a weight is read as it lies in its file, for one token and for
// many, and a sum never depends on its company.
#pragma once

#include "lamina/backend/cpu/float_rows/product.h"
#include "lamina/backend/cpu/simd/load_elements.h"

namespace lamina {

/// Bytes of a number.
template <FormatId F>
inline constexpr int float_bytes = F == FormatId::f32 ? 4 : 2;

/// `sums` [Tokens][sum_stride / 16 rows][lanes] += w x over `count` elements, a multiple of 16.
/// Weights are fetched `ahead` bytes before they are read.
template <class S, FormatId F, int Rows, int Tokens>
[[gnu::always_inline]] inline void add_dots(float* sums, std::int64_t sum_stride,
                                            const std::byte* const* w, std::int64_t ahead,
                                            const float* x, std::int64_t x_stride,
                                            std::int64_t count) {
  using Float = typename S::Float;
  Float sum[Rows][Tokens];
  const std::byte* row[Rows];
#pragma GCC unroll 4
  for (int r = 0; r < Rows; ++r) {
    row[r] = w[r];
#pragma GCC unroll 8
    for (int t = 0; t < Tokens; ++t) sum[r][t] = Float::load(sums + t * sum_stride + r * 16);
  }
  for (std::int64_t i = 0; i < count; i += float_lanes) {
#pragma GCC unroll 4
    for (int r = 0; r < Rows; ++r) __builtin_prefetch(row[r] + i * float_bytes<F> + ahead);
#pragma GCC unroll 4
    for (int p = 0; p < S::parts; ++p) {  // so that a part's operands fit the registers
      typename S::FloatPart token[Tokens];
#pragma GCC unroll 8
      for (int t = 0; t < Tokens; ++t) {
        token[t] = S::in_register(Float::load(x + t * x_stride + i).part[p]);
      }
#pragma GCC unroll 4
      for (int r = 0; r < Rows; ++r) {
        const auto weight = load_elements<S, F>(row[r], i).part[p];
#pragma GCC unroll 8
        for (int t = 0; t < Tokens; ++t) {
          sum[r][t].part[p] = S::multiply_add(weight, token[t], sum[r][t].part[p]);
        }
      }
    }
  }
#pragma GCC unroll 4
  for (int r = 0; r < Rows; ++r) {
#pragma GCC unroll 8
    for (int t = 0; t < Tokens; ++t) sum[r][t].store(sums + t * sum_stride + r * 16);
  }
}

}  // namespace lamina
