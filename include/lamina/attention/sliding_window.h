// SlidingWindow: of what the base shows, the `window` newest keys, the query's own among them:
// query - key < window (Beltagy et al. 2020; Mistral 7B, Gemma).
#pragma once

#include "lamina/attention/causal.h"

namespace lamina {

template <AttentionVariant Base = Causal>
struct SlidingWindow : Base {
  int window = 1;  // keys

  LAMINA_HD KeyRange keys(Position query) const {
    const KeyRange base = Base::keys(query);
    const Position oldest = query - window + 1;
    return {oldest > base.first ? oldest : base.first, base.end};
  }
  LAMINA_HD bool visible(Position query, Position key) const {
    return Base::visible(query, key) && query - key < window;
  }
};

static_assert(AttentionVariant<SlidingWindow<>>);

}  // namespace lamina
