// Qwen2 and Qwen2.5: the Llama structure with biases on q, k and v.
#pragma once

#include "lamina/model/architecture.h"

namespace lamina {

struct Qwen2 {
  static constexpr std::string_view name = "qwen2";
  static constexpr ModelSpec spec{};
  static constexpr auto tensors = tensors_with(Slot::q_bias, Slot::k_bias, Slot::v_bias);

  static Extents extents(const Metadata& metadata) {
    return read_extents(metadata, name, spec.layers);
  }
};

static_assert(Architecture<Qwen2>);

}  // namespace lamina
