// From tensor names to slots of the model: every tensor is found, its shape checked, and none is
// left over.
//
// Names are those of GGUF (ggml-org/ggml, docs/gguf.md). An architecture states only where it
// differs from the default table, which is that of the original Llama layout.
#pragma once

#include "lamina/core/error.h"
#include "lamina/core/tensor.h"
#include "lamina/model/extents.h"
#include "lamina/quant/formats.h"

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
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

/// The shape {cols, rows} a slot must have; {0, 0} where any vocabulary will do.
inline std::array<std::int64_t, 2> expected_shape(Slot slot, const Extents& e) {
  const std::int64_t q = std::int64_t{e.heads} * e.key_dim;
  const std::int64_t k = std::int64_t{e.kv_heads} * e.key_dim;
  const std::int64_t v = std::int64_t{e.kv_heads} * e.value_dim;
  switch (slot) {
    case Slot::token_embedding:
    case Slot::output:
      return {e.width, e.vocab};
    case Slot::rope_divisors:
      return {e.rope.rotated / 2, 1};
    case Slot::q:
      return {e.width, q};
    case Slot::k:
      return {e.width, k};
    case Slot::v:
      return {e.width, v};
    case Slot::o:
      return {std::int64_t{e.heads} * e.value_dim, e.width};
    case Slot::q_bias:
      return {q, 1};
    case Slot::k_bias:
      return {k, 1};
    case Slot::v_bias:
      return {v, 1};
    case Slot::q_norm:
    case Slot::k_norm:
      return {e.key_dim, 1};
    case Slot::gate:
    case Slot::up:
      return {e.width, e.ffn_width};
    case Slot::down:
      return {e.ffn_width, e.width};
    case Slot::output_norm:
    case Slot::attn_norm:
    case Slot::post_attn_norm:
    case Slot::ffn_norm:
    case Slot::post_ffn_norm:
      return {e.width, 1};
  }
  return {0, 0};
}

/// Where tensors are looked up: by name, null where there is none.
using FindTensor = std::function<const TensorView*(std::string_view name)>;

namespace detail {

inline void check_tensor(const std::string& file, const TensorView& tensor, Slot slot,
                         const Extents& e) {
  const std::string what = file + ": the tensor '" + std::string(tensor.name) + "'";
  const auto [cols, rows] = expected_shape(slot, e);
  if (tensor.cols() != cols || tensor.rows() != rows) {
    throw Error(what + " is [" + std::to_string(tensor.cols()) + ", " +
                std::to_string(tensor.rows()) + "], expected [" + std::to_string(cols) + ", " +
                std::to_string(rows) + "] by the file's metadata");
  }
  if (!Formats::contains(tensor.format)) throw unsupported_format(tensor.format, what);
}

inline void take_tensor(SlotTensors& to, const std::string& file, const FindTensor& find,
                        const TensorName& entry, const std::string& prefix, const Extents& e,
                        std::size_t& taken) {
  const std::string name = prefix + std::string(entry.name);
  const TensorView* tensor = entry.presence == Presence::absent ? nullptr : find(name);
  if (tensor == nullptr) {
    if (entry.presence != Presence::required) return;
    throw Error(file + ": the tensor '" + name + "' is missing; the file is incomplete");
  }
  check_tensor(file, *tensor, entry.slot, e);
  to[entry.slot] = *tensor;
  ++taken;
}

}  // namespace detail

/// Fills `e.vocab` from the embedding, then every slot of `table`. Throws naming the tensor that is
/// missing, of another shape or of a format that cannot be computed with, and any tensor of `all`
/// that no slot takes.
inline ModelTensors find_tensors(const std::string& file, std::span<const TensorView> all,
                                 const FindTensor& find, const std::array<TensorName, slots>& table,
                                 Extents& e) {
  if (const TensorView* embedding = find(table[0].name)) {
    if (embedding->rows() > (1 << 24)) {
      throw Error(file + ": the tensor '" + std::string(embedding->name) + "' has " +
                  std::to_string(embedding->rows()) + " rows, more than any vocabulary");
    }
    e.vocab = static_cast<int>(embedding->rows());
  }
  ModelTensors tensors;
  std::size_t taken = 0;
  for (const TensorName& entry : table) {
    if (!per_layer(entry.slot)) {
      detail::take_tensor(tensors.global, file, find, entry, "", e, taken);
    }
  }
  for (int l = 0; l < e.layers; ++l) {
    SlotTensors& layer = tensors.layers.emplace_back();
    const std::string prefix = "blk." + std::to_string(l) + ".";
    for (const TensorName& entry : table) {
      if (per_layer(entry.slot)) {
        detail::take_tensor(layer, file, find, entry, prefix, e, taken);
      }
    }
  }
  if (taken == all.size()) return tensors;
  const auto used = [&](const TensorView& tensor) {
    const auto same = [&](const SlotTensors& of) {
      for (const TensorName& entry : table) {
        if (of.has(entry.slot) && of[entry.slot].name == tensor.name) return true;
      }
      return false;
    };
    for (const SlotTensors& layer : tensors.layers) {
      if (same(layer)) return true;
    }
    return same(tensors.global);
  };
  for (const TensorView& tensor : all) {
    if (used(tensor)) continue;
    throw Error(file + ": the tensor '" + std::string(tensor.name) +
                "' has no place in this architecture; running without it would give other results");
  }
  return tensors;
}

}  // namespace lamina
