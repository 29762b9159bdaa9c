// AttentionVariant: which keys a query sees, and what happens to its scores.
//
// Variants compose as types, `Softcap<SlidingWindow<Causal>>`; the numbers (window, cap) are
// members. Hooks are LAMINA_HD and generic in the real type, so that one struct drives the float64
// reference, the CPU kernel and the CUDA kernel. Masking is by selection: a key that is not visible
// takes no part, whatever memory holds.
#pragma once

#include "lamina/core/config.h"
#include "lamina/core/types.h"

#include <concepts>

namespace lamina {

/// Positions [first, end). Keys outside are never read.
struct KeyRange {
  Position first = 0;
  Position end = 0;
};

/// `keys` bounds the visible keys and need not be tight; `visible` decides; `score` maps q.k *
/// scale.
template <class V>
concept AttentionVariant = requires(const V variant, float score32, double score64, int head,
                                    Position query, Position key) {
  { variant.keys(query) } -> std::same_as<KeyRange>;
  { variant.visible(query, key) } -> std::same_as<bool>;
  { variant.score(score32, head, query, key) } -> std::same_as<float>;
  { variant.score(score64, head, query, key) } -> std::same_as<double>;
};

/// A variant whose softmax has, for each head, one more term in the denominator that carries no
/// value.
template <class V>
concept SinkVariant = AttentionVariant<V> && requires(const V variant, int head) {
  { variant.sink(head) } -> std::same_as<float>;
};

}  // namespace lamina
