// A model whose every answer is known: the token at position p is followed by script[p + 1].
#pragma once

#include "runtime/language_model.h"

#include <stdexcept>
#include <utility>
#include <vector>

namespace lamina::test {

class ToyModel : public LanguageModel {
 public:
  ToyModel(std::vector<Token> script, std::int64_t vocab) : script_(std::move(script)) {
    info_.vocab = vocab;
    info_.trained_context = 100;
  }

  const ModelInfo& info() const override { return info_; }
  ModelInfo& info() { return info_; }
  std::uint64_t kv_bytes(Position context) const override {
    return 1000 + 100 * static_cast<std::uint64_t>(context);
  }
  SequenceId open(Position context) override {
    context_ = context;
    fed_.clear();
    return 7;
  }
  SequenceId fork(SequenceId) override { throw std::logic_error("not used"); }
  void rollback(SequenceId, Position) override { throw std::logic_error("not used"); }
  void close(SequenceId) override {}

  Outputs forward(const Batch& batch) override {
    for (std::size_t i = 0; i < batch.tokens.size(); ++i) {
      if (batch.sequences[i] != 7) throw std::logic_error("the wrong sequence");
      if (batch.positions[i] != static_cast<Position>(fed_.size())) {
        throw std::logic_error("a position out of order");
      }
      fed_.push_back(batch.tokens[i]);
    }
    batches_.push_back(batch.tokens.size());
    Outputs outputs;
    outputs.vocab = info_.vocab;
    for (const std::int32_t row : batch.outputs) {
      const auto next =
          static_cast<std::size_t>(batch.positions[static_cast<std::size_t>(row)]) + 1;
      const std::size_t start = outputs.logits.size();
      outputs.logits.resize(start + static_cast<std::size_t>(info_.vocab), 0.0f);
      outputs.logits[start + static_cast<std::size_t>(script_.at(next))] = 1.0f;
    }
    return outputs;
  }

  const std::vector<Token>& fed() const { return fed_; }                // in order
  const std::vector<std::size_t>& batches() const { return batches_; }  // their sizes

 private:
  std::vector<Token> script_;
  ModelInfo info_;
  Position context_ = 0;
  std::vector<Token> fed_;
  std::vector<std::size_t> batches_;
};

}  // namespace lamina::test
