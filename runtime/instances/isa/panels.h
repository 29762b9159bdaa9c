// The panel kernels of each instruction set that this program has.
#pragma once

namespace lamina {

struct PanelKernels;

namespace isa_avx2 {
const PanelKernels& panels();
}
namespace isa_avxvnni {
const PanelKernels& panels();
}
namespace isa_avx512 {
const PanelKernels& panels();
}

}  // namespace lamina
