// ModelWork: the bytes a model must read and the operations it must do, counted from its tensors.
//
// A step feeds `count` tokens to each of some sequences that hold `first` tokens each.
//   bytes      = matrices and vectors of all layers and the output norm, once a step
//              + the output matrix, once a step that asks for logits
//              + one row of the embedding a token
//              + keys and values of every position that a token of the step sees, once a sequence
//   operations = 2 (weights of the layers' matrices) a token
//              + 2 (weights of the output matrix) a row of logits
//              + 2 heads (key_dim + value_dim) a layer for each pair of a token and what it sees
// Weights count as many bytes as they have in the file. What a backend reads, computes or writes
// beyond that (activations, packing, norms, softmax, masked keys) is its own affair and not
// counted.
#pragma once

#include "lamina/core/types.h"
#include "lamina/model/extents.h"
#include "lamina/model/sequence_state.h"
#include "lamina/model/tensors.h"

#include <cstdint>

namespace lamina {

struct WorkStep {
  Position first = 0;     // tokens that each sequence holds
  Position count = 1;     // tokens that each is fed
  int sequences = 1;      // that are fed together
  std::int64_t rows = 0;  // of logits, in all
};

struct Work {
  double bytes = 0;
  double operations = 0;

  Work& operator+=(const Work& more) {
    bytes += more.bytes;
    operations += more.operations;
    return *this;
  }
};

struct ModelWork {
  std::int64_t layer_bytes = 0;    // of all layers and the output norm
  std::int64_t layer_weights = 0;  // of the matrices of all layers
  std::int64_t output_bytes = 0;   // of the matrix that gives logits
  std::int64_t output_weights = 0;
  std::int64_t embedding_bytes = 0;  // of one token's row
  std::int64_t kv_bytes = 0;         // of one position in one layer
  std::int64_t pair_products = 0;    // multiply-adds of one layer for a query and a key it sees
  int full_layers = 0;
  int sliding_layers = 0;
  Position window = 0;  // positions that a sliding layer sees

  Work of(const WorkStep& step) const;
};

ModelWork model_work(const Extents& extents, const ModelTensors& tensors, KvFormats formats);

}  // namespace lamina
