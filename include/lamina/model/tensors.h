// Slots: the tensors a decoder-only transformer can have, and what files call them.
//
// Names are those of GGUF (ggml-org/ggml, docs/gguf.md). An architecture states only where it
// differs from the default table, which is that of the original Llama layout.
#pragma once

#include "lamina/core/tensor.h"

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace lamina {

/// The tensors a decoder-only transformer can have; those from `attn_norm` on come once a layer.
enum class Slot {
  token_embedding,
  output_norm,
  output,
  rope_divisors,
  attn_norm,
  q,
  k,
  v,
  o,
  q_bias,
  k_bias,
  v_bias,
  q_norm,
  k_norm,
  post_attn_norm,
  ffn_norm,
  gate,
  up,
  down,
  post_ffn_norm,
};

inline constexpr std::size_t slots = static_cast<std::size_t>(Slot::post_ffn_norm) + 1;

constexpr bool per_layer(Slot slot) { return slot >= Slot::attn_norm; }

enum class Presence { required, optional, absent };

struct TensorName {
  Slot slot;
  std::string_view name;  // after "blk.N." where the tensor comes once a layer
  Presence presence;
};

inline constexpr std::array<TensorName, slots> default_tensors{{
    {Slot::token_embedding, "token_embd.weight", Presence::required},
    {Slot::output_norm, "output_norm.weight", Presence::required},
    {Slot::output, "output.weight", Presence::optional},  // absent: tied to the embedding
    {Slot::rope_divisors, "rope_freqs.weight", Presence::optional},
    {Slot::attn_norm, "attn_norm.weight", Presence::required},
    {Slot::q, "attn_q.weight", Presence::required},
    {Slot::k, "attn_k.weight", Presence::required},
    {Slot::v, "attn_v.weight", Presence::required},
    {Slot::o, "attn_output.weight", Presence::required},
    {Slot::q_bias, "attn_q.bias", Presence::optional},
    {Slot::k_bias, "attn_k.bias", Presence::optional},
    {Slot::v_bias, "attn_v.bias", Presence::optional},
    {Slot::q_norm, "attn_q_norm.weight", Presence::absent},
    {Slot::k_norm, "attn_k_norm.weight", Presence::absent},
    {Slot::post_attn_norm, "post_attention_norm.weight", Presence::absent},
    {Slot::ffn_norm, "ffn_norm.weight", Presence::required},
    {Slot::gate, "ffn_gate.weight", Presence::required},
    {Slot::up, "ffn_up.weight", Presence::required},
    {Slot::down, "ffn_down.weight", Presence::required},
    {Slot::post_ffn_norm, "post_ffw_norm.weight", Presence::absent},
}};

/// The default table with these slots required.
template <class... Slots>
constexpr std::array<TensorName, slots> tensors_with(Slots... required) {
  auto table = default_tensors;
  for (const Slot slot : {required...}) {
    table[static_cast<std::size_t>(slot)].presence = Presence::required;
  }
  return table;
}

/// One tensor of each slot; a tensor without bytes is absent.
class SlotTensors {
 public:
  const TensorView& operator[](Slot slot) const { return views_[static_cast<std::size_t>(slot)]; }
  TensorView& operator[](Slot slot) { return views_[static_cast<std::size_t>(slot)]; }
  bool has(Slot slot) const { return !(*this)[slot].bytes.empty(); }

 private:
  std::array<TensorView, slots> views_;
};

struct ModelTensors {
  SlotTensors global;
  std::vector<SlotTensors> layers;
};

}  // namespace lamina
