// The CPU kernels this program was built with, and which of them this machine can run.
#pragma once

#include "lamina/backend/cpu/kernels.h"

#include <span>
#include <string_view>

namespace lamina {

/// All that are built in, best last; the machine may lack what some of them need.
std::span<const CpuKernels> built_kernels();

/// The kernels of this name; of an empty name the best the machine can run. Throws Error listing
/// those built in where there are none of that name.
const CpuKernels& cpu_kernels(std::string_view isa);

}  // namespace lamina
