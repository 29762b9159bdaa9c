// CpuKernels: what is compiled for each instruction set, chosen once when the backend is made.
#pragma once

#include "lamina/core/tensor.h"

#include <string_view>

namespace lamina {

class ThreadPool;

struct CpuKernels {
  std::string_view isa;  // as --cpu-isa spells it

  /// y = x W^T for a weight of any format; `y` is [tokens, rows of W], `x` [tokens, cols of W].
  void (*linear)(ThreadPool& pool, MatrixView<float> y, const TensorView& w,
                 MatrixView<const float> x);
};

}  // namespace lamina
