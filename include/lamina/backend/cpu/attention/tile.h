// What attention on the CPU works on: the keys and values of one chunk of positions of one head.
//
// Chunks start at absolute multiples of `key_chunk`. Of keys the tile is transposed, so that its
// vectors are over keys; of values it is not, so that its vectors are over elements.
#pragma once

#include "lamina/core/types.h"
#include "lamina/quant/format.h"

#include <cstddef>
#include <cstdint>

namespace lamina {

inline constexpr Position key_chunk = 64;

/// Elements of a value head in whole vectors.
[[gnu::always_inline]] inline int padded_width(int elements) { return (elements + 15) / 16 * 16; }

/// The rows of a chunk in a store, in one of the formats that `AttentionKernels::reads` names.
struct StoredRows {
  const std::byte* row[key_chunk];  // null: zeros
  FormatId format = FormatId::f32;
  int elements = 0;
  std::int64_t stride = 0;  // bytes of a row in the store; 0: the rows lie in a cache
};

/// The stages of attention; each is compiled for an instruction set.
struct AttentionKernels {
  bool (*reads)(FormatId format);
  /// `keys` is [key_dim, key_chunk].
  void (*read_keys)(const StoredRows& rows, float* keys);
  /// `values` is [key_chunk, padded_width(value_dim)].
  void (*read_values)(const StoredRows& rows, float* values);
  /// scores = scale * q . key; `q` are `rows` pointers to [key_dim], `scores` is [rows, key_chunk].
  void (*score)(const float* const* q, int rows, const float* keys, int key_dim, float scale,
                float* scores);
  /// One row's scores to weights exp(score - top) in a streaming softmax; returns what the mean so
  /// far must be multiplied by. A score of -infinity has no weight.
  float (*weigh)(float* scores, float& top, float& sum);
  /// mean = factor * mean + weight * value over the slots [first, end) of the chunk; `weights` is
  /// [rows, key_chunk], `means` [rows, stride], `values` [key_chunk, stride].
  void (*accumulate)(const float* weights, int rows, const float* factors, const float* values,
                     int stride, int first, int end, float* means);
};

}  // namespace lamina
