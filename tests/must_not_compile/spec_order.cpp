// The members of a spec are named in the order in which they are read.
// expect: spec
#include "lamina/model/spec.h"

#ifdef BAD
constexpr lamina::ModelSpec spec{.qk_norm = lamina::QkNorm::per_head,
                                 .topology = lamina::Topology::sandwich};
#else
constexpr lamina::ModelSpec spec{.topology = lamina::Topology::sandwich,
                                 .qk_norm = lamina::QkNorm::per_head};
#endif
static_assert(spec.valid());
