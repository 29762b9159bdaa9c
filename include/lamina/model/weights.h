// The weights of a model as a backend holds them, prepared once from the tensors of a file.
#pragma once

#include "lamina/backend/blocks.h"
#include "lamina/model/tensors.h"

#include <optional>
#include <vector>

namespace lamina {

template <Backend B>
struct LayerWeights {
  typename B::Vector attn_norm;
  QkvWeights<B> qkv;
  typename B::Weight o;
  std::optional<typename B::Vector> post_attn_norm;  // sandwich topology
  typename B::Vector ffn_norm;
  FfnWeights<B> ffn;
  std::optional<typename B::Vector> post_ffn_norm;  // sandwich topology
};

template <Backend B>
struct ModelWeights {
  typename B::Weight token_embedding;
  std::vector<LayerWeights<B>> layers;
  typename B::Vector output_norm;
  typename B::Weight output;  // where the file has none, the embedding again
};

/// What is called after each layer with the number prepared so far, of how many: here, nothing.
struct NoProgress {
  void operator()(int, int) const {}
};

namespace detail {

template <Backend B>
LayerWeights<B> prepare_layer(B& b, const SlotTensors& tensors) {
  const auto optional = [&](Slot slot) -> std::optional<typename B::Vector> {
    if (!tensors.has(slot)) return std::nullopt;
    return b.vector(tensors[slot]);
  };
  return {.attn_norm = b.vector(tensors[Slot::attn_norm]),
          .qkv = {.q = b.prepare(tensors[Slot::q]),
                  .k = b.prepare(tensors[Slot::k]),
                  .v = b.prepare(tensors[Slot::v]),
                  .q_bias = optional(Slot::q_bias),
                  .k_bias = optional(Slot::k_bias),
                  .v_bias = optional(Slot::v_bias),
                  .q_norm = optional(Slot::q_norm),
                  .k_norm = optional(Slot::k_norm)},
          .o = b.prepare(tensors[Slot::o]),
          .post_attn_norm = optional(Slot::post_attn_norm),
          .ffn_norm = b.vector(tensors[Slot::ffn_norm]),
          .ffn = {.gate = b.prepare(tensors[Slot::gate]),
                  .up = b.prepare(tensors[Slot::up]),
                  .down = b.prepare(tensors[Slot::down])},
          .post_ffn_norm = optional(Slot::post_ffn_norm)};
}

}  // namespace detail

template <Backend B, class Progress = NoProgress>
ModelWeights<B> prepare_weights(B& b, const ModelTensors& tensors, const Progress& progress = {}) {
  const SlotTensors& global = tensors.global;
  const Slot head = global.has(Slot::output) ? Slot::output : Slot::token_embedding;
  ModelWeights<B> weights{.token_embedding = prepare_table(b, global[Slot::token_embedding]),
                          .layers = {},
                          .output_norm = b.vector(global[Slot::output_norm]),
                          .output = b.prepare(global[head])};
  for (const SlotTensors& layer : tensors.layers) {
    weights.layers.push_back(detail::prepare_layer(b, layer));
    progress(static_cast<int>(weights.layers.size()), static_cast<int>(tensors.layers.size()));
  }
  return weights;
}

}  // namespace lamina
