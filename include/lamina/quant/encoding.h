// What the encoders share: the extremes of a block and the rounding of a value to its code.
//
// These are the definitions of ggml's reference encoders (ggml-org/ggml, src/ggml-quants.c,
// quantize_row_*_ref): codes are computed with the reciprocal of the unrounded float scale, which
// is rounded to float16 only when it is stored. Where those leave the result undefined, here it is
// not: a NaN in a block makes its scale NaN, and so every weight decoded from it; an infinity, or a
// scale beyond float16's range, decodes to infinities and NaN; no code ever leaves its range.
#pragma once

#include "lamina/core/config.h"

namespace lamina {

/// a * b rounded to float, also where the compiler of device code would fuse it with a following
/// sum.
LAMINA_HD inline float rounded_product(float a, float b) {
#if defined(__CUDA_ARCH__)
  return __fmul_rn(a, b);
#else
  return a * b;  // the host is compiled with -ffp-contract=off
#endif
}

/// 1 / scale, and 0 for the scale of a block that is all zero.
LAMINA_HD inline float reciprocal_or_zero(float scale) {
  return scale == 0.0f ? 0.0f : 1.0f / scale;
}

LAMINA_HD inline float magnitude(float value) { return value < 0.0f ? -value : value; }

/// The value of largest magnitude with its sign, the first of equals; NaN if there is one.
template <int n>
LAMINA_HD float largest_magnitude(const float (&values)[n]) {
  float largest = 0.0f;
  for (const float value : values) {
    const bool is_nan = value != value;
    if (is_nan || magnitude(value) > magnitude(largest)) largest = value;
  }
  return largest;
}

/// The smallest and the largest value; NaN if there is one.
struct Range {
  float min;
  float max;
};

template <int n>
LAMINA_HD Range range(const float (&values)[n]) {
  Range range{values[0], values[0]};
  for (const float value : values) {
    const bool is_nan = value != value;
    if (is_nan || value < range.min) range.min = value;
    if (is_nan || value > range.max) range.max = value;
  }
  return range;
}

/// value * inverse + offset, its fraction cut off, within 0..last; NaN gives 0.
LAMINA_HD inline int truncated_code(float value, float inverse, float offset, int last) {
  const float code = rounded_product(value, inverse) + offset;
  if (code >= static_cast<float>(last)) return last;
  return code > 0.0f ? static_cast<int>(code) : 0;
}

/// value * inverse rounded to nearest, halves away from zero, within -last..last; NaN gives 0.
LAMINA_HD inline int nearest_code(float value, float inverse, int last) {
  const float code = rounded_product(value, inverse);
  const float size = magnitude(code);
  if (size >= static_cast<float>(last)) return code < 0.0f ? -last : last;
  if (!(size >= 0.5f)) return 0;
  const int whole = static_cast<int>(size);
  const int nearest = size - static_cast<float>(whole) >= 0.5f ? whole + 1 : whole;
  return code < 0.0f ? -nearest : nearest;
}

}  // namespace lamina
