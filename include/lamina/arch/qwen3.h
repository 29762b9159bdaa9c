// Qwen3 (dense): an RMS norm over each head of q and k before rope.
#pragma once

#include "lamina/model/architecture.h"

namespace lamina {

struct Qwen3 {
  static constexpr std::string_view name = "qwen3";
  static constexpr ModelSpec spec{.qk_norm = QkNorm::per_head};
  static constexpr auto tensors = tensors_with(Slot::q_norm, Slot::k_norm);

  static Extents extents(const Metadata& metadata) {
    return read_extents(metadata, name, spec.layers);
  }
};

static_assert(Architecture<Qwen3>);

}  // namespace lamina
