// FloatProduct: a matrix of floats times rows of activations, and what an instruction set compiles
// for it.
#pragma once

#include "lamina/core/format_id.h"

#include <cstddef>
#include <cstdint>

namespace lamina {

/// Rows of a weight that a task takes at once.
inline constexpr int float_rows_together = 32;

/// y = x W^T.
struct FloatProduct {
  const std::byte* w = nullptr;  // rows of `cols` numbers, as they lie in the file
  FormatId format = FormatId::f32;
  std::int64_t row_bytes = 0;
  std::int64_t cols = 0;
  const float* x = nullptr;  // [tokens, x_stride]: zero from `cols` to a multiple of 16
  std::int64_t x_stride = 0;
  std::int64_t tokens = 0;
  float* y = nullptr;  // [tokens, y_stride]
  std::int64_t y_stride = 0;
};

/// Weights F32, F16 and BF16.
struct FloatKernels {
  /// Rows [first, end) of W, at most float_rows_together; `scratch` is aligned to 64 bytes.
  void (*multiply)(const FloatProduct& product, std::int64_t first, std::int64_t end,
                   float* scratch);
  std::int64_t scratch_floats = 0;
};

}  // namespace lamina
