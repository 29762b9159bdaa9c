// IEEE 754 binary16 and bfloat16 as storage types: conversion to and from float, nothing else.
//
// Conversions are exact where the target can hold the value and otherwise round to nearest, ties to
// even. A NaN stays a NaN (made quiet, payload kept as far as it fits).
#pragma once

#include "lamina/core/config.h"

#include <cstdint>
#include <cstring>

namespace lamina {

/// 1 sign, 5 exponent, 10 fraction bits.
struct float16 {
  std::uint16_t bits = 0;
};

/// The upper half of a float: 1 sign, 8 exponent, 7 fraction bits.
struct bfloat16 {
  std::uint16_t bits = 0;
};

LAMINA_HD inline std::uint32_t float_bits(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

LAMINA_HD inline float float_from_bits(std::uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

LAMINA_HD inline float to_float(bfloat16 value) {
  return float_from_bits(static_cast<std::uint32_t>(value.bits) << 16);
}

LAMINA_HD inline float to_float(float16 value) {
  const std::uint32_t sign = static_cast<std::uint32_t>(value.bits & 0x8000u) << 16;
  const std::uint32_t rest = value.bits & 0x7fffu;
  if (rest >= 0x7c00u) {  // infinity, NaN
    const std::uint32_t quiet = rest > 0x7c00u ? 0x0040'0000u : 0u;
    return float_from_bits(sign | 0x7f80'0000u | quiet | ((rest & 0x03ffu) << 13));
  }
  if (rest < 0x0400u) {  // zero and subnormals: fraction * 2^-24 is exact in float
    const float magnitude = static_cast<float>(rest) * float_from_bits(0x3380'0000u);
    return float_from_bits(sign | float_bits(magnitude));
  }
  return float_from_bits(sign | ((rest << 13) + 0x3800'0000u));  // re-bias the exponent by 112
}

LAMINA_HD inline bfloat16 to_bfloat16(float value) {
  const std::uint32_t bits = float_bits(value);
  if ((bits & 0x7fff'ffffu) > 0x7f80'0000u) {
    return {static_cast<std::uint16_t>((bits >> 16) | 0x0040u)};
  }
  const std::uint32_t even = (bits >> 16) & 1u;
  return {static_cast<std::uint16_t>((bits + 0x7fffu + even) >> 16)};
}

LAMINA_HD inline float16 to_float16(float value) {
  const std::uint32_t bits = float_bits(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000u;
  const std::uint32_t rest = bits & 0x7fff'ffffu;
  if (rest > 0x7f80'0000u) {  // NaN
    return {static_cast<std::uint16_t>(sign | 0x7e00u | ((rest >> 13) & 0x03ffu))};
  }
  if (rest >= 0x4780'0000u) {  // 2^16 and above
    return {static_cast<std::uint16_t>(sign | 0x7c00u)};
  }
  if (rest <
      0x3880'0000u) {  // below 2^-14: adding 0.5 leaves the fraction, rounded, in the low bits
    const float shifted = float_from_bits(rest) + 0.5f;
    return {static_cast<std::uint16_t>(sign | (float_bits(shifted) - 0x3f00'0000u))};
  }
  // The carry of the rounding may reach the exponent: that is the next binade, or infinity.
  const std::uint32_t even = (rest >> 13) & 1u;
  return {static_cast<std::uint16_t>(sign | ((rest - 0x3800'0000u + 0x0fffu + even) >> 13))};
}

}  // namespace lamina
