// CpuBackend with the portable kernels, made from a number of threads alone like the reference.
#pragma once

#include "lamina/backend/cpu/backend.h"
#include "lamina/backend/cpu/portable_kernels.h"

namespace lamina::test {

struct PortableCpu : CpuBackend {
  explicit PortableCpu(int threads = 1) : CpuBackend(threads, portable_kernels) {}
};

}  // namespace lamina::test
