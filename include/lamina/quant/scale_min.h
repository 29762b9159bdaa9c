// The eight pairs (scale, min) of six bits each that Q4_K and Q5_K pack into twelve bytes.
//
// Pairs 0..3 lie in the low six bits of bytes 0..3 (scales) and 4..7 (mins). Pairs 4..7 have their
// low four bits in the low (scale) and high (min) nibble of bytes 8..11, and their upper two bits
// in the upper two bits of bytes 0..3 (scale) and 4..7 (min). Source: ggml-org/ggml,
// src/ggml-quants.c (get_scale_min_k4).
#pragma once

#include "lamina/core/config.h"
#include "lamina/quant/bits.h"

#include <cstdint>

namespace lamina {

/// What a sub-block's codes are scaled and lowered by: integers 0..63.
struct ScaleMin {
  int scale;
  int min;
};

/// Pair s = 0..7.
LAMINA_HD constexpr ScaleMin scale_min(const std::uint8_t (&packed)[12], int s) {
  if (s < 4) return {packed[s] & 63, packed[s + 4] & 63};
  return {nibble(packed[s + 4], 0) | (crumb(packed[s - 4], 3) << 4),
          nibble(packed[s + 4], 1) | (crumb(packed[s], 3) << 4)};
}

}  // namespace lamina
