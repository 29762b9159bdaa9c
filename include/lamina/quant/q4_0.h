// Q4_0: 32 weights of four bits with one scale, w = d * (q - 8).
//
// Encoding maps the value of largest magnitude to code 0, so d has the opposite sign of that value.
// Source: ggml-org/ggml, src/ggml-common.h (block_q4_0) and src/ggml-quants.c.
#pragma once

#include "lamina/quant/bits.h"
#include "lamina/quant/encoding.h"
#include "lamina/quant/format.h"

namespace lamina {

struct Q4_0 {
  static constexpr FormatId id = FormatId::q4_0;
  static constexpr std::string_view name = "Q4_0";
  static constexpr int block_size = 32;

  struct Block {
    float16 d;            // scale
    std::uint8_t qs[16];  // codes, see code4
  };

  LAMINA_HD static void decode(const Block& block, float (&values)[32]);
  LAMINA_HD static Block encode(const float (&values)[32]);
};

static_assert(EncodableFormat<Q4_0>);
static_assert(matches_container<Q4_0>());

LAMINA_HD inline void Q4_0::decode(const Block& block, float (&values)[32]) {
  const float d = to_float(block.d);
  for (int i = 0; i < 32; ++i) values[i] = d * static_cast<float>(code4(block.qs, i) - 8);
}

LAMINA_HD inline Q4_0::Block Q4_0::encode(const float (&values)[32]) {
  const float d = largest_magnitude(values) / -8.0f;
  const float inverse = reciprocal_or_zero(d);
  int codes[32] = {};
  for (int i = 0; i < 32; ++i) codes[i] = truncated_code(values[i], inverse, 8.5f, 15);
  Block block{to_float16(d), {}};
  pack_code4(codes, block.qs);
  return block;
}

}  // namespace lamina
