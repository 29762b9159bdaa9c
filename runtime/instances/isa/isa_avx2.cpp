// Panel kernels for avx2, compiled with its instructions: nothing else may live in this unit.
#include "lamina/backend/cpu/kernels.h"
#include "lamina/backend/cpu/panel/simd_avx2.h"
#include "runtime/instances/isa/panels.h"

namespace lamina::isa_avx2 {

const PanelKernels& panels() {
  static constexpr PanelKernels kernels = panel_kernels<Simd>();
  return kernels;
}

}  // namespace lamina::isa_avx2
