// Activations to records: each step of 32 by its own largest magnitude, to the nearest code, halves
// to even.
//
// The largest code is 127, or 4 * 127 in 10 bits. A step that holds a NaN or an infinity has the
// scale NaN, so that every result of its row is NaN, as in float.
#pragma once

#include "lamina/backend/cpu/panel/activations.h"

#include <cstdint>

namespace lamina {

/// The high part of a code of 10 bits, so that -2 to 1 are left for the low one.
[[gnu::always_inline]] inline std::int32_t high_part(std::int32_t code) { return (code + 2) >> 2; }

/// Writes a step of 32 values to its records.
template <class S, Precision P>
void quantize_step(const float* x, StepRecord* to) {
  constexpr float largest_code = P == Precision::bits10 ? 4 * 127 : 127;
  constexpr std::int32_t infinity = 0x7f800000;
  // Magnitudes as whole numbers: in order like the floats, with NaN above all.
  std::int32_t top = 0;
  for (int i = 0; i < step_size; ++i) {
    const std::int32_t magnitude = __builtin_bit_cast(std::int32_t, x[i]) & 0x7fffffff;
    top = magnitude > top ? magnitude : top;
  }
  const bool finite = top < infinity;
  const float largest = __builtin_bit_cast(float, top);
  const float scale = finite ? largest / largest_code : __builtin_nanf("");
  // A scale so small that its inverse overflows stands for values that are zero for all purposes.
  const float inverse = finite && scale > 1e-37f ? largest_code / largest : 0.0f;

  std::int32_t codes[step_size];
  constexpr float rounder = 12582912.0f;  // 1.5 * 2^23: adding it leaves no fraction
  for (int i = 0; i < step_size; ++i) {
    const float code = (finite ? x[i] : 0.0f) * inverse;
    codes[i] = static_cast<std::int32_t>((code + rounder) - rounder);
  }
  std::int32_t sums[2] = {};
  for (int i = 0; i < step_size / 2; ++i) {
    sums[0] += codes[i];
    sums[1] += codes[step_size / 2 + i];
  }
  StepSums& beside = to[records_of(P) - 1].sums;
  beside.scale = scale;
  beside.minus_sum = -(sums[0] + sums[1]);
  beside.scaled_sum = scale * static_cast<float>(sums[0] + sums[1]);
  for (int h = 0; h < 2; ++h) {
    beside.minus_sums[h] = -sums[h];
    beside.scaled_sums[h] = scale * static_cast<float>(sums[h]);
  }
  auto* parts = reinterpret_cast<std::int8_t*>(to);
  if constexpr (P == Precision::bits8) {
    for (int i = 0; i < step_size; ++i) parts[i] = static_cast<std::int8_t>(codes[i]);
    return;
  }
  constexpr int run = S::part_run;
  for (int first = 0; first < step_size; first += run) {
    // Two loops, and no part is read again: then they become vectors.
    for (int i = 0; i < run; ++i) {
      parts[2 * first + i] = static_cast<std::int8_t>(high_part(codes[first + i]));
    }
    for (int i = 0; i < run; ++i) {
      const std::int32_t code = codes[first + i];
      parts[2 * first + run + i] = static_cast<std::int8_t>(code - 4 * high_part(code));
    }
  }
}

template <class S>
[[gnu::always_inline]] inline void quantize_step(const float* x, Precision precision,
                                                 StepRecord* to) {
  if (precision == Precision::bits10) {
    quantize_step<S, Precision::bits10>(x, to);
  } else {
    quantize_step<S, Precision::bits8>(x, to);
  }
}

/// Quantizes one row of `cols` values; steps end in zeros. A row's records lie apart, where no
/// processor foresees them: they are asked for some steps ahead.
template <class S>
void quantize_row(const float* values, std::int64_t cols, const QuantizedRows& to,
                  std::int64_t row) {
  constexpr int ahead = 6;
  const int records = records_of(to.precision);
  const std::int64_t stride = to.width(row / to.tile) * records;
  const std::int64_t whole = cols / step_size;
  StepRecord* record = &to.record(row, 0);
  for (std::int64_t step = 0; step < to.steps; ++step, record += stride) {
    for (int i = 0; i < records; ++i) __builtin_prefetch(record + ahead * stride + i, 1);
    if (step < whole) {
      quantize_step<S>(values + step * step_size, to.precision, record);
      continue;
    }
    float some[step_size] = {};
    for (std::int64_t i = step * step_size; i < cols; ++i) some[i % step_size] = values[i];
    quantize_step<S>(some, to.precision, record);
  }
}

}  // namespace lamina
