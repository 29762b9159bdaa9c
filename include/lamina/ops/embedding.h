// embedding: the row of the table that belongs to a token, times the model's embedding scale.
#pragma once

#include "lamina/core/tensor.h"
#include "lamina/core/types.h"
#include "lamina/quant/formats.h"

#include <span>

namespace lamina {

/// `y` is [cols of the table]; the token must be a row of it.
inline void embedding(std::span<float> y, const TensorView& table, Token token, float scale) {
  LAMINA_ASSERT(token >= 0 && token < table.rows());
  decode_row(table.format, table.row(token).data(), table.cols(), y.data());
  for (float& value : y) value *= scale;
}

}  // namespace lamina
