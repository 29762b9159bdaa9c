// Products of F32, F16 and BF16 weights: which elements meet when.
//
// A few tokens: weights are turned to floats in registers. More: 32 rows at a time are turned to
// floats and transposed, once for all tokens (phases.h), and stay in the second cache. The order
// within a sum is the same.
#pragma once

#include "lamina/backend/cpu/float_rows/kernels.h"
#include "lamina/backend/cpu/float_rows/phases.h"
#include "lamina/backend/cpu/float_rows/product.h"
#include "lamina/backend/cpu/simd/fold.h"
#include "lamina/backend/cpu/simd/outer_product.h"

namespace lamina {

/// As many tokens read weights as they lie: to transpose them would cost more than it saves.
template <class S>
inline constexpr int few_tokens = 8 * S::dot_tokens;

/// Rows of W from `w` on.
struct FloatBlock {
  const std::byte* w = nullptr;
  std::int64_t row_bytes = 0;
  int rows = 0;
};

/// Adds `count` elements of every row of the block, of format F, for every token.
template <class S, FormatId F>
[[gnu::always_inline]] inline void add_block(float* sums, const FloatBlock& block, const float* x,
                                             std::int64_t x_stride, int tokens,
                                             std::int64_t count) {
  constexpr std::int64_t sum_stride = float_rows_together * float_lanes;
  for (int r = 0; r < block.rows; r += S::dot_rows) {
    const std::byte* group[S::dot_rows];
    // Past the end the last row stands in; nobody reads those sums.
    for (int i = 0; i < S::dot_rows; ++i) {
      group[i] = block.w + (r + i < block.rows ? r + i : block.rows - 1) * block.row_bytes;
    }
    const std::int64_t ahead = S::dot_rows * block.row_bytes;  // the next group
    in_groups<S::dot_tokens>(
        tokens, [&]<int Tokens>(int t) __attribute__((always_inline)) {
          add_dots<S, F, S::dot_rows, Tokens>(sums + t * sum_stride + r * float_lanes, sum_stride,
                                              group, ahead, x + t * x_stride, x_stride, count);
        });
  }
}

/// y of `rows` rows for one token: the sums' lanes added up.
template <class S>
[[gnu::always_inline]] inline void finish_sums(const float* sums, int rows, float* y) {
  for (int r = 0; r < rows; r += 16) {
    typename S::Float lanes[16];
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i) lanes[i] = S::Float::load(sums + (r + i) * float_lanes);
    sums_of_lanes<S>(lanes).store_first(rows - r, y + r);
  }
}

/// A few tokens of a product with `rows` rows of W from `first` on.
template <class S, FormatId F>
void multiply_few(const FloatProduct& p, std::int64_t first, int rows, float* sums) {
  constexpr std::int64_t sum_stride = float_rows_together * float_lanes;
  const std::byte* w = p.w + first * p.row_bytes;
  const auto tokens = static_cast<int>(p.input.tokens);
  __builtin_memset(sums, 0, static_cast<std::size_t>(tokens * sum_stride) * sizeof(float));
  const std::int64_t whole = p.cols / float_lanes * float_lanes;
  add_block<S, F>(sums, {w, p.row_bytes, rows}, p.input.x, p.input.stride, tokens, whole);
  if (whole < p.cols) {
    float last[float_rows_together * float_lanes];
    for (int r = 0; r < rows; ++r) {
      load_step<S, F>(w + r * p.row_bytes, whole, p.cols).store(last + r * float_lanes);
    }
    const auto* bytes = reinterpret_cast<const std::byte*>(last);
    constexpr std::int64_t row_bytes = float_lanes * sizeof(float);
    add_block<S, FormatId::f32>(sums, {bytes, row_bytes, rows}, p.input.x + whole, p.input.stride,
                                tokens, float_lanes);
  }
  for (int t = 0; t < tokens; ++t) {
    finish_sums<S>(sums + t * sum_stride, rows, p.y + t * p.y_stride + first);
  }
}

/// y of `rows` rows of W from `first` on for tile `t`: the sums' phases added up.
template <class S>
[[gnu::always_inline]] inline void finish_tile(const FloatProduct& p, const float* sums,
                                               std::int64_t t, std::int64_t first, int rows) {
  const std::int64_t phase_stride = p.input.phased.width(t) * float_rows_together;
  for (int i = 0; i < p.input.phased.used(t); ++i, sums += float_rows_together) {
    float* y = p.y + (t * p.input.phased.tile + i) * p.y_stride + first;
    for (int r = 0; r < rows; r += 16) {
      sum_of_phases<S>(sums + r, phase_stride).store_first(rows - r, y + r);
    }
  }
}

/// Many tokens of a product with `rows` rows of W from `first` on.
template <class S, FormatId F>
void multiply_many(const FloatProduct& p, std::int64_t first, int rows, float* scratch) {
  float* sums = scratch;
  float* w = scratch + S::phase_rows * float_rows_together * float_lanes;
  arrange_weights<S, F>(p, first, rows, w);
  for (std::int64_t t = 0; t < p.input.phased.tiles(); ++t) {
    with_width<S::phase_rows>(
        p.input.phased.width(t), [&]<int Rows>() __attribute__((always_inline)) {
          add_phases<S, Rows>(sums, w, p.input.phased, t);
        });
    finish_tile<S>(p, sums, t, first, rows);
  }
}

template <class S, FormatId F>
void multiply_floats_of(const FloatProduct& p, std::int64_t first, int rows, float* scratch) {
  if (p.input.tokens <= few_tokens<S>) {
    multiply_few<S, F>(p, first, rows, scratch);
  } else {
    multiply_many<S, F>(p, first, rows, scratch);
  }
}

/// See FloatKernels.
template <class S>
void multiply_floats(const FloatProduct& p, std::int64_t first, std::int64_t end, float* scratch) {
  const auto rows = static_cast<int>(end - first);
  if (p.format == FormatId::f32) multiply_floats_of<S, FormatId::f32>(p, first, rows, scratch);
  if (p.format == FormatId::f16) multiply_floats_of<S, FormatId::f16>(p, first, rows, scratch);
  if (p.format == FormatId::bf16) multiply_floats_of<S, FormatId::bf16>(p, first, rows, scratch);
}

template <class S>
constexpr std::int64_t float_scratch(std::int64_t cols) {
  constexpr std::int64_t tile = S::phase_rows * float_rows_together * float_lanes;
  constexpr std::int64_t few = few_tokens<S> * float_rows_together * float_lanes;
  const std::int64_t many = tile + float_lanes * weight_phase_stride(steps_of_phase(cols));
  return many > few ? many : few;
}

template <class S>
constexpr FloatKernels float_kernels() {
  return {.few_tokens = few_tokens<S>,
          .tile = S::phase_rows,
          .arrange_tile = arrange_tile<S>,
          .multiply = multiply_floats<S>,
          .scratch_floats = float_scratch<S>};
}

}  // namespace lamina
