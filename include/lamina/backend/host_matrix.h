// HostMatrix: [rows, cols] floats in the host's memory, owned; the Matrix of backends that run on
// the CPU.
#pragma once

#include "lamina/core/buffer.h"
#include "lamina/core/tensor.h"

#include <cstddef>
#include <cstdint>

namespace lamina {

class HostMatrix {
 public:
  HostMatrix() = default;
  HostMatrix(std::int64_t rows, std::int64_t cols)
      : rows_(rows), cols_(cols), memory_(static_cast<std::size_t>(rows * cols) * sizeof(float)) {}

  std::int64_t rows() const { return rows_; }
  std::int64_t cols() const { return cols_; }
  MatrixView<float> view() { return {data(), rows_, cols_}; }
  MatrixView<const float> view() const { return {data(), rows_, cols_}; }
  float* row(std::int64_t r) { return data() + r * cols_; }
  const float* row(std::int64_t r) const { return data() + r * cols_; }

 private:
  float* data() const { return reinterpret_cast<float*>(memory_.data()); }

  std::int64_t rows_ = 0;
  std::int64_t cols_ = 0;
  Buffer memory_;
};

}  // namespace lamina
