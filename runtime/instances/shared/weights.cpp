// Preparing the weights of a model for each backend.
#include "runtime/instances/instances.h"

namespace lamina {

template ModelWeights<ReferenceBackend> prepare_weights(ReferenceBackend&, const ModelTensors&,
                                                        const PrepareProgress&);
template ModelWeights<CpuBackend> prepare_weights(CpuBackend&, const ModelTensors&,
                                                  const PrepareProgress&);

}  // namespace lamina
