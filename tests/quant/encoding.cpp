// Extremes and rounding: closed-form values, ties, NaN, infinities, and std::round in double.
#include "lamina/quant/encoding.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

using namespace lamina;

BOOST_AUTO_TEST_SUITE(encoding)

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
const float nan = std::numeric_limits<float>::quiet_NaN();

}  // namespace

BOOST_AUTO_TEST_CASE(extremes) {
  const float values[5] = {1.0f, -3.0f, 3.0f, 0.0f, 2.0f};
  BOOST_TEST(largest_magnitude(values) == -3.0f);  // the first of equals
  BOOST_TEST(range(values).min == -3.0f);
  BOOST_TEST(range(values).max == 3.0f);
}

BOOST_AUTO_TEST_CASE(nan_wins_wherever_it_stands) {
  for (int at = 0; at < 4; ++at) {
    float values[4] = {infinity, 1.0f, -infinity, 2.0f};
    values[at] = nan;
    BOOST_TEST(std::isnan(largest_magnitude(values)));
    BOOST_TEST(std::isnan(range(values).min));
    BOOST_TEST(std::isnan(range(values).max));
  }
}

BOOST_AUTO_TEST_CASE(reciprocal) {
  BOOST_TEST(reciprocal_or_zero(4.0f) == 0.25f);
  BOOST_TEST(reciprocal_or_zero(0.0f) == 0.0f);
  BOOST_TEST(reciprocal_or_zero(-0.0f) == 0.0f);
  BOOST_TEST(std::isnan(reciprocal_or_zero(nan)));
}

BOOST_AUTO_TEST_CASE(nearest_code_is_round) {
  std::mt19937 random(11);
  std::uniform_real_distribution<float> uniform(-130.0f, 130.0f);
  for (int i = 0; i < 20000; ++i) {
    const float near = i % 2 == 0 ? std::floor(uniform(random)) + 0.5f : uniform(random);
    for (const float x : {near, std::nextafter(near, -infinity), std::nextafter(near, infinity)}) {
      const double expected = std::clamp(std::round(double{x}), -127.0, 127.0);
      BOOST_TEST(nearest_code(x, 1.0f, 127) == static_cast<int>(expected));
    }
  }
  BOOST_TEST(nearest_code(0.49999997f, 1.0f, 127) == 0);
  BOOST_TEST(nearest_code(infinity, 1.0f, 127) == 127);
  BOOST_TEST(nearest_code(-infinity, 1.0f, 127) == -127);
  BOOST_TEST(nearest_code(nan, 1.0f, 127) == 0);
  BOOST_TEST(nearest_code(3.0f, 0.5f, 127) == 2);
}

BOOST_AUTO_TEST_CASE(truncated_code_stays_in_range) {
  BOOST_TEST(truncated_code(-8.0f, 1.0f, 8.5f, 15) == 0);
  BOOST_TEST(truncated_code(7.0f, 1.0f, 8.5f, 15) == 15);
  BOOST_TEST(truncated_code(8.0f, 1.0f, 8.5f, 15) == 15);
  BOOST_TEST(truncated_code(-0.75f, 1.0f, 8.5f, 15) == 7);
  BOOST_TEST(truncated_code(2.0f, 0.5f, 0.5f, 15) == 1);
  BOOST_TEST(truncated_code(-infinity, 1.0f, 8.5f, 15) == 0);
  BOOST_TEST(truncated_code(infinity, 1.0f, 8.5f, 15) == 15);
  BOOST_TEST(truncated_code(nan, 1.0f, 8.5f, 15) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
