// Q6_K: 256 weights of six bits in 16 sub-blocks of 16, each with an eight-bit scale:
// w = d * scale * (q - 32).
//
// Each half of 128 weights has 64 bytes of low four bits and 32 bytes of upper two. Weight 32 j + l
// of a half (j = 0..3) has its low four bits in a nibble of byte l + 32 (j % 2), low for j < 2 and
// high above, and its upper two in byte l at bit 2 j. Source: ggml-org/ggml, src/ggml-common.h
// (block_q6_K) and src/ggml-quants.c.
#pragma once

#include "lamina/quant/bits.h"
#include "lamina/quant/format.h"

namespace lamina {

struct Q6_K {
  static constexpr FormatId id = FormatId::q6_k;
  static constexpr std::string_view name = "Q6_K";
  static constexpr int block_size = 256;

  struct Block {
    std::uint8_t ql[128];    // low four bits of the codes
    std::uint8_t qh[64];     // upper two bits
    std::int8_t scales[16];  // of each sub-block
    float16 d;               // scale of the scales
  };

  LAMINA_HD static void decode(const Block& block, float (&values)[256]);
};

static_assert(QuantFormat<Q6_K>);
static_assert(matches_container<Q6_K>());

LAMINA_HD inline void Q6_K::decode(const Block& block, float (&values)[256]) {
  const float d = to_float(block.d);
  for (int s = 0; s < 16; ++s) {
    const float scale = d * static_cast<float>(block.scales[s]);
    const int half = s / 8;
    const int j = (s % 8) / 2;
    const int column = 16 * (s % 2);
    for (int i = 0; i < 16; ++i) {
      const int low = nibble(block.ql[64 * half + 32 * (j % 2) + column + i], j / 2);
      const int q = low | (crumb(block.qh[32 * half + column + i], j) << 4);
      values[16 * s + i] = scale * static_cast<float>(q - 32);
    }
  }
}

}  // namespace lamina
