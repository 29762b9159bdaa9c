// The stages of attention on a tile: scores, softmax, weighted values. See AttentionKernels.
//
// For every row, whatever rows are with it: a score is the sum over elements in order; a chunk's
// sum of weights is that of its four vectors, then of lanes in pairs; a mean takes keys in order.
#pragma once

#include "lamina/backend/cpu/attention/read.h"
#include "lamina/backend/cpu/attention/tile.h"
#include "lamina/backend/cpu/simd/exponential.h"
#include "lamina/backend/cpu/simd/fold.h"
#include "lamina/backend/cpu/simd/outer_product.h"

namespace lamina {

template <class S>
void score_keys(const float* const* q, int rows, const float* keys, int key_dim, float scale,
                float* scores) {
  constexpr int vectors = S::float_vectors;
  for (int slot = 0; slot < key_chunk; slot += 16 * vectors) {
    in_groups<S::float_rows>(
        rows, [&]<int Rows>(int first) __attribute__((always_inline)) {
          typename S::Float sums[Rows][vectors];
          const float* row[Rows];
#pragma GCC unroll 8
          for (int r = 0; r < Rows; ++r) {
            row[r] = q[first + r];
#pragma GCC unroll 4
            for (int v = 0; v < vectors; ++v) sums[r][v] = S::Float::all(0.0f);
          }
          add_outer_products<S>(sums, row, keys + slot, key_chunk, key_dim);
#pragma GCC unroll 8
          for (int r = 0; r < Rows; ++r) {
#pragma GCC unroll 4
            for (int v = 0; v < vectors; ++v) {
              (sums[r][v] * scale).store(scores + (first + r) * key_chunk + slot + 16 * v);
            }
          }
        });
  }
}

template <class S>
float weigh_scores(float* scores, float& top, float& sum) {
  using Float = typename S::Float;
  constexpr float none = -__builtin_inff();
  constexpr int vectors = key_chunk / 16;
  Float x[vectors];
  for (int v = 0; v < vectors; ++v) x[v] = Float::load(scores + 16 * v);
  const Float pairs = S::larger(S::larger(x[0], x[1]), S::larger(x[2], x[3]));
  const float largest = largest_lane<S>(pairs);
  float factor = 1.0f;
  if (largest > top) {
    factor = exponential<S>(Float::all(top - largest)).part[0][0];  // 0 where nothing was taken yet
    top = largest;
  }
  const Float shift = Float::all(top == none ? 0.0f : top);
  Float total = Float::all(0.0f);
  for (int v = 0; v < vectors; ++v) {
    x[v] = exponential<S>(x[v] - shift);
    x[v].store(scores + 16 * v);
    total = total + x[v];
  }
  sum = sum * factor + sum_of_lanes<S>(total);
  return factor;
}

template <class S>
void accumulate_values(const float* weights, int rows, const float* factors, const float* values,
                       int stride, int first_key, int end_key, float* means) {
  const auto columns = [&]<int Vectors>(int column) __attribute__((always_inline)) {
    in_groups<S::float_rows>(
        rows, [&]<int Rows>(int first) __attribute__((always_inline)) {
          typename S::Float sums[Rows][Vectors];
          const float* row[Rows];
          float* mean = means + std::int64_t{first} * stride + column;
#pragma GCC unroll 8
          for (int r = 0; r < Rows; ++r) {
            row[r] = weights + (first + r) * key_chunk + first_key;
#pragma GCC unroll 4
            for (int v = 0; v < Vectors; ++v) {
              sums[r][v] = S::Float::load(mean + r * stride + 16 * v) * factors[first + r];
            }
          }
          add_outer_products<S>(sums, row, values + first_key * stride + column, stride,
                                end_key - first_key);
#pragma GCC unroll 8
          for (int r = 0; r < Rows; ++r) {
#pragma GCC unroll 4
            for (int v = 0; v < Vectors; ++v) sums[r][v].store(mean + r * stride + 16 * v);
          }
        });
  };
  int column = 0;
  for (; column + 16 * S::float_vectors <= stride; column += 16 * S::float_vectors) {
    columns.template operator()<S::float_vectors>(column);
  }
  for (; column < stride; column += 16) columns.template operator()<1>(column);
}

template <class S>
constexpr AttentionKernels attention_kernels() {
  return {.reads = reads_format<S>,
          .read_keys = read_keys<S>,
          .read_values = read_values<S>,
          .score = score_keys<S>,
          .weigh = weigh_scores<S>,
          .accumulate = accumulate_values<S>};
}

}  // namespace lamina
