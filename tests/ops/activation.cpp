// Activations: the formulas in long double over the whole range, in float and in double, and the
// identities they obey.
#include "lamina/ops/activation.h"

#include "lamina/verify/bounds.h"
#include "lamina/verify/compare.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

using namespace lamina;

BOOST_AUTO_TEST_SUITE(activation)

namespace {

/// -100 ... 100 densely, and magnitudes down to the smallest on either side of 0.
std::vector<float> arguments() {
  std::vector<float> x{0.0f, -0.0f};
  for (int i = -3200; i <= 3200; ++i) x.push_back(static_cast<float>(i) / 32.0f + 0.003f);
  for (int exponent = -149; exponent < 7; ++exponent) {
    x.push_back(std::ldexp(1.0f, exponent));
    x.push_back(-std::ldexp(1.0f, exponent));
  }
  return x;
}

long double exact_silu(long double x) { return x / (1 + std::exp(-x)); }

long double exact_gelu(long double x) {
  const long double z =
      std::sqrt(2 / std::numbers::pi_v<long double>) * (x + 0.044715L * x * x * x);
  // 1 + tanh(z) = 2 / (1 + exp(-2 z)) does not cancel.
  return x / (1 + std::exp(-2 * z));
}

template <class Real, class Function, class Exact, class Bound>
void check(const Function& function, const Exact& exact, const Bound& bound) {
  std::vector<Real> got;
  std::vector<double> expected;
  const std::vector<float> x = arguments();
  for (const float value : x) {
    got.push_back(function(static_cast<Real>(value)));
    expected.push_back(static_cast<double>(exact(static_cast<long double>(value))));
  }
  const Comparison result =
      compare(std::span<const Real>(got), std::span<const double>(expected),
              [&](std::size_t i) { return bound(static_cast<double>(x[i])); });
  BOOST_TEST(result.passed(), result.report());
}

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

BOOST_AUTO_TEST_CASE(silu_is_its_formula) {
  check<double>([](double x) { return silu(x); }, exact_silu,
                [](double x) { return silu_bound(x, 4, float64_rounding); });
  check<float>([](float x) { return silu(x); }, exact_silu, [](double x) { return silu_bound(x); });
}

BOOST_AUTO_TEST_CASE(gelu_is_its_formula) {
  check<double>([](double x) { return gelu_tanh(x); }, exact_gelu,
                [](double x) { return gelu_tanh_bound(x, 8, float64_rounding); });
  check<float>([](float x) { return gelu_tanh(x); }, exact_gelu,
               [](double x) { return gelu_tanh_bound(x); });
}

// sigmoid(1) = 1 / (1 + 1/e); gelu_tanh(1) from its formula with 50 digits.
BOOST_AUTO_TEST_CASE(known_values) {
  BOOST_TEST(std::fabs(silu(1.0) - 0.731058578630004879) <= silu_bound(1, 4, float64_rounding));
  BOOST_TEST(std::fabs(gelu_tanh(1.0) - 0.841191990608276745) <=
             gelu_tanh_bound(1, 8, float64_rounding));
  BOOST_TEST(silu(0.0f) == 0.0f);
  BOOST_TEST(gelu_tanh(0.0f) == 0.0f);
  BOOST_TEST(silu(100.0f) == 100.0f);
  BOOST_TEST(gelu_tanh(100.0f) == 100.0f);
  BOOST_TEST(gelu_tanh(-100.0f) == 0.0f);
}

// Both are x times a function s with s(x) + s(-x) = 1.
BOOST_AUTO_TEST_CASE(odd_part_is_half_of_x) {
  for (const float value : arguments()) {
    const auto x = static_cast<double>(value);
    const double allowed = 2 * 0x1p-53 * std::fabs(x);  // of the difference and of the sum itself
    BOOST_TEST(std::fabs(silu(x) - silu(-x) - x) <=
               2 * silu_bound(std::fabs(x), 4, float64_rounding) + allowed);
    BOOST_TEST(std::fabs(gelu_tanh(x) - gelu_tanh(-x) - x) <=
               2 * gelu_tanh_bound(std::fabs(x), 8, float64_rounding) + allowed);
  }
}

BOOST_AUTO_TEST_CASE(infinities_and_nan) {
  BOOST_TEST(silu(infinity) == infinity);
  BOOST_TEST(gelu_tanh(infinity) == infinity);
  BOOST_TEST(std::isnan(silu(-infinity)));
  BOOST_TEST(std::isnan(gelu_tanh(-infinity)));
  BOOST_TEST(std::isnan(silu(nan)));
  BOOST_TEST(std::isnan(gelu_tanh(nan)));
  BOOST_TEST(silu(-1e30) == 0.0);
  BOOST_TEST(gelu_tanh(-1e30f) == 0.0f);  // x^3 overflows to an infinity of the right sign
}

BOOST_AUTO_TEST_CASE(activate_selects_by_type) {
  for (const float x : {-3.0f, 0.25f, 2.0f}) {
    BOOST_TEST(activate<Activation::silu>(x) == silu(x));
    BOOST_TEST(activate<Activation::gelu_tanh>(x) == gelu_tanh(x));
    BOOST_TEST(silu(x) != gelu_tanh(x));
  }
}

BOOST_AUTO_TEST_SUITE_END()
