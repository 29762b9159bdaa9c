// Backend: the operations a model may ask for, on vectors, matrices and weights that only the
// backend can see.
//
// The graph never reads a value, so that a backend may queue everything until `read`. A Matrix is
// [rows of the batch, cols] floats; a Vector is a norm's weight or a bias; a Weight maps [cols] to
// [rows] and carries its own format. Positions, sequences and row lists travel once, in `begin`.
#pragma once

#include "lamina/attention/causal.h"
#include "lamina/core/tensor.h"
#include "lamina/kv/view.h"
#include "lamina/ops/activation.h"
#include "lamina/ops/rope.h"

#include <concepts>
#include <cstdint>
#include <span>
#include <vector>

namespace lamina {

/// What one batch looks like to a backend.
struct BatchRows {
  std::vector<Token> tokens;           // [n]
  std::vector<Position> positions;     // [n]
  std::vector<std::int32_t> sequence;  // [n]: index into the KvLayer of each layer
  std::vector<std::int32_t> outputs;   // rows whose logits are wanted
};

/// One layer's keys and values: a view for each sequence of the batch, its `end` past the batch's
/// own rows. Lives until the step's `read` returns.
using KvLayer = std::span<const KvView>;

/// The shape of attention, the same for all sequences.
struct AttentionShape {
  int heads = 0;
  float scale = 1;  // of q . k
};

/// How positions turn heads: an index into the tables given to `begin`.
struct RopeUse {
  int table = 0;
  int head_dim = 0;
};

template <class B>
concept Backend = requires(B& b, typename B::Step& step, typename B::Matrix& y,
                           const typename B::Matrix& x, const typename B::Weight& weight,
                           const typename B::Vector& vector, const TensorView& tensor,
                           const BatchRows& rows, std::span<const RopeSettings> ropes, KvLayer kv,
                           std::span<float> out) {
  // Once, at load.
  { b.prepare(tensor) } -> std::same_as<typename B::Weight>;
  { b.vector(tensor) } -> std::same_as<typename B::Vector>;
  // Once a batch. `read` completes the step: `out` is [outputs, cols of x].
  { b.begin(rows, ropes) } -> std::same_as<typename B::Step>;
  { b.matrix(step, std::int64_t{}, std::int64_t{}) } -> std::same_as<typename B::Matrix>;
  { b.read(step, x, out) } -> std::same_as<void>;
  // y = the table's rows of the batch's tokens, times a scale.
  { b.embed(step, y, weight, float{}) } -> std::same_as<void>;
  // y = x / rms(x) * vector, over each run of the vector's length in a row.
  { b.rms_norm(step, y, x, vector, float{}) } -> std::same_as<void>;
  // y = x W^T (+ bias, unless null).
  { b.linear(step, y, weight, x, &vector) } -> std::same_as<void>;
  // Turns each head of each row by the row's position.
  { b.rope(step, y, RopeUse{}) } -> std::same_as<void>;
  // Stores each row's keys and values at its position, rounded to the store's formats.
  { b.append(step, kv, x, x) } -> std::same_as<void>;
  // y = attention of each row's query heads over its sequence, as the variant says; any
  // AttentionVariant.
  { b.attend(step, y, x, kv, AttentionShape{}, Causal{}) } -> std::same_as<void>;
  // y += x.
  { b.add(step, y, x) } -> std::same_as<void>;
  // y = activation(y) * x; any Activation.
  { b.template gate<Activation::silu>(step, y, x) } -> std::same_as<void>;
  // y = the rows of x whose logits are wanted.
  { b.select(step, y, x) } -> std::same_as<void>;
};

}  // namespace lamina
