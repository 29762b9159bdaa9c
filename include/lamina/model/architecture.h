// Architecture: a family's name, its structure, its extents and its tensors. A new one is a struct
// of four lines.
//
// Optional hook, found where it exists: `template <Mixer M> static auto attention(const Extents&)`
// returns the AttentionVariant that layers of kind M use instead of the default.
#pragma once

#include "lamina/attention/causal.h"
#include "lamina/attention/sliding_window.h"
#include "lamina/model/spec.h"
#include "lamina/model/tensors.h"

#include <concepts>
#include <string_view>

namespace lamina {

template <class A>
concept Architecture = A::spec.valid() && requires(const Metadata& metadata) {
  { A::name } -> std::convertible_to<std::string_view>;  // general.architecture in the file
  { A::spec } -> std::convertible_to<ModelSpec>;
  { A::extents(metadata) } -> std::same_as<Extents>;
  { A::tensors } -> std::convertible_to<std::array<TensorName, slots>>;
};

/// The hooks of an architecture that has none: what each kind of mixer means.
struct DefaultHooks {
  template <Mixer M>
  static auto attention(const Extents& e) {
    if constexpr (M == Mixer::sliding) {
      return SlidingWindow<Causal>{{}, e.window};
    } else {
      return Causal{};
    }
  }
};

template <class A>
concept HasAttentionHook = requires(const Extents& e) {
  { A::template attention<Mixer::full>(e) } -> AttentionVariant;
};

namespace detail {

template <class A>
struct HooksOf {
  using type = DefaultHooks;
};
template <HasAttentionHook A>
struct HooksOf<A> {
  using type = A;
};

}  // namespace detail

/// A where it has hooks, else DefaultHooks: architectures of one structure share one Model.
template <class A>
using HooksOf = typename detail::HooksOf<A>::type;

}  // namespace lamina
