// Eigen's product of floats, compiled for this machine: what the float kernels are measured by.
#pragma once

#include <cstdint>

namespace lamina {

/// y = x W^T on one thread; `y` is [tokens, rows], `x` [tokens, cols], `w` [rows, cols].
void multiply_by_eigen(float* y, const float* x, const float* w, std::int64_t tokens,
                       std::int64_t rows, std::int64_t cols);

}  // namespace lamina
