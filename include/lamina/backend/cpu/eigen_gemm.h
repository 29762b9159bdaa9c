// Float matrix products by Eigen, in tiles of one fixed shape, so that a row's bits never depend on
// its company.
//
// Eigen's result for a row depends on how many columns it is given and on where blocks of the inner
// dimension end. Here it always sees `tile_tokens` columns (missing ones are zero) and inner blocks
// that start at multiples of `tile_inner`, on one thread. This is the only header that includes
// Eigen.
#pragma once

#include <Eigen/Core>

#include <cstdint>

namespace lamina {

inline constexpr std::int64_t tile_tokens = 8;
inline constexpr std::int64_t tile_rows = 64;
inline constexpr std::int64_t tile_inner = 256;

/// y += W x for one tile: `y` is [tile_tokens, rows], `w` [rows, inner], `x` [tile_tokens, inner]
/// with rows of `x_stride`, all row after row; rows <= tile_rows, inner <= tile_inner.
inline void multiply_tile(float* y, const float* w, const float* x, std::int64_t rows,
                          std::int64_t inner, std::int64_t x_stride) {
  // Read column by column, the same memory is y^T [rows, tokens] and w^T [inner, rows].
  using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor>;
  Eigen::Map<Matrix> out(y, rows, tile_tokens);
  const Eigen::Map<const Matrix> weights(w, inner, rows);
  const Eigen::Map<const Matrix, 0, Eigen::OuterStride<>> tokens(x, inner, tile_tokens,
                                                                 Eigen::OuterStride<>(x_stride));
  out.noalias() += weights.transpose() * tokens;
}

}  // namespace lamina
