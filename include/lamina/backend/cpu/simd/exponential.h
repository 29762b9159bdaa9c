// exp of 16 lanes, within two units in the last place where the result is a normal number.
//
// x = n ln 2 + r with |r| <= ln(2) / 2, ln 2 in two parts of which the first times n is exact;
// exp(r) by its Taylor series up to r^7, whose rest is below 6e-9; then times 2^n in two factors,
// so that results pass through subnormal numbers to 0 and overflow to infinity. NaN stays NaN.
#pragma once

#include "lamina/backend/cpu/simd/lanes.h"

namespace lamina {

template <class S>
[[gnu::always_inline]] inline typename S::Float exponential(typename S::Float x) {
  using Float = typename S::Float;
  constexpr float rounder = 12582912.0f;  // 1.5 * 2^23: adding it leaves no fraction
  constexpr float ln2_high = 0.693359375f, ln2_low = -2.12194440e-4f;
  constexpr float series[] = {1.0f / 720, 1.0f / 120, 1.0f / 24, 1.0f / 6, 0.5f, 1.0f, 1.0f};
  // Beyond these the result is 0 or infinity.
  x = S::larger(Float::all(-104.0f), S::smaller(Float::all(89.0f), x));
  const Float shifted = S::multiply_add(x, Float::all(1.44269504f), Float::all(rounder));
  const Float n = shifted - rounder;
  Float r = S::multiply_subtract(n, Float::all(ln2_high), x);
  r = S::multiply_subtract(n, Float::all(ln2_low), r);
  Float p = Float::all(1.0f / 5040);
#pragma GCC unroll 7
  for (const float coefficient : series) p = S::multiply_add(p, r, Float::all(coefficient));
  const auto whole = S::bits_of(shifted) - __builtin_bit_cast(std::int32_t, rounder);
  const auto half = whole >> 1;
  const auto power = [](auto exponent) __attribute__((always_inline)) {
    return S::float_of((exponent + S::set(127)) << 23);
  };
  return p * power(half) * power(whole - half);
}

/// x / (1 + exp(-y)).
template <class S>
[[gnu::always_inline]] inline typename S::Float times_sigmoid(typename S::Float x,
                                                              typename S::Float y) {
  return x / (S::Float::all(1.0f) + exponential<S>(-y));
}

}  // namespace lamina
