// ModelSpec: the structure of a decoder-only transformer, as compile-time values.
//
// Structure is what changes the shape of the code. Extents (layers, widths, head_dim, window,
// theta) are read from the file and stand in extents.h; weight formats are carried by each tensor.
#pragma once

#include "lamina/ops/activation.h"

#include <cstdint>

namespace lamina {

/// Where the norms stand around attention and feed-forward blocks.
enum class Topology {
  pre_norm,  // x += f(norm(x))
  sandwich,  // x += norm(f(norm(x)))
};

/// What happens to queries and keys before rope.
enum class QkNorm {
  none,
  per_head,  // an RMS norm over each head, one weight for all heads
};

/// What mixes the tokens of a sequence in a layer.
enum class Mixer : std::uint8_t {
  full,     // causal attention over the whole past
  sliding,  // causal attention over the newest `window` positions
};

/// The kinds of mixer a model is compiled for, in their usual order; a file may order them
/// otherwise.
struct LayerPattern {
  static constexpr int max_period = 8;
  int period = 1;
  Mixer mixer[max_period] = {};

  constexpr Mixer operator[](int layer) const { return mixer[layer % period]; }
  constexpr bool contains(Mixer kind) const {
    for (int i = 0; i < period; ++i) {
      if (mixer[i] == kind) return true;
    }
    return false;
  }
  constexpr bool operator==(const LayerPattern&) const = default;
};

/// `last` closes each period of layers, the others come before it: five sliding, one full.
consteval LayerPattern every(int period, Mixer last, Mixer others) {
  if (period < 1 || period > LayerPattern::max_period) throw "a layer pattern has 1 to 8 layers";
  LayerPattern pattern{.period = period};
  for (int i = 0; i < period; ++i) pattern.mixer[i] = i + 1 == period ? last : others;
  return pattern;
}

struct ModelSpec {
  Topology topology = Topology::pre_norm;
  QkNorm qk_norm = QkNorm::none;
  Activation activation = Activation::silu;
  LayerPattern layers{};

  constexpr bool operator==(const ModelSpec&) const = default;

  /// True, or a compile error that says what is wrong.
  consteval bool valid() const {
    if (layers.period < 1 || layers.period > LayerPattern::max_period) {
      throw "layers.period must be 1 to 8: build the pattern with every()";
    }
    return true;
  }
};

}  // namespace lamina
