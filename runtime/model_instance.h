// ModelInstance: the one implementation of LanguageModel, around any Model.
//
// Batches of any size are fed in pieces of at most `longest_batch` rows, which changes no result:
// every row depends on its own sequence alone.
#pragma once

#include "lamina/model/model.h"
#include "runtime/language_model.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace lamina {

inline constexpr Position longest_batch = 512;  // rows: beyond this, larger pieces gain no speed

template <class Graph>
class ModelInstance final : public LanguageModel {
 public:
  ModelInstance(ModelInfo info, Graph graph, KvFormats formats)
      : info_(std::move(info)), graph_(std::move(graph)), formats_(formats) {}

  const ModelInfo& info() const override { return info_; }
  std::uint64_t kv_bytes(Position context) const override {
    return SequenceState::bytes(graph_.extents(), formats_, context, longest_append(context));
  }
  SequenceId open(Position context) override;
  SequenceId fork(SequenceId sequence) override;
  void rollback(SequenceId sequence, Position length) override { state(sequence).rollback(length); }
  void close(SequenceId sequence) override;
  Outputs forward(const Batch& batch) override;

 private:
  static Position longest_append(Position context) { return std::min(longest_batch, context); }
  SequenceState& state(SequenceId sequence);
  SequenceId add(SequenceState state);
  void check(const Batch& batch);
  void forward_piece(const Batch& batch, std::size_t first, std::size_t end, Outputs& outputs);

  ModelInfo info_;
  Graph graph_;
  KvFormats formats_;
  std::map<SequenceId, SequenceState> states_;
  SequenceId next_ = 0;
};

template <class Graph>
SequenceId ModelInstance<Graph>::add(SequenceState state) {
  states_.emplace(next_, std::move(state));
  return next_++;
}

template <class Graph>
SequenceId ModelInstance<Graph>::open(Position context) {
  if (context < 1)
    throw Error("a context of " + std::to_string(context) + " tokens; expected 1 or more");
  return add(SequenceState(graph_.extents(), formats_, context, longest_append(context)));
}

template <class Graph>
SequenceId ModelInstance<Graph>::fork(SequenceId sequence) {
  return add(state(sequence).fork());
}

template <class Graph>
void ModelInstance<Graph>::close(SequenceId sequence) {
  state(sequence);
  states_.erase(sequence);
}

template <class Graph>
SequenceState& ModelInstance<Graph>::state(SequenceId sequence) {
  const auto found = states_.find(sequence);
  if (found == states_.end()) {
    throw Error("there is no open sequence " + std::to_string(sequence));
  }
  return found->second;
}

/// The whole batch is checked before any of it runs, so that a refused batch leaves every sequence
/// as it was.
template <class Graph>
void ModelInstance<Graph>::check(const Batch& batch) {
  const std::size_t n = batch.tokens.size();
  if (batch.positions.size() != n || batch.sequences.size() != n) {
    throw Error("a batch of " + std::to_string(n) + " tokens has " +
                std::to_string(batch.positions.size()) + " positions and " +
                std::to_string(batch.sequences.size()) + " sequences; expected one for each token");
  }
  std::map<SequenceId, Position> lengths;
  for (std::size_t t = 0; t < n; ++t) {
    if (batch.tokens[t] < 0 || batch.tokens[t] >= info_.vocab) {
      throw Error("token " + std::to_string(batch.tokens[t]) + " is not in the vocabulary of " +
                  std::to_string(info_.vocab) + " tokens");
    }
    const SequenceState& of = state(batch.sequences[t]);
    Position& length = lengths.try_emplace(batch.sequences[t], of.length()).first->second;
    if (batch.positions[t] != length) {
      throw Error("a token at position " + std::to_string(batch.positions[t]) + " of sequence " +
                  std::to_string(batch.sequences[t]) + "; the next free position is " +
                  std::to_string(length));
    }
    if (++length > of.context()) refuse_append(of.length(), length - of.length(), of.context());
  }
  for (const std::int32_t row : batch.outputs) {
    if (row < 0 || static_cast<std::size_t>(row) >= n) {
      throw Error("logits are wanted of row " + std::to_string(row) + " of a batch of " +
                  std::to_string(n));
    }
  }
}

template <class Graph>
Outputs ModelInstance<Graph>::forward(const Batch& batch) {
  check(batch);
  Outputs outputs{.logits = {}, .vocab = info_.vocab};
  outputs.logits.resize(batch.outputs.size() * static_cast<std::size_t>(info_.vocab));
  const std::size_t n = batch.tokens.size();
  for (std::size_t first = 0; first < n; first += longest_batch) {
    forward_piece(batch, first, std::min(n, first + longest_batch), outputs);
  }
  return outputs;
}

template <class Graph>
void ModelInstance<Graph>::forward_piece(const Batch& batch, std::size_t first, std::size_t end,
                                         Outputs& outputs) {
  BatchRows rows;
  std::vector<SequenceId> ids;
  std::vector<SequenceState*> states;
  for (std::size_t t = first; t < end; ++t) {
    rows.tokens.push_back(batch.tokens[t]);
    rows.positions.push_back(batch.positions[t]);
    const auto known = std::find(ids.begin(), ids.end(), batch.sequences[t]);
    rows.sequence.push_back(static_cast<std::int32_t>(known - ids.begin()));
    if (known != ids.end()) continue;
    ids.push_back(batch.sequences[t]);
    states.push_back(&state(batch.sequences[t]));
  }
  std::vector<std::size_t> wanted;  // index into batch.outputs of each row of this piece's logits
  for (std::size_t i = 0; i < batch.outputs.size(); ++i) {
    const auto row = static_cast<std::size_t>(batch.outputs[i]);
    if (row < first || row >= end) continue;
    rows.outputs.push_back(static_cast<std::int32_t>(row - first));
    wanted.push_back(i);
  }
  const auto vocab = static_cast<std::size_t>(info_.vocab);
  std::vector<float> logits(wanted.size() * vocab);
  graph_.forward(rows, states, logits);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    std::copy_n(logits.begin() + static_cast<std::ptrdiff_t>(i * vocab), vocab,
                outputs.logits.begin() + static_cast<std::ptrdiff_t>(wanted[i] * vocab));
  }
}

}  // namespace lamina
