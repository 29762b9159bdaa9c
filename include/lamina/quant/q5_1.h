// Q5_1: 32 weights of five bits with a scale and a minimum, w = d * q + m.
//
// Source: ggml-org/ggml, src/ggml-common.h (block_q5_1) and src/ggml-quants.c.
#pragma once

#include "lamina/quant/bits.h"
#include "lamina/quant/encoding.h"
#include "lamina/quant/format.h"

namespace lamina {

struct Q5_1 {
  static constexpr FormatId id = FormatId::q5_1;
  static constexpr std::string_view name = "Q5_1";
  static constexpr int block_size = 32;

  struct Block {
    float16 d;            // scale
    float16 m;            // minimum: the weight of code 0
    std::uint8_t qh[4];   // fifth bits of the codes
    std::uint8_t qs[16];  // low four bits, see code5
  };

  LAMINA_HD static void decode(const Block& block, float (&values)[32]);
  LAMINA_HD static Block encode(const float (&values)[32]);
};

static_assert(EncodableFormat<Q5_1>);
static_assert(matches_container<Q5_1>());

LAMINA_HD inline void Q5_1::decode(const Block& block, float (&values)[32]) {
  const float d = to_float(block.d);
  const float m = to_float(block.m);
  for (int i = 0; i < 32; ++i) {
    values[i] = d * static_cast<float>(code5(block.qs, block.qh, i)) + m;
  }
}

LAMINA_HD inline Q5_1::Block Q5_1::encode(const float (&values)[32]) {
  const Range bounds = range(values);
  const float d = (bounds.max - bounds.min) / 31.0f;
  const float inverse = reciprocal_or_zero(d);
  int codes[32] = {};
  for (int i = 0; i < 32; ++i) {
    codes[i] = truncated_code(values[i] - bounds.min, inverse, 0.5f, 31);
  }
  Block block{to_float16(d), to_float16(bounds.min), {}, {}};
  pack_code5(codes, block.qs, block.qh);
  return block;
}

}  // namespace lamina
