// Panel kernels for avxvnni, compiled with its instructions: nothing else may live in this unit.
#include "lamina/backend/cpu/kernels.h"
#include "lamina/backend/cpu/panel/simd_avxvnni.h"
#include "runtime/instances/isa/panels.h"

namespace lamina::isa_avxvnni {

const PanelKernels& panels() {
  static constexpr PanelKernels kernels = panel_kernels<Simd>();
  return kernels;
}

}  // namespace lamina::isa_avxvnni
