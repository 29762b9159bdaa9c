// Where the bits of the eight six-bit scales and minima of Q4_K and Q5_K lie, written from the
// packer's side.
#pragma once

#include "quant/single_bits.h"

#include <utility>

namespace lamina::test {

/// The places of bit b of scale s and of minimum s in the twelve bytes.
inline std::pair<BitPlace, BitPlace> scale_min_places(int s, int b) {
  if (s < 4) return {{s, b}, {4 + s, b}};
  if (b < 4) return {{8 + s - 4, b}, {8 + s - 4, 4 + b}};
  return {{s - 4, 6 + b - 4}, {4 + s - 4, 6 + b - 4}};
}

}  // namespace lamina::test
