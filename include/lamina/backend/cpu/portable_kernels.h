// Kernels that run on any processor.
#pragma once

#include "lamina/backend/cpu/simd/portable.h"
#include "lamina/backend/cpu/vector_kernels.h"

namespace lamina {

inline constexpr CpuKernels portable_kernels = vector_kernels<isa_portable::Simd>();

}  // namespace lamina
