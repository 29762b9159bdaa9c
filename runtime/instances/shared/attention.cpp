// Attention of the variants that built-in structures use.
#include "runtime/instances/instances.h"

namespace lamina {

template void ReferenceBackend::attend(Step&, Matrix&, const Matrix&, KvLayer,
                                       const AttentionShape&, const Causal&);
template void ReferenceBackend::attend(Step&, Matrix&, const Matrix&, KvLayer,
                                       const AttentionShape&, const SlidingWindow<Causal>&);
template void CpuBackend::attend(Step&, Matrix&, const Matrix&, KvLayer, const AttentionShape&,
                                 const Causal&);
template void CpuBackend::attend(Step&, Matrix&, const Matrix&, KvLayer, const AttentionShape&,
                                 const SlidingWindow<Causal>&);

}  // namespace lamina
