// Float matrix products by Eigen, in tiles of one fixed shape, so that a row's bits never depend on
// its company.
//
// Eigen's result for a row depends on how many columns it is given and on where blocks of the inner
// dimension end. Here it always sees `tile_tokens` columns (missing ones are zero) and inner blocks
// that start at multiples of `tile_inner`, on one thread. This is the only header that includes
// Eigen.
#pragma once

#include "lamina/backend/cpu/linear.h"
#include "lamina/backend/cpu/simd/portable.h"
#include "lamina/backend/cpu/vector_kernels.h"

#include <Eigen/Core>

#include <cstdint>

namespace lamina {

/// See MultiplyTile.
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

/// Kernels that run on any processor; Eigen uses what the unit is compiled for.
inline constexpr CpuKernels portable_kernels{vector_kernels<isa_portable::Simd>(), "portable",
                                             linear_cpu<multiply_tile>};

}  // namespace lamina
