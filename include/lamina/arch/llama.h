// Llama 1 to 3, and what is built like them (SmolLM2, TinyLlama, Mistral 7B v0.2 and up, Yi).
//
// GGUF files of this family hold the rows of q and k permuted, so that rope pairs are interleaved.
#pragma once

#include "lamina/model/architecture.h"

namespace lamina {

struct Llama {
  static constexpr std::string_view name = "llama";
  static constexpr ModelSpec spec{};
  static constexpr auto tensors = default_tensors;

  static Extents extents(const Metadata& metadata) {
    Extents e = read_extents(metadata, name, spec.layers);
    e.rope.pairing = RopePairing::interleaved;
    return e;
  }
};

static_assert(Architecture<Llama>);

}  // namespace lamina
