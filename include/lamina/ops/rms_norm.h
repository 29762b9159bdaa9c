// rms_norm: y = x / sqrt(mean(x^2) + eps) * weight (Zhang and Sennrich 2019, "Root Mean Square
// Layer Normalization").
#pragma once

#include "lamina/core/config.h"

#include <cmath>
#include <cstddef>
#include <span>

namespace lamina {

/// All three spans have one length; `y` may be `x`. The mean and the quotient are double.
inline void rms_norm(std::span<float> y, std::span<const float> x, std::span<const float> weight,
                     float eps) {
  double squares = 0;
  for (const float value : x) squares += static_cast<double>(value) * static_cast<double>(value);
  const double mean = squares / static_cast<double>(x.size());
  const double scale = 1.0 / std::sqrt(mean + static_cast<double>(eps));
  for (std::size_t i = 0; i < x.size(); ++i) {
    y[i] = static_cast<float>(static_cast<double>(x[i]) * scale * static_cast<double>(weight[i]));
  }
}

}  // namespace lamina
