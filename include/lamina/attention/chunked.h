// Chunked: of what the base shows, the keys of the query's own chunk of `chunk` positions (Llama
// 4).
#pragma once

#include "lamina/attention/causal.h"

namespace lamina {

template <AttentionVariant Base = Causal>
struct Chunked : Base {
  int chunk = 1;  // positions

  LAMINA_HD KeyRange keys(Position query) const {
    const KeyRange base = Base::keys(query);
    const Position start = query / chunk * chunk;
    // Written so that no sum overflows: the base may show everything there is.
    return {start > base.first ? start : base.first,
            base.end - start < chunk ? base.end : start + chunk};
  }
  LAMINA_HD bool visible(Position query, Position key) const {
    return Base::visible(query, key) && key / chunk == query / chunk;
  }
};

static_assert(AttentionVariant<Chunked<>>);

}  // namespace lamina
