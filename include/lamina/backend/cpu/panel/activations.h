// Activations as integers, with a scale for each step of 32.
//
// A step of a row is 32 values: codes of 8 bits, or of 10 bits as a high and a low part (code = 4
// high + low). A record holds a step with what kernels need beside its codes; codes of 10 bits take
// two records. Records lie in tiles of a few rows, [steps, rows of the tile]; kernels read a tile
// from front to back.
#pragma once

#include "lamina/backend/cpu/row_tiles.h"

#include <cstdint>

namespace lamina {

inline constexpr int step_size = 32;

/// The bits of an activation's code, coarse to fine.
enum class Precision { bits8, bits10 };

/// Records of a step.
constexpr int records_of(Precision precision) { return precision == Precision::bits10 ? 2 : 1; }

/// What kernels need beside the codes of a step.
struct StepSums {
  float scale;                 // value = scale * code
  std::int32_t minus_sum;      // of the codes, negated
  std::int32_t minus_sums[2];  // of the codes' halves
  float scaled_sum;            // scale * sum
  float scaled_sums[2];        // of the halves
  float unused;
};

/// The first record of a step begins with its codes: 32 of 8 bits, or 64 parts of codes of 10, some
/// high ones before the low ones of the same codes (Simd::part_run). The last ends with the sums.
struct alignas(64) StepRecord {
  std::int8_t codes[step_size];
  union {
    StepSums sums;
    std::int8_t more_codes[step_size];
  };
};
static_assert(sizeof(StepRecord) == 64);

/// [rows, steps] records in memory that another owns.
struct QuantizedRows : RowTiles {
  StepRecord* records = nullptr;
  Precision precision = Precision::bits8;
  std::int64_t steps = 0;  // of a row

  [[gnu::always_inline]] StepRecord* of_tile(std::int64_t t) const {
    return records + t * tile * steps * records_of(precision);
  }
  /// The first record of a row's step.
  [[gnu::always_inline]] StepRecord& record(std::int64_t row, std::int64_t step) const {
    const std::int64_t t = row / tile;
    return of_tile(t)[(step * width(t) + row % tile) * records_of(precision)];
  }
  /// Records of all tiles.
  [[gnu::always_inline]] std::int64_t size() const {
    if (tiles() == 0) return 0;
    return ((tiles() - 1) * tile + width(tiles() - 1)) * steps * records_of(precision);
  }
};

}  // namespace lamina
