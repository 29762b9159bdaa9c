// BF16: the upper half of a float a weight.
#pragma once

#include "lamina/quant/format.h"

namespace lamina {

struct BF16 {
  static constexpr FormatId id = FormatId::bf16;
  static constexpr std::string_view name = "BF16";
  static constexpr int block_size = 1;

  struct Block {
    bfloat16 value;
  };

  LAMINA_HD static void decode(const Block& block, float (&values)[1]) {
    values[0] = to_float(block.value);
  }
  LAMINA_HD static Block encode(const float (&values)[1]) { return {to_bfloat16(values[0])}; }
};

static_assert(EncodableFormat<BF16>);
static_assert(matches_container<BF16>());

}  // namespace lamina
