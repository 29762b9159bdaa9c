// The kernels of each instruction set that this program has.
#pragma once

namespace lamina {

struct VectorKernels;

namespace isa_avx2 {
const VectorKernels& kernels();
}
namespace isa_avxvnni {
const VectorKernels& kernels();
}
namespace isa_avx512 {
const VectorKernels& kernels();
}
namespace isa_amx {
const VectorKernels& kernels();
}

}  // namespace lamina
