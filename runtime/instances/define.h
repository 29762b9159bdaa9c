// The body of Instances; included only by the units of this folder, each of which instantiates one
// structure.
#pragma once

#include "lamina/model/model.h"
#include "runtime/instances/instances.h"

#include <memory>
#include <utility>

namespace lamina {

namespace detail {

template <ModelSpec S, class Hooks, Backend B>
ForwardPass forward_pass(B backend, const ModelParts& parts) {
  using Graph = ModelGraph<S, B, Hooks>;
  // Shared because a std::function can be copied; the graph itself cannot.
  const auto graph =
      std::make_shared<Graph>(std::move(backend), parts.extents, parts.tensors, parts.progress);
  return [graph](const BatchRows& rows, std::span<SequenceState* const> states,
                 std::span<float> logits) { graph->forward(rows, states, logits); };
}

}  // namespace detail

template <ModelSpec S, class Hooks>
ForwardPass Instances<S, Hooks>::make(ReferenceBackend backend, const ModelParts& parts) {
  return detail::forward_pass<S, Hooks>(std::move(backend), parts);
}

template <ModelSpec S, class Hooks>
ForwardPass Instances<S, Hooks>::make(CpuBackend backend, const ModelParts& parts) {
  return detail::forward_pass<S, Hooks>(std::move(backend), parts);
}

}  // namespace lamina
