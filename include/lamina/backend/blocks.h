// The blocks that a model's graph is written in. Each is composed of a backend's primitives, unless
// the backend has its own member of the same name: that is how fusion comes in without touching the
// graph.
#pragma once

#include "lamina/backend/backend.h"

#include <cstdint>
#include <optional>

namespace lamina {

// These are templates of any class, not of a Backend: a backend that overrides a block names them
// for itself, before it is complete.

/// Weights of the attention projections of one layer.
template <class B>
struct QkvWeights {
  typename B::Weight q, k, v;
  std::optional<typename B::Vector> q_bias, k_bias, v_bias;
  std::optional<typename B::Vector> q_norm, k_norm;  // over each head
};

template <class B>
struct QkvMatrices {
  typename B::Matrix q, k, v;
};

/// Weights of a gated feed-forward block.
template <class B>
struct FfnWeights {
  typename B::Weight gate, up, down;
};

template <class Vector>
const Vector* pointer_to(const std::optional<Vector>& vector) {
  return vector ? &*vector : nullptr;
}

/// A weight whose rows are only looked up.
template <Backend B>
typename B::Weight prepare_table(B& b, const TensorView& tensor) {
  if constexpr (requires { b.prepare_table(tensor); }) {
    return b.prepare_table(tensor);
  } else {
    return b.prepare(tensor);
  }
}

/// q, k, v = projections of h, biased, normed and turned; k and v are appended to the layer's
/// store.
template <Backend B>
void project_qkv(B& b, typename B::Step& step, QkvMatrices<B>& to, const typename B::Matrix& h,
                 const QkvWeights<B>& w, RopeUse rope, float eps, KvLayer kv) {
  if constexpr (requires { b.project_qkv(step, to, h, w, rope, eps, kv); }) {
    b.project_qkv(step, to, h, w, rope, eps, kv);
  } else {
    b.linear(step, to.q, w.q, h, pointer_to(w.q_bias));
    b.linear(step, to.k, w.k, h, pointer_to(w.k_bias));
    b.linear(step, to.v, w.v, h, pointer_to(w.v_bias));
    if (w.q_norm) b.rms_norm(step, to.q, to.q, *w.q_norm, eps);
    if (w.k_norm) b.rms_norm(step, to.k, to.k, *w.k_norm, eps);
    b.rope(step, to.q, rope);
    b.rope(step, to.k, rope);
    b.append(step, kv, to.k, to.v);
  }
}

/// x += W h, by way of `scratch`.
template <Backend B>
void project_add(B& b, typename B::Step& step, typename B::Matrix& x, const typename B::Weight& w,
                 const typename B::Matrix& h, typename B::Matrix& scratch) {
  if constexpr (requires { b.project_add(step, x, w, h, scratch); }) {
    b.project_add(step, x, w, h, scratch);
  } else {
    b.linear(step, scratch, w, h, static_cast<const typename B::Vector*>(nullptr));
    b.add(step, x, scratch);
  }
}

/// gate = activation(Wg h) * (Wu h), with `up` as scratch.
template <Activation A, Backend B>
void gated_ffn(B& b, typename B::Step& step, typename B::Matrix& gate, typename B::Matrix& up,
               const FfnWeights<B>& w, const typename B::Matrix& h) {
  if constexpr (requires { b.template gated_ffn<A>(step, gate, up, w, h); }) {
    b.template gated_ffn<A>(step, gate, up, w, h);
  } else {
    const typename B::Vector* no_bias = nullptr;
    b.linear(step, gate, w.gate, h, no_bias);
    b.linear(step, up, w.up, h, no_bias);
    b.template gate<A>(step, gate, up);
  }
}

}  // namespace lamina
