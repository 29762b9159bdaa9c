// Alibi: slopes as published, and the bias they make.
#include "lamina/attention/alibi.h"

#include "attention/masks.h"
#include "lamina/attention/chunked.h"
#include "lamina/attention/softcap.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <vector>

using namespace lamina;

BOOST_AUTO_TEST_SUITE(alibi)

namespace {

Alibi<> heads_of(int heads, float max_bias = 8) {
  Alibi<> variant;
  variant.heads = heads;
  variant.max_bias = max_bias;
  return variant;
}

/// Press et al. 2021, appendix: a geometric sequence for the next lower power of two, then every
/// other term of the sequence for twice as many.
std::vector<long double> published_slopes(int heads, long double max_bias) {
  const int power = 1 << static_cast<int>(std::floor(std::log2(heads)));
  const auto sequence = [&](int n) {
    std::vector<long double> slopes;
    const long double start = std::exp2(-max_bias / n);
    for (int i = 0; i < n; ++i) slopes.push_back(std::pow(start, i + 1));
    return slopes;
  };
  std::vector<long double> slopes = sequence(power);
  const std::vector<long double> finer = sequence(2 * power);
  for (std::size_t i = 0; slopes.size() < static_cast<std::size_t>(heads); i += 2) {
    slopes.push_back(finer[i]);
  }
  return slopes;
}

}  // namespace

BOOST_AUTO_TEST_CASE(closed_forms) {
  for (int h = 0; h < 8; ++h) {
    BOOST_TEST(heads_of(8).slope<double>(h) == std::ldexp(1.0, -(h + 1)));
    BOOST_TEST(heads_of(8).slope<float>(h) == std::ldexp(1.0f, -(h + 1)));
  }
  BOOST_TEST(heads_of(1).slope<double>(0) == 0x1p-8);
  BOOST_TEST(heads_of(1, 16).slope<double>(0) == 0x1p-16);
  BOOST_TEST(heads_of(2).slope<double>(1) == 0x1p-8);
}

// The exponent is at most 8: its 2 roundings of 2^-53 change exp2 by 8 ln 2 times as much, and exp2
// adds an ulp.
BOOST_AUTO_TEST_CASE(published_slopes_for_any_number_of_heads) {
  for (int heads = 1; heads <= 40; ++heads) {
    for (const float max_bias : {8.0f, 4.0f}) {
      const std::vector<long double> expected = published_slopes(heads, max_bias);
      for (int h = 0; h < heads; ++h) {
        const auto exact = static_cast<double>(expected[static_cast<std::size_t>(h)]);
        const Alibi<> variant = heads_of(heads, max_bias);
        BOOST_TEST(std::fabs(variant.slope<double>(h) - exact) <= exact * (16 + 2) * 0x1p-53);
        BOOST_TEST(std::fabs(static_cast<double>(variant.slope<float>(h)) - exact) <=
                   exact * (16 + 2) * 0x1p-24);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(the_bias_is_the_slope_times_the_distance) {
  const Alibi<> variant = heads_of(8);
  BOOST_TEST(variant.score(3.0, 0, 10, 10) == 3.0);
  BOOST_TEST(variant.score(3.0, 0, 10, 4) == 0.0);
  BOOST_TEST(variant.score(3.0f, 2, 10, 2) == 2.0f);
  BOOST_TEST(variant.score(0.0, 7, 256, 0) == -1.0);
  for (Position k = 1; k < 30; ++k) {
    BOOST_TEST(variant.score(0.5, 3, 30, k) > variant.score(0.5, 3, 30, k - 1));
  }
}

BOOST_AUTO_TEST_CASE(masks_are_the_base_s) {
  Alibi<Chunked<>> variant;
  variant.heads = 4;
  variant.chunk = 6;
  test::check_mask(variant, [](Position q, Position k) { return k <= q && q / 6 == k / 6; });
}

BOOST_AUTO_TEST_CASE(the_base_scores_first) {
  Alibi<Softcap<>> variant;
  variant.heads = 1;
  variant.cap = 2;
  BOOST_TEST(variant.score(1e9, 0, 1280, 0) == -3.0);
}

BOOST_AUTO_TEST_SUITE_END()
