// Gemma 3 (text): five sliding layers to one full, sandwich norms, per-head norms of q and k,
// GeGLU.
//
// Sliding layers turn with their own base and are never scaled. The embedding is multiplied by
// sqrt(width). The 27B model, the one with 62 layers, scales scores by its width per head instead
// of the head's length.
#pragma once

#include "lamina/model/architecture.h"

namespace lamina {

struct Gemma3 {
  static constexpr std::string_view name = "gemma3";
  static constexpr ModelSpec spec{.topology = Topology::sandwich,
                                  .qk_norm = QkNorm::per_head,
                                  .activation = Activation::gelu_tanh,
                                  .layers = every(6, Mixer::full, Mixer::sliding)};
  static constexpr auto tensors =
      tensors_with(Slot::q_norm, Slot::k_norm, Slot::post_attn_norm, Slot::post_ffn_norm);

  static Extents extents(const Metadata& metadata) {
    Extents e = read_extents(metadata, name, spec.layers);
    const ExtentReader reader(metadata, name);
    e.embedding_scale = std::sqrt(static_cast<float>(e.width));
    e.rope_sliding.base = reader.rope_base("rope.freq_base_swa", 10000.0f);
    e.rope_sliding.factor = 1.0f;
    if (e.layers == 62 && !reader.contains("attention.scale")) {
      e.attention_scale = 1.0f / std::sqrt(static_cast<float>(e.width / e.heads));
    }
    return e;
  }
};

static_assert(Architecture<Gemma3>);

}  // namespace lamina
