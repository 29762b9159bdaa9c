// F32: an IEEE 754 float a weight, stored as it is.
#pragma once

#include "lamina/quant/format.h"

namespace lamina {

struct F32 {
  static constexpr FormatId id = FormatId::f32;
  static constexpr std::string_view name = "F32";
  static constexpr int block_size = 1;

  struct Block {
    float value;
  };

  LAMINA_HD static void decode(const Block& block, float (&values)[1]) { values[0] = block.value; }
  LAMINA_HD static Block encode(const float (&values)[1]) { return {values[0]}; }
};

static_assert(EncodableFormat<F32>);
static_assert(matches_container<F32>());

}  // namespace lamina
