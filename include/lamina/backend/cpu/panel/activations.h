// Activations as integers, with a scale for each step of 32.
//
// A step of a row is 32 values: codes of 8 bits, or of 15 bits as a high and a low part of 8 (code
// = 128 high + low). A record holds a step with what kernels need beside its codes. Records lie in
// tiles of a few columns, [steps, columns of the tile], where a column is a row of the batch or one
// part of it; kernels read a tile from front to back.
#pragma once

#include <cstdint>

namespace lamina {

inline constexpr int step_size = 32;

/// The bits of an activation's code, coarse to fine.
enum class Precision { bits8, bits15 };

/// One step of a column. What follows the codes is of whole codes; of two parts the first has it.
struct alignas(64) StepRecord {
  std::int8_t codes[step_size];
  float scale;                 // value = scale * code
  std::int32_t minus_sum;      // of the codes, negated
  std::int32_t minus_sums[2];  // of the codes' halves
  float scaled_sum;            // scale * sum
  float scaled_sums[2];        // of the halves
  float unused;
};
static_assert(sizeof(StepRecord) == 64);

/// [rows, steps] records in memory that another owns. Its members are inlined everywhere, for units
/// compiled for several instruction sets call them.
struct QuantizedRows {
  StepRecord* records = nullptr;
  Precision precision = Precision::bits8;
  int tile = 1;  // columns of a tile
  std::int64_t rows = 0;
  std::int64_t steps = 0;  // of a row

  [[gnu::always_inline]] int parts() const { return precision == Precision::bits15 ? 2 : 1; }
  [[gnu::always_inline]] std::int64_t columns() const { return rows * parts(); }
  [[gnu::always_inline]] std::int64_t tiles() const { return (columns() + tile - 1) / tile; }
  /// Columns of tile `t` that hold something.
  [[gnu::always_inline]] int used(std::int64_t t) const {
    const std::int64_t left = columns() - t * tile;
    return left < tile ? static_cast<int>(left) : tile;
  }
  /// Columns that tile `t` is laid out with: 1, 2, 4, 8 or the tile's, for which there are kernels.
  [[gnu::always_inline]] int width(std::int64_t t) const {
    const int columns = used(t);
    if (columns <= 2) return columns;
    if (columns <= 4) return 4;
    return columns <= 8 && tile > 8 ? 8 : tile;
  }
  [[gnu::always_inline]] StepRecord* of_tile(std::int64_t t) const {
    return records + t * tile * steps;
  }
  /// The record of a row's step; of its first part where there are two.
  [[gnu::always_inline]] StepRecord& record(std::int64_t row, std::int64_t step) const {
    const std::int64_t column = row * parts(), t = column / tile;
    return of_tile(t)[step * width(t) + column % tile];
  }
  /// Records of all tiles.
  [[gnu::always_inline]] std::int64_t size() const {
    return tiles() == 0 ? 0 : ((tiles() - 1) * tile + width(tiles() - 1)) * steps;
  }
};

}  // namespace lamina
