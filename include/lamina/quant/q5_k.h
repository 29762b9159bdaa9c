// Q5_K: 256 weights of five bits in 8 sub-blocks of 32, each with a six-bit scale and minimum:
// w = d * scale * q - dmin * min.
//
// The low four bits of the codes lie as in Q4_K; the fifth bit of weight i of sub-block s is bit s
// of qh[i]. Source: ggml-org/ggml, src/ggml-common.h (block_q5_K) and src/ggml-quants.c.
#pragma once

#include "lamina/quant/bits.h"
#include "lamina/quant/format.h"
#include "lamina/quant/scale_min.h"

namespace lamina {

struct Q5_K {
  static constexpr FormatId id = FormatId::q5_k;
  static constexpr std::string_view name = "Q5_K";
  static constexpr int block_size = 256;

  struct Block {
    float16 d;                // scale of the scales
    float16 dmin;             // scale of the minima
    std::uint8_t scales[12];  // see scale_min
    std::uint8_t qh[32];      // fifth bits of the codes
    std::uint8_t qs[128];     // low four bits
  };

  LAMINA_HD static void decode(const Block& block, float (&values)[256]);
};

static_assert(QuantFormat<Q5_K>);
static_assert(matches_container<Q5_K>());

LAMINA_HD inline void Q5_K::decode(const Block& block, float (&values)[256]) {
  const float d = to_float(block.d);
  const float dmin = to_float(block.dmin);
  for (int s = 0; s < 8; ++s) {
    const ScaleMin sub = scale_min(block.scales, s);
    const float scale = d * static_cast<float>(sub.scale);
    const float min = dmin * static_cast<float>(sub.min);
    for (int i = 0; i < 32; ++i) {
      const int q = nibble(block.qs[32 * (s / 2) + i], s % 2) | (bit(block.qh[i], s) << 4);
      values[32 * s + i] = scale * static_cast<float>(q) - min;
    }
  }
}

}  // namespace lamina
