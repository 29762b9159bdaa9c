// Q2_K: 256 weights of two bits in 16 sub-blocks of 16, each with a four-bit scale and minimum:
// w = d * scale * q - dmin * min.
//
// Each half of 128 weights has 32 bytes of codes: byte l holds the codes of weights l, l + 32, l +
// 64 and l + 96, from its low end. Source: ggml-org/ggml, src/ggml-common.h (block_q2_K) and
// src/ggml-quants.c.
#pragma once

#include "lamina/quant/bits.h"
#include "lamina/quant/format.h"

namespace lamina {

struct Q2_K {
  static constexpr FormatId id = FormatId::q2_k;
  static constexpr std::string_view name = "Q2_K";
  static constexpr int block_size = 256;

  struct Block {
    std::uint8_t scales[16];  // of each sub-block: scale (low nibble), minimum (high nibble)
    std::uint8_t qs[64];      // codes
    float16 d;                // scale of the scales
    float16 dmin;             // scale of the minima
  };

  LAMINA_HD static void decode(const Block& block, float (&values)[256]);
};

static_assert(QuantFormat<Q2_K>);
static_assert(matches_container<Q2_K>());

LAMINA_HD inline void Q2_K::decode(const Block& block, float (&values)[256]) {
  const float d = to_float(block.d);
  const float dmin = to_float(block.dmin);
  for (int s = 0; s < 16; ++s) {
    const float scale = d * static_cast<float>(nibble(block.scales[s], 0));
    const float min = dmin * static_cast<float>(nibble(block.scales[s], 1));
    const int half = s / 8;            // which 32 bytes
    const int position = (s % 8) / 2;  // which two bits of the byte
    const int first = 32 * half + 16 * (s % 2);
    for (int i = 0; i < 16; ++i) {
      const int q = crumb(block.qs[first + i], position);
      values[16 * s + i] = scale * static_cast<float>(q) - min;
    }
  }
}

}  // namespace lamina
