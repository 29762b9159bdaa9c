// Instances: where the runtime crosses from a structure known at run time to a compiled model.
//
// Each structure is compiled once for each backend, in a unit of this folder that includes
// instances/define.h; several families share it. A structure without a unit is a link error that
// names it.
#pragma once

#include "lamina/backend/cpu/backend.h"
#include "lamina/backend/reference/backend.h"
#include "lamina/model/hooks.h"
#include "lamina/model/tensors.h"
#include "lamina/model/weights.h"
#include "runtime/instances/shared/formats.h"
#include "runtime/model_instance.h"

#include <functional>

namespace lamina {

using PrepareProgress = std::function<void(int done, int layers)>;

/// What a model is made from, apart from its structure and backend.
struct ModelParts {
  Extents extents;
  ModelTensors tensors;
  PrepareProgress progress;  // never empty
};

template <ModelSpec S, class Hooks = DefaultHooks>
struct Instances {
  static ForwardPass make(ReferenceBackend backend, const ModelParts& parts);
  static ForwardPass make(CpuBackend backend, const ModelParts& parts);
};

// What every structure shares is compiled once, in instances/shared/.
extern template ModelWeights<ReferenceBackend> prepare_weights(ReferenceBackend&,
                                                               const ModelTensors&,
                                                               const PrepareProgress&);
extern template ModelWeights<CpuBackend> prepare_weights(CpuBackend&, const ModelTensors&,
                                                         const PrepareProgress&);
extern template void ReferenceBackend::attend(Step&, Matrix&, const Matrix&, KvLayer,
                                              const AttentionShape&, const Causal&);
extern template void CpuBackend::attend(Step&, Matrix&, const Matrix&, KvLayer,
                                        const AttentionShape&, const Causal&);
extern template void ReferenceBackend::attend(Step&, Matrix&, const Matrix&, KvLayer,
                                              const AttentionShape&, const SlidingWindow<Causal>&);
extern template void CpuBackend::attend(Step&, Matrix&, const Matrix&, KvLayer,
                                        const AttentionShape&, const SlidingWindow<Causal>&);

}  // namespace lamina
