// Row-wise operations of the CPU backend in float: norms, rope, gates, sums.
//
// A sum over a row has four vectors of 16 partial sums, element i in lane i % 64; those vectors are
// added in order, then their lanes in pairs.
#pragma once

#include "lamina/backend/cpu/kernels.h"
#include "lamina/backend/cpu/simd/exponential.h"
#include "lamina/backend/cpu/simd/fold.h"

#include <cstdint>

namespace lamina {

/// 16 elements of a row, or as many as are left and zeros.
template <class S>
[[gnu::always_inline]] inline typename S::Float load_some(const float* from, std::int64_t left) {
  if (left >= 16) return S::Float::load(from);
  float some[16] = {};
  for (std::int64_t i = 0; i < left; ++i) some[i] = from[i];
  return S::Float::load(some);
}

template <class S>
[[gnu::always_inline]] inline void store_some(typename S::Float x, float* to, std::int64_t left) {
  if (left >= 16) {
    x.store(to);
    return;
  }
  float some[16];
  x.store(some);
  for (std::int64_t i = 0; i < left; ++i) to[i] = some[i];
}

/// y = f(y, x) for vectors of elements.
template <class S, class F>
[[gnu::always_inline]] inline void update_row(float* y, const float* x, std::int64_t count,
                                              const F& f) {
  for (std::int64_t i = 0; i < count; i += 16) {
    const auto value = f(load_some<S>(y + i, count - i), load_some<S>(x + i, count - i));
    store_some<S>(value, y + i, count - i);
  }
}

template <class S>
float sum_of_squares(const float* x, std::int64_t count) {
  using Float = typename S::Float;
  Float sums[4];
  for (Float& sum : sums) sum = Float::all(0.0f);
  for (std::int64_t i = 0; i < count; i += 64) {
#pragma GCC unroll 4
    for (int j = 0; j < 4; ++j) {
      const std::int64_t left = count - i - 16 * j;
      if (left <= 0) break;
      const Float some = load_some<S>(x + i + 16 * j, left);
      sums[j] = S::multiply_add(some, some, sums[j]);
    }
  }
  return sum_of_lanes<S>(sums[0] + sums[1] + sums[2] + sums[3]);
}

template <class S>
void rms_norm_row(float* y, const float* x, const float* weight, std::int64_t count, float eps) {
  const float mean = sum_of_squares<S>(x, count) / static_cast<float>(count);
  const float scale = 1.0f / __builtin_sqrtf(mean + eps);
  for (std::int64_t i = 0; i < count; i += 16) {
    const std::int64_t left = count - i;
    store_some<S>(load_some<S>(x + i, left) * scale * load_some<S>(weight + i, left), y + i, left);
  }
}

template <class S>
void rope_head(float* head, const float* cosines, const float* sines, std::int64_t half,
               RopePairing pairing) {
  const std::int64_t stride = pairing == RopePairing::interleaved ? 2 : 1;
  const std::int64_t other = pairing == RopePairing::interleaved ? 1 : half;
  for (std::int64_t i = 0; i < half; ++i) {
    const float a = head[i * stride], b = head[i * stride + other];
    head[i * stride] = a * cosines[i] - b * sines[i];
    head[i * stride + other] = a * sines[i] + b * cosines[i];
  }
}

template <class S>
void add_row(float* y, const float* x, std::int64_t count) {
  using Float = typename S::Float;
  update_row<S>(
      y, x, count, [](Float a, Float b) __attribute__((always_inline)) { return a + b; });
}

template <class S>
void silu_row(float* y, const float* x, std::int64_t count) {
  using Float = typename S::Float;
  update_row<S>(
      y, x, count, [](Float gate, Float up) __attribute__((always_inline)) {
        return times_sigmoid<S>(gate, gate) * up;
      });
}

/// With 1 + tanh(z) = 2 / (1 + exp(-2 z)), which loses nothing where tanh is near -1.
template <class S>
void gelu_tanh_row(float* y, const float* x, std::int64_t count) {
  using Float = typename S::Float;
  constexpr float twice_root = 2 * 0.79788456080286535588f;
  update_row<S>(
      y, x, count, [](Float gate, Float up) __attribute__((always_inline)) {
        const Float cube = gate * gate * gate;
        const Float z = S::multiply_add(Float::all(0.044715f), cube, gate) * twice_root;
        return times_sigmoid<S>(gate, z) * up;
      });
}

template <class S>
constexpr RowKernels row_kernels() {
  return {.rms_norm = rms_norm_row<S>,
          .rope = rope_head<S>,
          .add = add_row<S>,
          .silu = silu_row<S>,
          .gelu_tanh = gelu_tanh_row<S>};
}

}  // namespace lamina
