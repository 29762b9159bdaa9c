// F16: an IEEE 754 binary16 number a weight.
#pragma once

#include "lamina/quant/format.h"

namespace lamina {

struct F16 {
  static constexpr FormatId id = FormatId::f16;
  static constexpr std::string_view name = "F16";
  static constexpr int block_size = 1;

  struct Block {
    float16 value;
  };

  LAMINA_HD static void decode(const Block& block, float (&values)[1]) {
    values[0] = to_float(block.value);
  }
  LAMINA_HD static Block encode(const float (&values)[1]) { return {to_float16(values[0])}; }
};

static_assert(EncodableFormat<F16>);
static_assert(matches_container<F16>());

}  // namespace lamina
