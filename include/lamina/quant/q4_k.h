// Q4_K: 256 weights of four bits in 8 sub-blocks of 32, each with a six-bit scale and minimum:
// w = d * scale * q - dmin * min.
//
// Two sub-blocks share 32 bytes of codes: the even one has the low nibbles, the odd one the high.
// Source: ggml-org/ggml, src/ggml-common.h (block_q4_K) and src/ggml-quants.c.
#pragma once

#include "lamina/quant/bits.h"
#include "lamina/quant/format.h"
#include "lamina/quant/scale_min.h"

namespace lamina {

struct Q4_K {
  static constexpr FormatId id = FormatId::q4_k;
  static constexpr std::string_view name = "Q4_K";
  static constexpr int block_size = 256;

  struct Block {
    float16 d;                // scale of the scales
    float16 dmin;             // scale of the minima
    std::uint8_t scales[12];  // see scale_min
    std::uint8_t qs[128];     // codes
  };

  LAMINA_HD static void decode(const Block& block, float (&values)[256]);
};

static_assert(QuantFormat<Q4_K>);
static_assert(matches_container<Q4_K>());

LAMINA_HD inline void Q4_K::decode(const Block& block, float (&values)[256]) {
  const float d = to_float(block.d);
  const float dmin = to_float(block.dmin);
  for (int s = 0; s < 8; ++s) {
    const ScaleMin sub = scale_min(block.scales, s);
    const float scale = d * static_cast<float>(sub.scale);
    const float min = dmin * static_cast<float>(sub.min);
    for (int i = 0; i < 32; ++i) {
      const int q = nibble(block.qs[32 * (s / 2) + i], s % 2);
      values[32 * s + i] = scale * static_cast<float>(q) - min;
    }
  }
}

}  // namespace lamina
