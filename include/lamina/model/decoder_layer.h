// One layer of a decoder-only transformer:
//
//   pre_norm:  x += Wo attend(qkv(norm(x)))        sandwich:  x += norm(Wo attend(qkv(norm(x))))
//              x += ffn(norm(x))                              x += norm(ffn(norm(x)))
//
// with ffn(h) = Wdown (activation(Wgate h) * Wup h).
#pragma once

#include "lamina/backend/blocks.h"
#include "lamina/model/hooks.h"
#include "lamina/model/spec.h"
#include "lamina/model/weights.h"

namespace lamina {

/// What the layers of one batch work in; each [n, ...].
template <Backend B>
struct Scratch {
  typename B::Matrix normed, branch;  // width
  QkvMatrices<B> qkv;                 // heads * key_dim, kv_heads * key_dim, kv_heads * value_dim
  typename B::Matrix attended;        // heads * value_dim
  typename B::Matrix gate, up;        // ffn_width
};

/// x += the branch W h, through the norm of a sandwich where the structure has one.
template <ModelSpec S, Backend B>
void add_branch(B& b, typename B::Step& step, typename B::Matrix& x, const typename B::Weight& w,
                const typename B::Matrix& h, const std::optional<typename B::Vector>& norm,
                typename B::Matrix& branch, float eps) {
  if constexpr (S.topology == Topology::sandwich) {
    b.linear(step, branch, w, h, static_cast<const typename B::Vector*>(nullptr));
    b.rms_norm(step, branch, branch, *norm, eps);
    b.add(step, x, branch);
  } else {
    project_add(b, step, x, w, h, branch);
  }
}

template <ModelSpec S, Mixer M, class Hooks, Backend B>
void decoder_layer(B& b, typename B::Step& step, typename B::Matrix& x, const LayerWeights<B>& w,
                   KvLayer kv, Scratch<B>& s, const Extents& e) {
  const RopeUse rope{.table = static_cast<int>(M), .head_dim = e.key_dim};
  const AttentionShape shape{.heads = e.heads, .scale = e.attention_scale};

  b.rms_norm(step, s.normed, x, w.attn_norm, e.eps);
  project_qkv(b, step, s.qkv, s.normed, w.qkv, rope, e.eps, kv);
  b.attend(step, s.attended, s.qkv.q, kv, shape, Hooks::template attention<M>(e));
  add_branch<S>(b, step, x, w.o, s.attended, w.post_attn_norm, s.branch, e.eps);

  b.rms_norm(step, s.normed, x, w.ffn_norm, e.eps);
  gated_ffn<S.activation>(b, step, s.gate, s.up, w.ffn, s.normed);
  add_branch<S>(b, step, x, w.ffn.down, s.gate, w.post_ffn_norm, s.branch, e.eps);
}

}  // namespace lamina
