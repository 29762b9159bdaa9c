// The kernels of each instruction set that this program has.
#pragma once

namespace lamina {

struct CpuKernels;

namespace isa_avx2 {
const CpuKernels& kernels();
}
namespace isa_avxvnni {
const CpuKernels& kernels();
}
namespace isa_avx512 {
const CpuKernels& kernels();
}
namespace isa_amx {
const CpuKernels& kernels();
}
namespace isa_neon {
const CpuKernels& kernels();
}

}  // namespace lamina
