// A layer pattern has a length that fits; the sentence that says so is shown.
// expect: a layer pattern has 1 to 8 layers
#include "lamina/model/spec.h"

#ifdef BAD
constexpr lamina::ModelSpec spec{.layers =
                                     lamina::every(9, lamina::Mixer::full, lamina::Mixer::sliding)};
#else
constexpr lamina::ModelSpec spec{.layers =
                                     lamina::every(8, lamina::Mixer::full, lamina::Mixer::sliding)};
#endif
static_assert(spec.valid());
