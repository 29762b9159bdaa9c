// Sequences by number, batches checked whole and run in pieces.
#include "runtime/model_instance.h"

#include <algorithm>
#include <string>
#include <utility>

namespace lamina {

namespace {

Position longest_append(Position context) { return std::min(longest_batch, context); }

/// The rows [first, end) of a batch, with sequences and outputs numbered within the piece.
struct Piece {
  BatchRows rows;
  std::vector<SequenceId> sequences;
  std::vector<std::size_t> wanted;  // index into Batch::outputs of each row of logits
};

Piece cut(const Batch& batch, std::size_t first, std::size_t end) {
  Piece piece;
  for (std::size_t t = first; t < end; ++t) {
    const auto known =
        std::find(piece.sequences.begin(), piece.sequences.end(), batch.sequences[t]);
    piece.rows.tokens.push_back(batch.tokens[t]);
    piece.rows.positions.push_back(batch.positions[t]);
    piece.rows.sequence.push_back(static_cast<std::int32_t>(known - piece.sequences.begin()));
    if (known == piece.sequences.end()) piece.sequences.push_back(batch.sequences[t]);
  }
  for (std::size_t i = 0; i < batch.outputs.size(); ++i) {
    const auto row = static_cast<std::size_t>(batch.outputs[i]);
    if (row < first || row >= end) continue;
    piece.rows.outputs.push_back(static_cast<std::int32_t>(row - first));
    piece.wanted.push_back(i);
  }
  return piece;
}

}  // namespace

ModelInstance::ModelInstance(ModelInfo info, Extents extents, KvFormats formats, ForwardPass pass)
    : info_(std::move(info)),
      extents_(std::move(extents)),
      formats_(formats),
      pass_(std::move(pass)) {}

std::uint64_t ModelInstance::kv_bytes(Position context) const {
  return SequenceState::bytes(extents_, formats_, context, longest_append(context));
}

SequenceId ModelInstance::add(SequenceState state) {
  states_.emplace(next_, std::move(state));
  return next_++;
}

SequenceId ModelInstance::open(Position context) {
  if (context < 1) {
    throw Error("a context of " + std::to_string(context) + " tokens; expected 1 or more");
  }
  return add(SequenceState(extents_, formats_, context, longest_append(context)));
}

SequenceId ModelInstance::fork(SequenceId sequence) { return add(state(sequence).fork()); }

void ModelInstance::rollback(SequenceId sequence, Position length) {
  state(sequence).rollback(length);
}

void ModelInstance::close(SequenceId sequence) {
  state(sequence);
  states_.erase(sequence);
}

SequenceState& ModelInstance::state(SequenceId sequence) {
  const auto found = states_.find(sequence);
  if (found == states_.end()) {
    throw Error("there is no open sequence " + std::to_string(sequence));
  }
  return found->second;
}

/// The whole batch, before any of it runs: a refused batch leaves every sequence as it was.
void ModelInstance::check(const Batch& batch) {
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

Outputs ModelInstance::forward(const Batch& batch) {
  check(batch);
  Outputs outputs{.logits = {}, .vocab = info_.vocab};
  outputs.logits.resize(batch.outputs.size() * static_cast<std::size_t>(info_.vocab));
  const std::size_t n = batch.tokens.size();
  for (std::size_t first = 0; first < n; first += longest_batch) {
    forward_piece(batch, first, std::min(n, first + longest_batch), outputs);
  }
  return outputs;
}

void ModelInstance::forward_piece(const Batch& batch, std::size_t first, std::size_t end,
                                  Outputs& outputs) {
  const Piece piece = cut(batch, first, end);
  std::vector<SequenceState*> states;
  for (const SequenceId sequence : piece.sequences) states.push_back(&state(sequence));
  const auto vocab = static_cast<std::size_t>(info_.vocab);
  std::vector<float> logits(piece.wanted.size() * vocab);
  pass_(piece.rows, states, logits);
  for (std::size_t i = 0; i < piece.wanted.size(); ++i) {
    const auto from = logits.begin() + static_cast<std::ptrdiff_t>(i * vocab);
    const auto to = outputs.logits.begin() + static_cast<std::ptrdiff_t>(piece.wanted[i] * vocab);
    std::copy_n(from, vocab, to);
  }
}

}  // namespace lamina
