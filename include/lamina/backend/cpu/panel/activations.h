// Activations as integers, with a scale for each step of 32.
//
// A step of a row is 32 values as codes of 8 bits. A value that stands out in its row makes the
// codes beside it coarse for what they are; such a step is fine: its codes have 10 bits, as a high
// part of 8 and a low part of 2 (code = 4 high + low). Whether a step is fine depends on its row
// alone. Records lie in tiles of a few rows, [steps, rows of the tile]; kernels read a tile from
// front to back, and low parts only where a row of the tile is fine.
#pragma once

#include "lamina/backend/cpu/row_tiles.h"

#include <cstdint>

namespace lamina {

inline constexpr int step_size = 32;

/// What kernels need beside the codes of a step.
struct StepSums {
  float scale;                 // value = scale * code, scale / 4 * code where the step is fine
  std::int32_t minus_sum;      // of the codes, or high parts, negated
  std::int32_t minus_sums[2];  // of their halves
  float scaled_sum;            // of the values that the codes stand for
  float scaled_sums[2];        // of the halves
  float unused;
};

/// Codes of 8 bits or high parts.
struct alignas(64) StepRecord {
  std::int8_t codes[step_size];
  StepSums sums;
};
static_assert(sizeof(StepRecord) == 64);

/// Low parts; zeros where the step is not fine.
struct alignas(64) LowRecord {
  std::int8_t codes[step_size];
  std::int32_t minus_sum;      // of the low parts, negated
  std::int32_t minus_sums[2];  // of their halves
};
static_assert(sizeof(LowRecord) == sizeof(StepRecord));

/// Rows of a tile at most; each has a byte that says whether its step is fine.
inline constexpr int step_flags = 16;

/// A step of a tile's rows, and what follows.
struct TileSteps {
  const StepRecord* records = nullptr;  // [steps, rows]
  const LowRecord* low = nullptr;       // [steps, rows]
  const std::uint8_t* fine = nullptr;   // [steps, step_flags]

  [[gnu::always_inline]] void advance(std::int64_t steps, int rows) {
    records += steps * rows;
    low += steps * rows;
    fine += steps * step_flags;
  }
  /// Without the rows before `row`.
  [[gnu::always_inline]] TileSteps from_row(int row) const {
    return {records + row, low + row, fine + row};
  }
};

/// Whether one of `Count` rows has a fine step.
template <int Count>
[[gnu::always_inline]] inline bool any_fine(const std::uint8_t* fine) {
  static_assert(Count <= step_flags);
  std::uint64_t flags[2] = {};
  __builtin_memcpy(flags, fine, Count);
  return (flags[0] | flags[1]) != 0;
}

/// [rows, steps] records in memory that another owns.
struct QuantizedRows : RowTiles {
  std::int64_t steps = 0;  // of a row
  StepRecord* records = nullptr;
  LowRecord* low = nullptr;
  std::uint8_t* fine = nullptr;  // [tiles, steps, step_flags]

  /// Records before those of tile `t`.
  [[gnu::always_inline]] std::int64_t before(std::int64_t t) const { return t * tile * steps; }
  /// Records of all tiles.
  [[gnu::always_inline]] std::int64_t size() const {
    return tiles() == 0 ? 0 : before(tiles() - 1) + width(tiles() - 1) * steps;
  }
  /// Tile `t` from a step on.
  [[gnu::always_inline]] TileSteps of_tile(std::int64_t t, std::int64_t step = 0) const {
    TileSteps from{records + before(t), low + before(t), fine + t * steps * step_flags};
    from.advance(step, width(t));
    return from;
  }
};

}  // namespace lamina
