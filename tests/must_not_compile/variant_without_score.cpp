// An attention variant says what happens to a score, in float and in double.
// expect: AttentionVariant
// expect: variant.score(score64, head, query, key)
#include "lamina/attention/sliding_window.h"

struct Mine {
  lamina::KeyRange keys(lamina::Position query) const { return {0, query + 1}; }
  bool visible(lamina::Position query, lamina::Position key) const { return key <= query; }
#ifdef BAD
  float score(float s, int, lamina::Position, lamina::Position) const { return s; }
#else
  template <class Real>
  Real score(Real s, int, lamina::Position, lamina::Position) const {
    return s;
  }
#endif
};

lamina::SlidingWindow<Mine> window;
