// Q3_K: 256 weights of three bits in 16 sub-blocks of 16, each with a six-bit scale:
// w = d * (scale - 32) * (q - 4).
//
// The low two bits of the codes lie as in Q2_K. The third bit of weight 32 s + l is bit s of
// hmask[l]. Scale s has its low four bits in a nibble of bytes 0..7 (low for s < 8, high above) and
// its upper two in byte 8 + s % 4, at bit 2 (s / 4). Source: ggml-org/ggml, src/ggml-common.h
// (block_q3_K) and src/ggml-quants.c.
#pragma once

#include "lamina/quant/bits.h"
#include "lamina/quant/format.h"

namespace lamina {

struct Q3_K {
  static constexpr FormatId id = FormatId::q3_k;
  static constexpr std::string_view name = "Q3_K";
  static constexpr int block_size = 256;

  struct Block {
    std::uint8_t hmask[32];   // third bits of the codes
    std::uint8_t qs[64];      // low two bits
    std::uint8_t scales[12];  // see scale()
    float16 d;                // scale of the scales
  };

  /// The scale of sub-block s as stored, 0..63.
  LAMINA_HD static constexpr int scale(const Block& block, int s) {
    return nibble(block.scales[s % 8], s / 8) | (crumb(block.scales[8 + s % 4], s / 4) << 4);
  }

  LAMINA_HD static void decode(const Block& block, float (&values)[256]);
};

static_assert(QuantFormat<Q3_K>);
static_assert(matches_container<Q3_K>());

LAMINA_HD inline void Q3_K::decode(const Block& block, float (&values)[256]) {
  const float d = to_float(block.d);
  for (int s = 0; s < 16; ++s) {
    const float sub_scale = d * static_cast<float>(scale(block, s) - 32);
    const int half = s / 8;            // which 32 bytes
    const int position = (s % 8) / 2;  // which two bits of the byte
    const int column = 16 * (s % 2);
    for (int i = 0; i < 16; ++i) {
      const int low = crumb(block.qs[32 * half + column + i], position);
      const int q = low | (bit(block.hmask[column + i], s / 2) << 2);
      values[16 * s + i] = sub_scale * static_cast<float>(q - 4);
    }
  }
}

}  // namespace lamina
