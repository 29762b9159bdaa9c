// CpuWeight: a weight as the CPU backend holds it: the file's tensor, and panels of it where its
// format has them.
#pragma once

#include "lamina/backend/cpu/panel/layout.h"
#include "lamina/backend/cpu/panel/memory.h"
#include "lamina/core/tensor.h"

#include <memory>

namespace lamina {

struct CpuWeight {
  TensorView tensor;
  std::shared_ptr<const PanelMemory> memory = nullptr;  // none where no panels are kept

  bool in_panels() const { return memory != nullptr; }
  PanelMatrix panels() const {
    return {memory->data(), tensor.format, tensor.rows(), tensor.cols()};
  }
};

/// A weight and where its product with the input goes.
struct WeightProduct {
  const CpuWeight* weight = nullptr;
  MatrixView<float> y;  // [rows of the input, rows of the weight]
};

}  // namespace lamina
