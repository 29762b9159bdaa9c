// The body of Instances; included only by the units of this folder, each of which instantiates one
// structure.
#pragma once

#include "lamina/backend/cpu/backend.h"
#include "lamina/backend/reference/backend.h"
#include "runtime/instances/instances.h"
#include "runtime/model_instance.h"

#include <utility>

namespace lamina {

namespace detail {

/// The oracle keeps K and V as they are; the others round them to the format most models tolerate.
template <class B>
KvFormats kv_formats(const LoadOptions& options) {
  constexpr FormatId fallback = B::name == ReferenceBackend::name ? FormatId::f32 : FormatId::f16;
  return {options.key_format.value_or(fallback), options.value_format.value_or(fallback)};
}

template <ModelSpec S, class Hooks, Backend B>
std::unique_ptr<LanguageModel> make_on(B backend, ModelInfo info, const LoadOptions& options,
                                       Extents extents, const ModelTensors& tensors) {
  info.backend = B::name;
  using Graph = ModelGraph<S, B, Hooks>;
  Graph graph(std::move(backend), std::move(extents), tensors, options.progress);
  return std::make_unique<ModelInstance<Graph>>(std::move(info), std::move(graph),
                                                kv_formats<B>(options));
}

}  // namespace detail

template <ModelSpec S, class Hooks>
std::unique_ptr<LanguageModel> Instances<S, Hooks>::make(ModelInfo info, const LoadOptions& options,
                                                         Extents extents,
                                                         const ModelTensors& tensors) {
  const auto on = [&](auto backend) {
    return detail::make_on<S, Hooks>(std::move(backend), std::move(info), options,
                                     std::move(extents), tensors);
  };
  if (options.backend == CpuBackend::name) return on(CpuBackend(options.threads));
  if (options.backend == ReferenceBackend::name) return on(ReferenceBackend(options.threads));
  throw Error("there is no backend '" + options.backend + "'; expected one of: cpu, reference");
}

}  // namespace lamina
