// The kernels built into this program; the one unit that compiles Eigen.
#include "runtime/instances/shared/kernels.h"

#include "lamina/backend/cpu/eigen_gemm.h"
#include "runtime/instances/shared/formats.h"

#include <string>

namespace lamina {

namespace {

constexpr CpuKernels kernels[] = {portable_kernels};

}  // namespace

std::span<const CpuKernels> built_kernels() { return kernels; }

const CpuKernels& cpu_kernels(std::string_view isa) {
  if (isa.empty()) return built_kernels().back();
  std::string names;
  for (const CpuKernels& candidate : built_kernels()) {
    if (candidate.isa == isa) return candidate;
    names.append(names.empty() ? "" : ", ").append(candidate.isa);
  }
  throw Error("--cpu-isa " + std::string(isa) +
              ": this program has no such kernels; expected one of " + names);
}

}  // namespace lamina
