// The ragged batch: the one argument of every forward pass.
//
// Prefill, decode, chunked prefill, speculation and continuous batching are the same call with
// different batches. Tokens of one sequence stand in order of their positions; sequences may
// interleave.
#pragma once

#include "lamina/core/types.h"

#include <cstdint>
#include <span>

namespace lamina {

struct Batch {
  std::span<const Token> tokens;          // [n]
  std::span<const Position> positions;    // [n]: each the next free one of its sequence
  std::span<const SequenceId> sequences;  // [n]
  std::span<const std::int32_t> outputs;  // rows of the batch whose logits are wanted, in any order
};

}  // namespace lamina
