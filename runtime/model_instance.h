// ModelInstance: the one implementation of LanguageModel, around the forward pass of any model.
//
// Batches of any size are fed in pieces of at most `longest_batch` rows, which changes no result:
// every row depends on its own sequence alone.
#pragma once

#include "lamina/backend/backend.h"
#include "lamina/model/sequence_state.h"
#include "runtime/language_model.h"

#include <functional>
#include <map>

namespace lamina {

inline constexpr Position longest_batch = 512;  // rows: larger pieces are no faster

/// What a model does with one piece: see ModelGraph::forward.
using ForwardPass = std::function<void(
    const BatchRows& rows, std::span<SequenceState* const> states, std::span<float> logits)>;

class ModelInstance final : public LanguageModel {
 public:
  ModelInstance(ModelInfo info, Extents extents, KvFormats formats, ForwardPass pass);

  const ModelInfo& info() const override { return info_; }
  std::uint64_t kv_bytes(Position context) const override;
  SequenceId open(Position context) override;
  SequenceId fork(SequenceId sequence) override;
  void rollback(SequenceId sequence, Position length) override;
  void close(SequenceId sequence) override;
  Outputs forward(const Batch& batch) override;

 private:
  SequenceState& state(SequenceId sequence);
  SequenceId add(SequenceState state);
  void check(const Batch& batch);
  void forward_piece(const Batch& batch, std::size_t first, std::size_t end, Outputs& outputs);

  ModelInfo info_;
  Extents extents_;
  KvFormats formats_;
  ForwardPass pass_;
  std::map<SequenceId, SequenceState> states_;
  SequenceId next_ = 0;
};

}  // namespace lamina
