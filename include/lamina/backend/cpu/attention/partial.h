// PartialAttention: what some query rows have of a span of keys: streaming softmaxes and the means
// of values so far.
//
// Spans are longer runs of chunks, at absolute multiples of `key_span`. Each starts anew and they
// merge in order, so that whether they were computed one after another or by several threads shows
// in no bit.
#pragma once

#include "lamina/attention/online.h"
#include "lamina/backend/cpu/attention/tile.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace lamina {

inline constexpr Position key_span = 8 * key_chunk;

/// Of `rows` rows, in memory of floats() floats that another owns.
struct PartialAttention {
  float* memory = nullptr;  // [rows] largest scores, [rows] sums, [rows, stride] means
  int rows = 0;
  int stride = 0;

  std::size_t floats() const {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(2 + stride);
  }
  float& top(int row) const { return memory[row]; }
  float& sum(int row) const { return memory[rows + row]; }
  float* means() const { return memory + 2 * rows; }
  float* mean(int row) const { return means() + std::int64_t{row} * stride; }

  void clear() const {
    std::fill_n(memory, rows, OnlineSoftmax<float>::none);
    std::fill_n(memory + rows, rows * (1 + stride), 0.0f);
  }
};

/// Adds a later span to the result of those before.
inline void merge(const PartialAttention& total, const PartialAttention& later) {
  for (int r = 0; r < total.rows; ++r) {
    OnlineSoftmax<float> softmax{total.top(r), total.sum(r)};
    const float before = softmax.rescale(later.top(r));
    const float added = later.top(r) == softmax.top ? 1.0f : std::exp(later.top(r) - softmax.top);
    total.top(r) = softmax.top;
    total.sum(r) = softmax.sum + later.sum(r) * added;
    for (int d = 0; d < total.stride; ++d) {
      total.mean(r)[d] = total.mean(r)[d] * before + later.mean(r)[d] * added;
    }
  }
}

}  // namespace lamina
