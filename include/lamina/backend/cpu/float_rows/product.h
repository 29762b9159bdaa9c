// FloatProduct: a matrix of floats times rows of activations, and what an instruction set compiles
// for it.
#pragma once

#include "lamina/backend/cpu/row_tiles.h"
#include "lamina/core/format_id.h"

#include <cstddef>
#include <cstdint>

namespace lamina {

/// Rows of a weight that a task takes at once.
inline constexpr int float_rows_together = 32;

/// Lanes of a sum, which are its phases too.
inline constexpr int float_lanes = 16;

/// Steps of every phase of a row.
constexpr std::int64_t steps_of_phase(std::int64_t cols) {
  return (cols + float_lanes - 1) / float_lanes;
}

/// Rows of activations as products of many take them: tiles of [phases, steps, rows of the tile],
/// with a vector between phases. Step s of phase j is element 16 s + j.
struct PhasedRows : RowTiles {
  float* data = nullptr;
  std::int64_t steps = 0;

  [[gnu::always_inline]] float* of_phase(std::int64_t t, int phase, std::int64_t step) const {
    float* of_tile = data + t * float_lanes * (steps * tile + float_lanes);
    return of_tile + phase * (steps * width(t) + float_lanes) + step * width(t);
  }
  /// Floats of all tiles, at most.
  [[gnu::always_inline]] std::int64_t size() const {
    return tiles() * float_lanes * (steps * tile + float_lanes);
  }
};

/// Rows of activations: of a few tokens as they lie, of many in phases.
struct FloatInput {
  std::int64_t tokens = 0;
  const float* x = nullptr;  // [tokens, stride], of few: zero from `cols` to a multiple of 16
  std::int64_t stride = 0;
  PhasedRows phased = {};  // of many
};

/// y = x W^T.
struct FloatProduct {
  FloatInput input = {};
  const std::byte* w = nullptr;  // rows of `cols` numbers, as they lie in the file
  FormatId format = FormatId::f32;
  std::int64_t row_bytes = 0;
  std::int64_t cols = 0;
  float* y = nullptr;  // [tokens, y_stride]
  std::int64_t y_stride = 0;
};

/// Weights F32, F16 and BF16.
struct FloatKernels {
  /// Up to so many tokens are few: x is taken as it lies.
  int few_tokens = 0;
  /// Rows of a tile of many.
  int tile = 1;
  /// Lays tile `t` of x [rows, stride] out; `cols` of its elements count.
  void (*arrange_tile)(const float* x, std::int64_t stride, std::int64_t cols, const PhasedRows& to,
                       std::int64_t t);
  /// Rows [first, end) of W, at most float_rows_together; `scratch` is aligned to 64 bytes.
  void (*multiply)(const FloatProduct& product, std::int64_t first, std::int64_t end,
                   float* scratch);
  /// Floats of `scratch` for products with so many columns.
  std::int64_t (*scratch_floats)(std::int64_t cols) = nullptr;
};

}  // namespace lamina
