// Row-wise operations of the CPU backend in float: norms, rope, gates. Sums run in `lanes` partial
// sums, which compilers turn into vectors; the order is a property of the build alone.
#pragma once

#include "lamina/ops/activation.h"
#include "lamina/ops/rope.h"

#include <cmath>
#include <cstddef>
#include <span>

namespace lamina {

inline constexpr std::size_t lanes = 8;

/// The sum of x[i] * y[i]: lane j takes every i with i % lanes == j, then the lanes are added in
/// pairs.
inline float dot_lanes(const float* x, const float* y, std::size_t count) {
  float sums[lanes] = {};
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    for (std::size_t j = 0; j < lanes; ++j) sums[j] += x[i + j] * y[i + j];
  }
  for (std::size_t j = 0; i + j < count; ++j) sums[j] += x[i + j] * y[i + j];
  for (std::size_t step = lanes / 2; step > 0; step /= 2) {
    for (std::size_t j = 0; j < step; ++j) sums[j] += sums[j + step];
  }
  return sums[0];
}

/// y = x / sqrt(mean(x^2) + eps) * weight; y may be x.
inline void rms_norm_cpu(float* y, const float* x, std::span<const float> weight, float eps) {
  const float mean = dot_lanes(x, x, weight.size()) / static_cast<float>(weight.size());
  const float scale = 1.0f / std::sqrt(mean + eps);
  for (std::size_t i = 0; i < weight.size(); ++i) y[i] = x[i] * scale * weight[i];
}

/// Turns one head in place.
inline void rope_cpu(float* head, std::span<const float> cosines, std::span<const float> sines,
                     RopePairing pairing) {
  const std::size_t half = cosines.size();
  const std::size_t stride = pairing == RopePairing::interleaved ? 2 : 1;
  const std::size_t other = pairing == RopePairing::interleaved ? 1 : half;
  for (std::size_t i = 0; i < half; ++i) {
    const float a = head[i * stride], b = head[i * stride + other];
    head[i * stride] = a * cosines[i] - b * sines[i];
    head[i * stride + other] = a * sines[i] + b * cosines[i];
  }
}

/// y = activation(y) * x.
template <Activation A>
void gate_cpu(float* y, const float* x, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) y[i] = activate<A>(y[i]) * x[i];
}

}  // namespace lamina
