// What models of every structure share, compiled once: see instances.h.
#include "runtime/instances/instances.h"

namespace lamina {

template void detail::decode_row_of<Formats>(FormatId, const std::byte*, std::int64_t, float*);
template void detail::encode_row_of<Formats>(FormatId, const float*, std::int64_t, std::byte*);
template ModelWeights<ReferenceBackend> prepare_weights(ReferenceBackend&, const ModelTensors&,
                                                        const PrepareProgress&);
template ModelWeights<CpuBackend> prepare_weights(CpuBackend&, const ModelTensors&,
                                                  const PrepareProgress&);
template void ReferenceBackend::attend(Step&, Matrix&, const Matrix&, KvLayer,
                                       const AttentionShape&, const Causal&);
template void CpuBackend::attend(Step&, Matrix&, const Matrix&, KvLayer, const AttentionShape&,
                                 const Causal&);
template void ReferenceBackend::attend(Step&, Matrix&, const Matrix&, KvLayer,
                                       const AttentionShape&, const SlidingWindow<Causal>&);
template void CpuBackend::attend(Step&, Matrix&, const Matrix&, KvLayer, const AttentionShape&,
                                 const SlidingWindow<Causal>&);

}  // namespace lamina
