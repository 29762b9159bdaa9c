// Extents: the numbers of a model. Structure is compiled (spec.h), extents are read from the file.
#pragma once

#include "lamina/model/spec.h"
#include "lamina/ops/rope.h"

#include <vector>

namespace lamina {

struct Extents {
  int layers = 0;
  int width = 0;      // of the residual stream
  int heads = 0;      // query heads
  int kv_heads = 0;   // divides heads
  int key_dim = 0;    // elements of a query or key head
  int value_dim = 0;  // elements of a value head
  int ffn_width = 0;
  int vocab = 0;
  int context = 0;            // tokens the model was trained for
  int window = 0;             // keys a sliding layer sees; 0 where no layer slides
  std::vector<Mixer> mixers;  // [layers]
  float eps = 0;              // of every norm
  float embedding_scale = 1;
  float attention_scale = 0;  // of q . k
  RopeSettings rope;          // of layers with full attention
  RopeSettings rope_sliding;  // of sliding layers

  const RopeSettings& rope_of(Mixer mixer) const {
    return mixer == Mixer::sliding ? rope_sliding : rope;
  }
};

}  // namespace lamina
