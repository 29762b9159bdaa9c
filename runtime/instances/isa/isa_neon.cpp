// Kernels for neon, compiled with its instructions: nothing else may live in this unit.
#include "lamina/backend/cpu/simd/neon.h"
#include "lamina/backend/cpu/vector_kernels.h"
#include "runtime/instances/isa/vector_kernels.h"

namespace lamina::isa_neon {

const CpuKernels& kernels() {
  static constexpr CpuKernels kernels = vector_kernels<Simd>();
  return kernels;
}

}  // namespace lamina::isa_neon
