// Hooks: what an architecture may decide for itself, and what happens where it does not.
//
// There is one: `template <Mixer M> static auto attention(const Extents&)` returns the
// AttentionVariant that layers of kind M use instead of the default.
#pragma once

#include "lamina/attention/causal.h"
#include "lamina/attention/sliding_window.h"
#include "lamina/model/extents.h"

namespace lamina {

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
