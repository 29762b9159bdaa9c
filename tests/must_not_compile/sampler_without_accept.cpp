// A sampler learns which token was taken: without `accept` it is none.
// expect: accept(token)
#include "lamina/sample/sampler.h"

struct Mine {
  void apply(lamina::Candidates&) {}
#ifdef BAD
#else
  void accept(lamina::Token) {}
#endif
};

static_assert(lamina::Sampler<Mine>);
