// Full: every query sees every key that is stored. For encoders and cross-attention.
#pragma once

#include "lamina/attention/variant.h"

namespace lamina {

struct Full {
  LAMINA_HD KeyRange keys(Position) const { return {0, last_position}; }
  LAMINA_HD bool visible(Position, Position) const { return true; }
  template <class Real>
  LAMINA_HD Real score(Real s, int, Position, Position) const {
    return s;
  }
};

static_assert(AttentionVariant<Full>);

}  // namespace lamina
