// Products of F32, F16 and BF16 weights: which elements meet when.
//
// A few tokens: weights are turned to floats in registers, whole rows at a time. More: a block of
// rows by `inner_block` elements is turned to floats once for `token_block` tokens, and sums wait
// in memory for the next block. The order within a sum is the same.
#pragma once

#include "lamina/backend/cpu/float_rows/kernels.h"
#include "lamina/backend/cpu/float_rows/product.h"
#include "lamina/backend/cpu/simd/fold.h"
#include "lamina/backend/cpu/simd/outer_product.h"

namespace lamina {

inline constexpr std::int64_t inner_block =
    1024;  // elements: a group's rows stay in the first cache
inline constexpr std::int64_t token_block = 192;  // sums of as many stay in the second

/// Rows of a block, `stride` bytes apart.
struct FloatBlock {
  const std::byte* data = nullptr;
  std::int64_t stride = 0;
  int rows = 0;
  bool in_cache = false;
};

/// Adds `count` elements of every row of the block, of format F, for every token.
template <class S, FormatId F>
[[gnu::always_inline]] inline void add_block(float* sums, const FloatBlock& w, const float* x,
                                             std::int64_t x_stride, int tokens,
                                             std::int64_t count) {
  constexpr std::int64_t sum_stride = float_rows_together * float_lanes;
  in_groups<S::dot_tokens>(
      tokens, [&]<int Tokens>(int t) __attribute__((always_inline)) {
        for (int r = 0; r < w.rows; r += S::dot_rows) {
          const std::byte* group[S::dot_rows];
          // Past the end the last row stands in; nobody reads those sums.
          for (int i = 0; i < S::dot_rows; ++i) {
            group[i] = w.data + (r + i < w.rows ? r + i : w.rows - 1) * w.stride;
          }
          const std::int64_t ahead = w.in_cache ? 0 : S::dot_rows * w.stride;  // the next group
          add_dots<S, F, S::dot_rows, Tokens>(sums + t * sum_stride + r * float_lanes, sum_stride,
                                              group, ahead, x + t * x_stride, x_stride, count);
        }
      });
}

/// y of `rows` rows from `first` on for one token: the sums' lanes added up.
template <class S>
[[gnu::always_inline]] inline void finish_sums(const float* sums, int rows, float* y) {
  for (int r = 0; r < rows; r += 16) {
    typename S::Float lanes[16];
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i) lanes[i] = S::Float::load(sums + (r + i) * float_lanes);
    const typename S::Float results = sums_of_lanes<S>(lanes);
    if (rows - r >= 16) {
      results.store(y + r);
    } else {
      float last[16];
      results.store(last);
      __builtin_memcpy(y + r, last, static_cast<std::size_t>(rows - r) * sizeof(float));
    }
  }
}

/// The tokens [first_token, first_token + tokens) of a product with rows [first, end) of W.
template <class S, FormatId F>
void multiply_float_block(const FloatProduct& p, std::int64_t first, std::int64_t end,
                          std::int64_t first_token, int tokens, float* scratch) {
  constexpr std::int64_t sum_stride = float_rows_together * float_lanes;
  const auto rows = static_cast<int>(end - first);
  const std::byte* w = p.w + first * p.row_bytes;
  const float* x = p.x + first_token * p.x_stride;
  float* sums = scratch;
  float* floats = scratch + token_block * sum_stride;  // [rows, inner_block]
  __builtin_memset(sums, 0, static_cast<std::size_t>(tokens * sum_stride) * sizeof(float));
  std::int64_t done = 0;
  if (tokens <= S::dot_tokens) {
    done = p.cols / float_lanes * float_lanes;
    add_block<S, F>(sums, {w, p.row_bytes, rows, false}, x, p.x_stride, tokens, done);
  }
  for (; done < p.cols; done += inner_block) {
    const std::int64_t count = p.cols - done < inner_block ? p.cols - done : inner_block;
    for (int r = 0; r < rows; ++r) {
      row_to_floats<S, F>(w + r * p.row_bytes, done, count, floats + r * inner_block);
    }
    const auto* bytes = reinterpret_cast<const std::byte*>(floats);
    constexpr std::int64_t stride = inner_block * sizeof(float);
    add_block<S, FormatId::f32>(sums, {bytes, stride, rows, true}, x + done, p.x_stride, tokens,
                                (count + float_lanes - 1) / float_lanes * float_lanes);
  }
  for (int t = 0; t < tokens; ++t) {
    finish_sums<S>(sums + t * sum_stride, rows, p.y + (first_token + t) * p.y_stride + first);
  }
}

template <class S, FormatId F>
void multiply_floats_of(const FloatProduct& p, std::int64_t first, std::int64_t end,
                        float* scratch) {
  for (std::int64_t t = 0; t < p.tokens; t += token_block) {
    const std::int64_t left = p.tokens - t;
    const auto tokens = static_cast<int>(left < token_block ? left : token_block);
    multiply_float_block<S, F>(p, first, end, t, tokens, scratch);
  }
}

/// See FloatKernels.
template <class S>
void multiply_floats(const FloatProduct& p, std::int64_t first, std::int64_t end, float* scratch) {
  if (p.format == FormatId::f32) multiply_floats_of<S, FormatId::f32>(p, first, end, scratch);
  if (p.format == FormatId::f16) multiply_floats_of<S, FormatId::f16>(p, first, end, scratch);
  if (p.format == FormatId::bf16) multiply_floats_of<S, FormatId::bf16>(p, first, end, scratch);
}

template <class S>
constexpr FloatKernels float_kernels() {
  return {.multiply = multiply_floats<S>,
          .scratch_floats = float_rows_together * (token_block * float_lanes + inner_block)};
}

}  // namespace lamina
