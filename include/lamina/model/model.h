// Model: tokens to logits. The graph of an architecture on a backend.
//
// `ModelGraph` depends on structure alone, so that families of one structure share one instance;
// `Model<Architecture, Backend>` is how to spell it.
#pragma once

#include "lamina/model/batch.h"
#include "lamina/model/decoder_layer.h"
#include "lamina/model/sequence_state.h"

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace lamina {

template <ModelSpec S, Backend B, class Hooks = DefaultHooks>
class ModelGraph {
 public:
  /// The tensors must outlive the model where the backend does not copy them. `progress` is called
  /// after each layer with the number prepared so far, of how many.
  ModelGraph(B backend, Extents extents, const ModelTensors& tensors, const auto& progress);
  ModelGraph(B backend, Extents extents, const ModelTensors& tensors)
      : ModelGraph(std::move(backend), std::move(extents), tensors, NoProgress{}) {}

  const Extents& extents() const { return extents_; }

  /// Runs the rows; `states[i]` is the sequence that rows.sequence names i. The rows' positions
  /// must continue their sequences, which grow by them. `logits` is [rows.outputs, vocab].
  void forward(const BatchRows& rows, std::span<SequenceState* const> states,
               std::span<float> logits);

 private:
  using Matrix = typename B::Matrix;
  using Step = typename B::Step;

  Scratch<B> make_scratch(Step& step, std::int64_t rows);
  std::vector<std::vector<KvView>> views_of(std::span<SequenceState* const> states) const;
  void layer(Step& step, Matrix& x, int l, KvLayer kv, Scratch<B>& scratch);

  B backend_;
  Extents extents_;
  ModelWeights<B> weights_;
  std::array<RopeSettings, 2> ropes_;  // by Mixer
  std::vector<int> index_;             // [layers]: the layer's number among those of its kind
};

template <class Architecture, Backend B>
using Model = ModelGraph<Architecture::spec, B, HooksOf<Architecture>>;

template <ModelSpec S, Backend B, class Hooks>
ModelGraph<S, B, Hooks>::ModelGraph(B backend, Extents extents, const ModelTensors& tensors,
                                    const auto& progress)
    : backend_(std::move(backend)),
      extents_(std::move(extents)),
      weights_(prepare_weights(backend_, tensors, progress)) {
  ropes_ = {extents_.rope_of(Mixer::full), extents_.rope_of(Mixer::sliding)};
  int count[2] = {};
  for (const Mixer mixer : extents_.mixers) index_.push_back(count[static_cast<int>(mixer)]++);
}

template <ModelSpec S, Backend B, class Hooks>
void ModelGraph<S, B, Hooks>::forward(const BatchRows& rows, std::span<SequenceState* const> states,
                                      std::span<float> logits) {
  std::vector<Position> counts(states.size());
  for (const std::int32_t sequence : rows.sequence) ++counts[static_cast<std::size_t>(sequence)];
  for (std::size_t i = 0; i < states.size(); ++i) states[i]->append(counts[i]);

  const Extents& e = extents_;
  const auto n = static_cast<std::int64_t>(rows.tokens.size());
  const auto outputs = static_cast<std::int64_t>(rows.outputs.size());
  const std::vector<std::vector<KvView>> views = views_of(states);
  Step step = backend_.begin(rows, ropes_);
  Matrix x = backend_.matrix(step, n, e.width);
  Scratch<B> scratch = make_scratch(step, n);

  backend_.embed(step, x, weights_.token_embedding, e.embedding_scale);
  for (int l = 0; l < e.layers; ++l) {
    layer(step, x, l, views[static_cast<std::size_t>(l)], scratch);
  }
  Matrix last = backend_.matrix(step, outputs, e.width);
  Matrix head = backend_.matrix(step, outputs, e.vocab);
  backend_.select(step, last, x);
  backend_.rms_norm(step, last, last, weights_.output_norm, e.eps);
  const typename B::Vector* no_bias = nullptr;
  backend_.linear(step, head, weights_.output, last, no_bias);
  backend_.read(step, head, logits);
}

template <ModelSpec S, Backend B, class Hooks>
void ModelGraph<S, B, Hooks>::layer(Step& step, Matrix& x, int l, KvLayer kv, Scratch<B>& scratch) {
  const LayerWeights<B>& w = weights_.layers[static_cast<std::size_t>(l)];
  const Mixer mixer = extents_.mixers[static_cast<std::size_t>(l)];
  if constexpr (S.layers.contains(Mixer::full)) {
    if (mixer == Mixer::full) {
      decoder_layer<S, Mixer::full, Hooks>(backend_, step, x, w, kv, scratch, extents_);
    }
  }
  if constexpr (S.layers.contains(Mixer::sliding)) {
    if (mixer == Mixer::sliding) {
      decoder_layer<S, Mixer::sliding, Hooks>(backend_, step, x, w, kv, scratch, extents_);
    }
  }
}

template <ModelSpec S, Backend B, class Hooks>
Scratch<B> ModelGraph<S, B, Hooks>::make_scratch(Step& step, std::int64_t rows) {
  const Extents& e = extents_;
  const auto matrix = [&](std::int64_t cols) { return backend_.matrix(step, rows, cols); };
  const auto heads = std::int64_t{e.heads}, kv_heads = std::int64_t{e.kv_heads};
  return {.normed = matrix(e.width),
          .branch = matrix(e.width),
          .qkv = {matrix(heads * e.key_dim), matrix(kv_heads * e.key_dim),
                  matrix(kv_heads * e.value_dim)},
          .attended = matrix(heads * e.value_dim),
          .gate = matrix(e.ffn_width),
          .up = matrix(e.ffn_width)};
}

template <ModelSpec S, Backend B, class Hooks>
std::vector<std::vector<KvView>> ModelGraph<S, B, Hooks>::views_of(
    std::span<SequenceState* const> states) const {
  std::vector<std::vector<KvView>> views(static_cast<std::size_t>(extents_.layers));
  for (std::size_t l = 0; l < views.size(); ++l) {
    for (SequenceState* state : states) {
      views[l].push_back(state->view(extents_.mixers[l], index_[l]));
    }
  }
  return views;
}

}  // namespace lamina
