// What holds for every encoder, whatever the format.
#pragma once

#include "lamina/quant/format.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

namespace lamina::test {

/// decode(encode(x)) for one block.
template <EncodableFormat Q>
void round_trip(const float (&values)[Q::block_size], float (&decoded)[Q::block_size]) {
  Q::decode(Q::encode(values), decoded);
}

/// No weight of a random block comes back further away than `steps` code steps of the exact scale,
/// where a step is spread / levels; what float16 adds is at most 2^-11 of the largest magnitude
/// (scale and minimum each are rounded once, relative to themselves).
template <EncodableFormat Q>
void check_round_trip_error(double steps, double levels, bool has_min) {
  std::mt19937 random(7);
  std::normal_distribution<float> normal(0.25f, 1.0f);
  for (int block = 0; block < 200; ++block) {
    float values[Q::block_size];
    for (float& value : values) value = normal(random);
    const auto [low, high] = std::minmax_element(std::begin(values), std::end(values));
    const double largest = std::max(std::fabs(*low), std::fabs(*high));
    const double spread = has_min ? double{*high} - double{*low} : 2 * largest;
    const double bound = steps * spread / levels + std::ldexp(spread + largest, -11);
    float decoded[Q::block_size];
    round_trip<Q>(values, decoded);
    for (int i = 0; i < Q::block_size; ++i) {
      BOOST_TEST(std::fabs(double{decoded[i]} - double{values[i]}) <= bound);
    }
  }
}

/// Zeros come back as zeros; a block of one value comes back as that value rounded to float16
/// twice.
template <EncodableFormat Q>
void check_flat_blocks() {
  float values[Q::block_size] = {};
  float decoded[Q::block_size];
  round_trip<Q>(values, decoded);
  for (const float value : decoded) BOOST_TEST(value == 0.0f);
  std::fill(std::begin(values), std::end(values), -0.75f);
  round_trip<Q>(values, decoded);
  for (const float value : decoded) BOOST_TEST(std::fabs(value + 0.75f) <= 0.75f / 1024.0f);
}

/// One NaN, wherever it stands, makes the block NaN; an infinity never comes back as a finite
/// number; values whose scale no float16 can hold come back as zero or not finite, never as another
/// number.
template <EncodableFormat Q>
void check_hostile_values() {
  const float infinity = std::numeric_limits<float>::infinity();
  for (int at = 0; at < Q::block_size; ++at) {
    float values[Q::block_size];
    float decoded[Q::block_size];
    for (int i = 0; i < Q::block_size; ++i) values[i] = static_cast<float>(i);
    values[at] = std::numeric_limits<float>::quiet_NaN();
    round_trip<Q>(values, decoded);
    for (const float value : decoded) BOOST_TEST(std::isnan(value));
    for (const float large : {infinity, -infinity}) {
      values[at] = large;
      round_trip<Q>(values, decoded);
      BOOST_TEST(!std::isfinite(decoded[at]));
    }
  }
  for (const float extreme : {std::numeric_limits<float>::max(), 1e-39f, 1e-45f}) {
    float values[Q::block_size];
    float decoded[Q::block_size];
    for (int i = 0; i < Q::block_size; ++i) values[i] = i % 2 == 0 ? extreme : -extreme;
    round_trip<Q>(values, decoded);
    for (const float value : decoded) BOOST_TEST((value == 0.0f || !std::isfinite(value)));
  }
}

}  // namespace lamina::test
