// From tensor names to slots: every tensor is found, its shape checked, and none is left over.
#pragma once

#include "lamina/core/error.h"
#include "lamina/gguf/quoted.h"
#include "lamina/model/extents.h"
#include "lamina/model/tensors.h"
#include "lamina/quant/formats.h"

#include <array>
#include <cmath>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lamina {

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

namespace detail {

inline void check_tensor(const std::string& file, const TensorView& tensor, Slot slot,
                         const Extents& e) {
  const std::string what = file + ": the tensor " + quoted(tensor.name);
  const auto [cols, rows] = expected_shape(slot, e);
  if (tensor.cols() != cols || tensor.rows() != rows) {
    throw Error(what + " is [" + std::to_string(tensor.cols()) + ", " +
                std::to_string(tensor.rows()) + "], expected [" + std::to_string(cols) + ", " +
                std::to_string(rows) + "] by the file's metadata");
  }
  if (!Formats::contains(tensor.format)) throw unsupported_format(tensor.format, what);
}

/// What the frequencies of rope are divided by; anything but a positive number would make NaNs.
inline std::vector<float> read_divisors(const std::string& file, const TensorView& tensor) {
  std::vector<float> divisors(static_cast<std::size_t>(tensor.cols()));
  decode_row(tensor.format, tensor.bytes.data(), tensor.cols(), divisors.data());
  for (const float divisor : divisors) {
    if (divisor > 0 && std::isfinite(divisor)) continue;
    throw Error(file + ": the tensor " + quoted(tensor.name) + " holds " + std::to_string(divisor) +
                ", expected positive numbers");
  }
  return divisors;
}

/// Looks tensors up by name and notes which ones it took.
template <class Find>
struct TensorTaker {
  const std::string& file;
  const Find& find;
  const Extents& extents;
  std::set<std::string_view> taken;

  void take(SlotTensors& to, const TensorName& entry, const std::string& prefix) {
    const std::string name = prefix + std::string(entry.name);
    const TensorView* tensor = entry.presence == Presence::absent ? nullptr : find(name);
    if (tensor == nullptr) {
      if (entry.presence != Presence::required) return;
      throw Error(file + ": the tensor " + quoted(name) + " is missing; the file is incomplete");
    }
    check_tensor(file, *tensor, entry.slot, extents);
    to[entry.slot] = *tensor;
    taken.insert(tensor->name);
  }
};

}  // namespace detail

/// Fills `e.vocab` from the embedding and `e.rope.divisors` from its tensor, then every slot of
/// `table`; `find` gives the tensor of a name, or null. Throws naming the tensor that is missing,
/// of another shape or of a format that cannot be computed with, and any tensor of `all` that no
/// slot takes.
template <class Find>
ModelTensors find_tensors(const std::string& file, std::span<const TensorView> all,
                          const Find& find, const std::array<TensorName, slots>& table,
                          Extents& e) {
  if (const TensorView* embedding = find(table[0].name)) {
    if (embedding->rows() > (1 << 24)) {
      throw Error(file + ": the tensor " + quoted(embedding->name) + " has " +
                  std::to_string(embedding->rows()) + " rows, more than any vocabulary");
    }
    e.vocab = static_cast<int>(embedding->rows());
  }
  ModelTensors tensors{{}, std::vector<SlotTensors>(static_cast<std::size_t>(e.layers))};
  detail::TensorTaker<Find> taker{file, find, e, {}};
  for (const TensorName& entry : table) {
    if (!per_layer(entry.slot)) taker.take(tensors.global, entry, "");
    for (std::size_t l = 0; per_layer(entry.slot) && l < tensors.layers.size(); ++l) {
      taker.take(tensors.layers[l], entry, "blk." + std::to_string(l) + ".");
    }
  }
  if (tensors.global.has(Slot::rope_divisors)) {
    e.rope.divisors = detail::read_divisors(file, tensors.global[Slot::rope_divisors]);
  }
  for (const TensorView& tensor : all) {
    if (taker.taken.contains(tensor.name)) continue;
    throw Error(file + ": the tensor " + quoted(tensor.name) +
                " has no place in this architecture; running without it would give other results");
  }
  return tensors;
}

}  // namespace lamina
