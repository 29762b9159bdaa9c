// Causal: a query sees itself and what came before.
#pragma once

#include "lamina/attention/variant.h"

namespace lamina {

struct Causal {
  LAMINA_HD KeyRange keys(Position query) const { return {0, query + 1}; }
  LAMINA_HD bool visible(Position query, Position key) const { return key <= query; }
  template <class Real>
  LAMINA_HD Real score(Real s, int, Position, Position) const {
    return s;
  }
};

static_assert(AttentionVariant<Causal>);

}  // namespace lamina
