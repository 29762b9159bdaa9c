// Q8_0: 32 weights of eight bits with one scale, w = d * q.
//
// Encoding rounds halves away from zero. Source: ggml-org/ggml, src/ggml-common.h (block_q8_0) and
// src/ggml-quants.c.
#pragma once

#include "lamina/quant/encoding.h"
#include "lamina/quant/format.h"

namespace lamina {

struct Q8_0 {
  static constexpr FormatId id = FormatId::q8_0;
  static constexpr std::string_view name = "Q8_0";
  static constexpr int block_size = 32;

  struct Block {
    float16 d;           // scale
    std::int8_t qs[32];  // codes
  };

  LAMINA_HD static void decode(const Block& block, float (&values)[32]);
  LAMINA_HD static Block encode(const float (&values)[32]);
};

static_assert(EncodableFormat<Q8_0>);
static_assert(matches_container<Q8_0>());

LAMINA_HD inline void Q8_0::decode(const Block& block, float (&values)[32]) {
  const float d = to_float(block.d);
  for (int i = 0; i < 32; ++i) values[i] = d * static_cast<float>(block.qs[i]);
}

LAMINA_HD inline Q8_0::Block Q8_0::encode(const float (&values)[32]) {
  const float d = magnitude(largest_magnitude(values)) / 127.0f;
  const float inverse = reciprocal_or_zero(d);
  Block block{to_float16(d), {}};
  for (int i = 0; i < 32; ++i) {
    block.qs[i] = static_cast<std::int8_t>(nearest_code(values[i], inverse, 127));
  }
  return block;
}

}  // namespace lamina
