// linear on the CPU: quantized weights are decoded tile by tile and multiplied in float.
//
// A stripe of `tile_rows` weight rows belongs to one thread. For each inner block the stripe is
// decoded once and applied to all tokens, eight at a time. A result is the sum of its inner blocks
// in order: it depends on its weight row and its token's row alone.
#pragma once

#include "lamina/backend/thread_pool.h"
#include "lamina/core/tensor.h"
#include "lamina/quant/formats.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace lamina {

inline constexpr std::int64_t tile_tokens = 8;
inline constexpr std::int64_t tile_rows = 64;
inline constexpr std::int64_t tile_inner = 256;

/// y += W x for one tile: `y` is [tile_tokens, rows], `w` [rows, inner], `x` [tile_tokens, inner]
/// with rows of `x_stride`, all row after row; rows <= tile_rows, inner <= tile_inner.
using MultiplyTile = void (*)(float* y, const float* w, const float* x, std::int64_t rows,
                              std::int64_t inner, std::int64_t x_stride);

/// x with its tokens filled up with zeros to whole tiles: what Eigen reads.
struct PaddedTokens {
  std::vector<float> values;  // [tiles * tile_tokens, cols]
  std::int64_t tokens = 0;
  std::int64_t cols = 0;

  std::int64_t tiles() const { return (tokens + tile_tokens - 1) / tile_tokens; }
};

inline PaddedTokens pad_tokens(MatrixView<const float> x) {
  PaddedTokens padded{{}, x.rows, x.cols};
  padded.values.assign(static_cast<std::size_t>(padded.tiles() * tile_tokens * x.cols), 0.0f);
  std::copy_n(x.data, x.rows * x.cols, padded.values.begin());
  return padded;
}

/// Decodes inner elements [first, first + count) of rows [row, row + rows) into `out` [rows,
/// count]. `first` must be a multiple of the format's block size, which tile_inner is.
inline void decode_tile(const TensorView& w, std::int64_t row, std::int64_t rows,
                        std::int64_t first, std::int64_t count, float* out) {
  const FormatInfo& info = *find_format(w.format);
  const std::int64_t offset = first / info.block_size * info.block_bytes;
  for (std::int64_t r = 0; r < rows; ++r) {
    decode_row(w.format, w.row(row + r).data() + offset, count, out + r * count);
  }
}

/// Rows [row, row + rows) of W applied to every token; `y` is [tokens, rows of W].
template <MultiplyTile multiply>
void linear_stripe(MatrixView<float> y, const TensorView& w, const PaddedTokens& x,
                   std::int64_t row, std::int64_t rows) {
  std::vector<float> weights(static_cast<std::size_t>(tile_rows * tile_inner));
  std::vector<float> sums(static_cast<std::size_t>(x.tiles() * tile_tokens * rows), 0.0f);
  for (std::int64_t inner = 0; inner < x.cols; inner += tile_inner) {
    const std::int64_t count = std::min(tile_inner, x.cols - inner);
    decode_tile(w, row, rows, inner, count, weights.data());
    for (std::int64_t tile = 0; tile < x.tiles(); ++tile) {
      multiply(sums.data() + tile * tile_tokens * rows, weights.data(),
               x.values.data() + tile * tile_tokens * x.cols + inner, rows, count, x.cols);
    }
  }
  for (std::int64_t t = 0; t < x.tokens; ++t) {
    std::copy_n(sums.begin() + t * rows, rows, y.row(t) + row);
  }
}

/// y = x W^T; see CpuKernels.
template <MultiplyTile multiply>
void linear_cpu(ThreadPool& pool, MatrixView<float> y, const TensorView& w,
                MatrixView<const float> x) {
  const PaddedTokens padded = pad_tokens(x);
  pool.for_each((w.rows() + tile_rows - 1) / tile_rows, [&](std::int64_t i) {
    const std::int64_t row = i * tile_rows;
    linear_stripe<multiply>(y, w, padded, row, std::min(tile_rows, w.rows() - row));
  });
}

}  // namespace lamina
