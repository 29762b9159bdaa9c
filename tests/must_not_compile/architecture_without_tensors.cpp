// An architecture says what its tensors are called.
// expect: Architecture
// expect: A::tensors
#include "lamina/model/architecture.h"

struct Mine {
  static constexpr std::string_view name = "mine";
  static constexpr lamina::ModelSpec spec{};
#ifdef BAD
#else
  static constexpr auto tensors = lamina::default_tensors;
#endif
  static lamina::Extents extents(const lamina::Metadata& metadata) {
    return lamina::read_extents(metadata, name, spec.layers);
  }
};

static_assert(lamina::Architecture<Mine>);
