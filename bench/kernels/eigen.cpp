// Eigen's product of floats on one thread.
#include "bench/kernels/eigen.h"

#include <Eigen/Core>

namespace lamina {

void multiply_by_eigen(float* y, const float* x, const float* w, std::int64_t tokens,
                       std::int64_t rows, std::int64_t cols) {
  using Rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const Rows> input(x, tokens, cols), weight(w, rows, cols);
  Eigen::Map<Rows>(y, tokens, rows).noalias() = input * weight.transpose();
}

}  // namespace lamina
