// Extents from the metadata of a GGUF file, checked against each other.
//
// Keys are those of GGUF (ggml-org/ggml, docs/gguf.md), with the architecture's name before the
// dot. A key that would change the result and is not understood is refused by name: a model is
// never run as if it were another.
#pragma once

#include "lamina/gguf/metadata.h"
#include "lamina/model/extents.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lamina {

/// Reads keys of one architecture and keeps them within limits that a real model can have.
class ExtentReader {
 public:
  ExtentReader(const Metadata& metadata, std::string_view architecture)
      : metadata_(metadata), prefix_(std::string(architecture) + ".") {}

  std::string key(std::string_view name) const { return prefix_ + std::string(name); }
  bool contains(std::string_view name) const { return metadata_.contains(key(name)); }
  const Metadata& metadata() const { return metadata_; }

  /// An integer in [low, high]; throws naming the key, the value and the limits.
  int integer(std::string_view name, std::int64_t low, std::int64_t high) const;
  int integer_or(std::string_view name, int fallback, std::int64_t low, std::int64_t high) const;
  /// A finite number.
  float number(std::string_view name) const;
  float number_or(std::string_view name, float fallback) const;
  /// The length of a head, by default a head's share of the width: even, 2 to 1024.
  int head_length(std::string_view name, int share) const;
  /// A base of rope's frequencies: more than 1.
  float rope_base(std::string_view name, float fallback) const;
  /// Throws where the file sets `name` to anything but `neutral`.
  void refuse_unless(std::string_view name, double neutral) const;
  [[noreturn]] void fail(std::string_view name, const std::string& found,
                         const std::string& expected) const;

 private:
  const Metadata& metadata_;
  std::string prefix_;
};

inline void ExtentReader::fail(std::string_view name, const std::string& found,
                               const std::string& expected) const {
  throw Error(metadata_.source() + ": the key " + quoted(key(name)) + " is " + found +
              ", expected " + expected + "; the file is damaged or of another kind of model");
}

inline int ExtentReader::integer(std::string_view name, std::int64_t low, std::int64_t high) const {
  const auto value = metadata_.get<std::int64_t>(key(name));
  if (value < low || value > high) {
    fail(name, std::to_string(value), std::to_string(low) + " to " + std::to_string(high));
  }
  return static_cast<int>(value);
}

inline int ExtentReader::integer_or(std::string_view name, int fallback, std::int64_t low,
                                    std::int64_t high) const {
  return contains(name) ? integer(name, low, high) : fallback;
}

inline float ExtentReader::number(std::string_view name) const {
  const auto value = metadata_.get<float>(key(name));
  if (!std::isfinite(value)) fail(name, std::to_string(value), "a finite number");
  return value;
}

inline float ExtentReader::number_or(std::string_view name, float fallback) const {
  return contains(name) ? number(name) : fallback;
}

inline int ExtentReader::head_length(std::string_view name, int share) const {
  const int length = integer_or(name, share, 0, 1 << 20);
  if (length >= 2 && length <= 1024 && length % 2 == 0) return length;
  const std::string found = std::to_string(length);
  fail(name, contains(name) ? found : "missing, and by width and heads " + found,
       "an even number from 2 to 1024");
}

inline float ExtentReader::rope_base(std::string_view name, float fallback) const {
  const float base = number_or(name, fallback);
  if (!(base > 1)) fail(name, std::to_string(base), "more than 1");
  return base;
}

inline void ExtentReader::refuse_unless(std::string_view name, double neutral) const {
  if (!contains(name)) return;
  const ValueType type = metadata_.value(key(name))->type();
  const bool real = type == ValueType::f32 || type == ValueType::f64;
  const double value = real ? metadata_.get<double>(key(name))
                            : static_cast<double>(metadata_.get<std::int64_t>(key(name)));
  if (value != neutral) {
    fail(name, std::to_string(value), "no such key: this architecture is not computed with it");
  }
}

namespace detail {

inline std::vector<Mixer> read_mixers(const ExtentReader& reader, const LayerPattern& pattern,
                                      int layers) {
  std::vector<Mixer> mixers(static_cast<std::size_t>(layers));
  for (int l = 0; l < layers; ++l) mixers[static_cast<std::size_t>(l)] = pattern[l];
  constexpr std::string_view name = "attention.sliding_window_pattern";
  if (!reader.contains(name) || !pattern.contains(Mixer::sliding)) return mixers;
  const std::string key = reader.key(name);
  if (reader.metadata().value(key)->is_array()) {
    const auto sliding = reader.metadata().get<std::vector<bool>>(key);
    if (sliding.size() != mixers.size()) {
      reader.fail(name, std::to_string(sliding.size()) + " values long",
                  std::to_string(layers) + ", one for each layer");
    }
    for (std::size_t l = 0; l < mixers.size(); ++l) {
      mixers[l] = sliding[l] ? Mixer::sliding : Mixer::full;
    }
    return mixers;
  }
  const int period = reader.integer(name, 1, layers);
  for (int l = 0; l < layers; ++l) {
    mixers[static_cast<std::size_t>(l)] = (l + 1) % period == 0 ? Mixer::full : Mixer::sliding;
  }
  return mixers;
}

inline RopeSettings read_rope(const ExtentReader& reader, int key_dim) {
  RopeSettings rope;
  rope.rotated = reader.integer_or("rope.dimension_count", key_dim, 2, key_dim);
  if (rope.rotated % 2 != 0) {
    reader.fail("rope.dimension_count", std::to_string(rope.rotated), "an even number: pairs turn");
  }
  rope.base = reader.rope_base("rope.freq_base", rope.base);
  const std::string kind = reader.metadata().get_or<std::string>(
      reader.key("rope.scaling.type"), reader.contains("rope.scaling.factor") ? "linear" : "none");
  if (kind == "linear") rope.factor = reader.number_or("rope.scaling.factor", 1.0f);
  if (kind != "linear" && kind != "none") {
    reader.fail("rope.scaling.type", quoted(kind), "one of: none, linear");
  }
  if (!(rope.factor >= 1)) {
    reader.fail("rope.scaling.factor", std::to_string(rope.factor), "1 or more");
  }
  reader.refuse_unless("rope.scaling.attn_factor", 1);
  return rope;
}

/// Keys of other structures, with the value at which they change nothing.
inline void refuse_foreign_keys(const ExtentReader& reader) {
  reader.refuse_unless("expert_count", 0);
  reader.refuse_unless("attn_logit_softcapping", 0);
  reader.refuse_unless("final_logit_softcapping", 0);
  reader.refuse_unless("attention.clamp_kqv", 0);
  reader.refuse_unless("attention.max_alibi_bias", 0);
  reader.refuse_unless("attention.shared_kv_layers", 0);
  reader.refuse_unless("logit_scale", 1);
  reader.refuse_unless("residual_scale", 1);
  reader.refuse_unless("embedding_scale", 1);
  reader.refuse_unless("rope.scale_linear", 1);
  reader.refuse_unless("attention.temperature_scale", 0);
  reader.refuse_unless("nextn_predict_layers", 0);
  if (reader.metadata().get_or(reader.key("use_parallel_residual"), false)) {
    reader.fail("use_parallel_residual", "true", "false: this architecture has no such layers");
  }
  if (!reader.metadata().get_or(reader.key("attention.causal"), true)) {
    reader.fail("attention.causal", "false", "true: this architecture attends to the past only");
  }
}

}  // namespace detail

/// The numbers every decoder-only transformer has. An architecture adjusts what its family does
/// differently.
inline Extents read_extents(const Metadata& metadata, std::string_view architecture,
                            const LayerPattern& pattern) {
  const ExtentReader reader(metadata, architecture);
  Extents e;
  e.layers = reader.integer("block_count", 1, 4096);
  e.width = reader.integer("embedding_length", 1, 1 << 20);
  e.heads = reader.integer("attention.head_count", 1, 1 << 14);
  e.kv_heads = reader.integer_or("attention.head_count_kv", e.heads, 1, e.heads);
  if (e.heads % e.kv_heads != 0) {
    reader.fail("attention.head_count_kv", std::to_string(e.kv_heads),
                "a divisor of the " + std::to_string(e.heads) + " heads");
  }
  const int share = e.width / e.heads;
  e.key_dim = reader.head_length("attention.key_length", share);
  e.value_dim = reader.head_length("attention.value_length", share);
  e.ffn_width = reader.integer("feed_forward_length", 1, 1 << 22);
  e.context = reader.integer("context_length", 1, 1 << 30);
  e.eps = reader.number("attention.layer_norm_rms_epsilon");
  if (!(e.eps >= 0))
    reader.fail("attention.layer_norm_rms_epsilon", std::to_string(e.eps), "0 or more");
  e.attention_scale =
      reader.number_or("attention.scale", 1.0f / std::sqrt(static_cast<float>(e.key_dim)));
  if (!(e.attention_scale > 0)) {
    reader.fail("attention.scale", std::to_string(e.attention_scale), "more than 0");
  }
  e.mixers = detail::read_mixers(reader, pattern, e.layers);
  for (const Mixer mixer : e.mixers) {
    if (pattern.contains(mixer)) continue;
    reader.fail("attention.sliding_window_pattern", "one with layers of both kinds",
                "sliding layers only: this architecture has no others");
  }
  e.rope = detail::read_rope(reader, e.key_dim);
  e.rope_sliding = e.rope;
  if (pattern.contains(Mixer::sliding)) {
    e.window = reader.integer("attention.sliding_window", 1, 1 << 30);
  } else {
    reader.refuse_unless("attention.sliding_window", 0);
    reader.refuse_unless("rope.freq_base_swa", static_cast<double>(e.rope.base));
  }
  reader.refuse_unless("attention.key_length_swa", e.key_dim);
  reader.refuse_unless("attention.value_length_swa", e.value_dim);
  detail::refuse_foreign_keys(reader);
  return e;
}

}  // namespace lamina
