// Instances: where the runtime crosses from a structure known at run time to a compiled model.
//
// Each structure is compiled once, in a unit of this folder that includes instances/define.h;
// several families share it. A structure without a unit is a link error that names it.
#pragma once

#include "lamina/model/architecture.h"
#include "lamina/model/weights.h"
#include "runtime/language_model.h"
#include "runtime/registry.h"

#include <memory>

namespace lamina {

template <ModelSpec S, class Hooks = DefaultHooks>
struct Instances {
  /// The model on the backend that `options` names; throws where there is none of that name.
  static std::unique_ptr<LanguageModel> make(ModelInfo info, const LoadOptions& options,
                                             Extents extents, const ModelTensors& tensors);
};

}  // namespace lamina
