// The CPU kernels that this program has and this machine can run.
#pragma once

#include "lamina/backend/cpu/kernels.h"

#include <span>
#include <string_view>

namespace lamina {

/// All of them, best last.
std::span<const CpuKernels> usable_kernels();

/// The kernels of this name; of an empty name the best. Throws Error listing all where there are
/// none of that name.
const CpuKernels& cpu_kernels(std::string_view isa);

}  // namespace lamina
