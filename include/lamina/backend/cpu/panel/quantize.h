// Activations to records: each step of 32 by its own largest magnitude, to the nearest code, halves
// to even.
//
// The largest code is 127; or 4 * 127, where the largest magnitude is above `fine_from` times the
// root mean square of the row, so that no code is coarser than fine_from / 127 of it. A step that
// holds a NaN or an infinity has the scale NaN, so that every result of its row is NaN, as in
// float.
#pragma once

#include "lamina/backend/cpu/panel/activations.h"
#include "lamina/backend/cpu/simd/fold.h"

#include <cstdint>

namespace lamina {

/// See docs/decisions/008: rows that are normally distributed have next to no fine steps; those of
/// models have them in a twelfth of their steps, which cause most of the error.
inline constexpr float fine_from = 6.0f;

/// A step's records and whether it is fine.
struct StepTarget {
  StepRecord* record;
  LowRecord* low;
  std::uint8_t* fine;
};

/// Writes the codes of a step, of values times `inverse`, and what depends on them.
template <class S, bool Fine>
void write_codes(const float* x, float inverse, float scale, const StepTarget& to) {
  constexpr int low_bits = Fine ? 2 : 0;
  std::int32_t codes[step_size];
  constexpr float rounder = 12582912.0f;  // 1.5 * 2^23: adding it leaves no fraction
  for (int i = 0; i < step_size; ++i) {
    codes[i] = static_cast<std::int32_t>((x[i] * inverse + rounder) - rounder);
  }
  // High parts are rounded so that -2 to 1 are left for the low ones.
  const auto high = [&](int i) { return (codes[i] + low_bits) >> low_bits; };
  std::int32_t sums[2] = {}, sums_of_high[2] = {};
  for (int i = 0; i < step_size / 2; ++i) {
    sums[0] += codes[i];
    sums[1] += codes[step_size / 2 + i];
    sums_of_high[0] += high(i);
    sums_of_high[1] += high(step_size / 2 + i);
  }
  StepSums& beside = to.record->sums;
  beside.scale = scale;
  const float unit = scale / (1 << low_bits);
  beside.minus_sum = -(sums_of_high[0] + sums_of_high[1]);
  beside.scaled_sum = unit * static_cast<float>(sums[0] + sums[1]);
  for (int h = 0; h < 2; ++h) {
    beside.minus_sums[h] = -sums_of_high[h];
    beside.scaled_sums[h] = unit * static_cast<float>(sums[h]);
  }
  // Two loops, and no part is read again: then they become vectors.
  for (int i = 0; i < step_size; ++i) to.record->codes[i] = static_cast<std::int8_t>(high(i));
  *to.fine = Fine ? 1 : 0;
  if constexpr (!Fine) {
    *to.low = {};
    return;
  }
  for (int i = 0; i < step_size; ++i) {
    to.low->codes[i] = static_cast<std::int8_t>(codes[i] - (high(i) << low_bits));
  }
  for (int h = 0; h < 2; ++h) {
    to.low->minus_sums[h] = (sums_of_high[h] << low_bits) - sums[h];
  }
  to.low->minus_sum = to.low->minus_sums[0] + to.low->minus_sums[1];
}

/// Writes a step of 32 values; it is fine where the square of the largest is above `fine_square`.
template <class S>
void quantize_step(const float* x, float fine_square, const StepTarget& to) {
  constexpr std::int32_t infinity = 0x7f800000;
  // Magnitudes as whole numbers: in order like the floats, with NaN above all.
  std::int32_t top = 0;
  for (int i = 0; i < step_size; ++i) {
    const std::int32_t magnitude = __builtin_bit_cast(std::int32_t, x[i]) & 0x7fffffff;
    top = magnitude > top ? magnitude : top;
  }
  const float largest = __builtin_bit_cast(float, top);
  const float scale = largest / 127;
  // A scale so small that its inverse overflows stands for values that are zero for all purposes.
  if (top >= infinity || scale <= 1e-37f) {
    constexpr float zeros[step_size] = {};
    write_codes<S, false>(zeros, 0, top < infinity ? scale : __builtin_nanf(""), to);
  } else if (largest * largest > fine_square) {
    write_codes<S, true>(x, 4 * 127 / largest, scale, to);
  } else {
    write_codes<S, false>(x, 127 / largest, scale, to);
  }
}

/// The square that the largest magnitude of a fine step is above; sums in 16 lanes.
template <class S>
[[gnu::always_inline]] inline float fine_square(const float* values, std::int64_t cols) {
  using Float = typename S::Float;
  Float squares = S::set_float(0);
  std::int64_t i = 0;
  for (; i + 16 <= cols; i += 16) {
    const Float x = Float::load(values + i);
    squares = S::multiply_add(x, x, squares);
  }
  float rest[16] = {};
  for (int lane = 0; i < cols; ++i, ++lane) rest[lane] = values[i];
  squares = S::multiply_add(Float::load(rest), Float::load(rest), squares);
  return sum_of_lanes<S>(squares) * (fine_from * fine_from / static_cast<float>(cols));
}

/// Quantizes one row of `cols` values; steps end in zeros. A row's records lie apart, where no
/// processor foresees them: they are asked for some steps ahead.
template <class S>
void quantize_row(const float* values, std::int64_t cols, const QuantizedRows& to,
                  std::int64_t row) {
  constexpr int ahead = 6;
  const std::int64_t t = row / to.tile, place = row % to.tile;
  const int stride = to.width(t);
  const std::int64_t whole = cols / step_size;
  const float from = fine_square<S>(values, cols);
  StepTarget at{to.records + to.before(t) + place, to.low + to.before(t) + place,
                to.fine + t * to.steps * step_flags + place};
  for (std::int64_t step = 0; step < to.steps; ++step) {
    __builtin_prefetch(at.record + ahead * stride, 1);
    __builtin_prefetch(at.low + ahead * stride, 1);
    if (step < whole) {
      quantize_step<S>(values + step * step_size, from, at);
    } else {
      float some[step_size] = {};
      for (std::int64_t i = step * step_size; i < cols; ++i) some[i % step_size] = values[i];
      quantize_step<S>(some, from, at);
    }
    at = {at.record + stride, at.low + stride, at.fine + step_flags};
  }
}

}  // namespace lamina
