// Architecture: a family's name, its structure, its extents and its tensors. A new one is a struct
// of four lines; it may have hooks (hooks.h).
#pragma once

#include "lamina/model/read_extents.h"
#include "lamina/model/spec.h"
#include "lamina/model/tensors.h"

#include <concepts>
#include <string_view>

namespace lamina {

template <class A>
concept Architecture = A::spec.valid() && requires(const Metadata& metadata) {
  { A::name } -> std::convertible_to<std::string_view>;  // general.architecture in the file
  { A::spec } -> std::convertible_to<ModelSpec>;
  { A::extents(metadata) } -> std::same_as<Extents>;
  { A::tensors } -> std::convertible_to<std::array<TensorName, slots>>;
};

}  // namespace lamina
