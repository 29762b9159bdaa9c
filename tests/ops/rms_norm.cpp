// rms_norm: closed forms, long double for every kind of input, and the edges where float squares
// would overflow or vanish.
#include "lamina/ops/rms_norm.h"

#include "lamina/verify/bounds.h"
#include "lamina/verify/compare.h"
#include "lamina/verify/inputs.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <vector>

using namespace lamina;

BOOST_AUTO_TEST_SUITE(rms_norm_)

namespace {

using Floats = std::vector<float>;

Floats normalized(const Floats& x, const Floats& weight, float eps) {
  GuardedBuffer<float> y(x.size());
  rms_norm(y.span(), x, weight, eps);
  BOOST_TEST(y.damage().value_or("") == "");
  return {y.span().begin(), y.span().end()};
}

/// Against the formula in long double, within what double arithmetic and one rounding may do.
void check(const Floats& x, const Floats& weight, float eps, const std::string& what) {
  long double squares = 0;
  for (const float value : x) squares += static_cast<long double>(value) * value;
  const long double mean = squares / static_cast<long double>(x.size()) + eps;
  std::vector<double> expected, bound;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto y = static_cast<double>(x[i] / std::sqrt(mean) * weight[i]);
    const RmsNormTerms terms{.width = static_cast<std::int64_t>(x.size()),
                             .mean_square = static_cast<double>(mean),
                             .result = y};
    expected.push_back(y);
    bound.push_back(store_bound(y, rms_norm_bound(terms, float64_rounding), float32_rounding));
  }
  const Floats y = normalized(x, weight, eps);
  const Comparison result =
      compare(std::span<const float>(y), std::span<const double>(expected), bound);
  BOOST_TEST(result.passed(), result.report(what));
}

}  // namespace

BOOST_AUTO_TEST_CASE(closed_forms) {
  const Floats weight{1, 2, 3, 4};
  BOOST_TEST(normalized({2, -2, 2, -2}, weight, 0) == Floats({1, -2, 3, -4}),
             boost::test_tools::per_element());
  BOOST_TEST(normalized({8, 0, 0, 0}, weight, 0) == Floats({2, 0, 0, 0}),
             boost::test_tools::per_element());
  // The mean of squares is 1, and eps 3 makes the root 2.
  BOOST_TEST(normalized({1, -1, 1, 1}, weight, 3) == Floats({0.5f, -1, 1.5f, 2}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(long_double_agrees_on_every_kind_of_input) {
  for (const InputKind kind : input_kinds) {
    for (const std::size_t width : {1u, 7u, 64u, 576u}) {
      Floats x(width), weight(width);
      fill(x, InputSource{kind, 5, width});
      fill(weight, InputKind::normal, 6);
      check(x, weight, 1e-6f, std::string(name(kind)) + " of " + std::to_string(width));
    }
  }
}

BOOST_AUTO_TEST_CASE(zeros_stay_zeros) {
  for (const float value : normalized(Floats(5, 0.0f), Floats(5, 3.0f), 1e-6f)) {
    BOOST_TEST(value == 0.0f);
  }
}

BOOST_AUTO_TEST_CASE(squares_that_no_float_holds) {
  const Floats ones(2048, 1.0f);
  for (const float magnitude : {1e18f, 3e38f, 1e-25f, 1e-44f}) {
    for (const float value : normalized(Floats(2048, magnitude), ones, 0)) {
      BOOST_TEST(value == 1.0f);
    }
  }
  Floats x(2048);
  fill(x, InputKind::normal, 8);
  for (float& value : x) value *= 1e18f;
  check(x, ones, 1e-5f, "1e18");
}

// eps belongs under the root, beside the mean: not beside the sum, not outside.
BOOST_AUTO_TEST_CASE(eps_counts_where_inputs_are_small) {
  Floats x(16), weight(16, 1.0f);
  fill(x, InputKind::normal, 9);
  for (float& value : x) value *= 1e-3f;
  check(x, weight, 1e-6f, "eps as large as the mean");
  check(x, weight, 1e-2f, "eps larger than the mean");
}

BOOST_AUTO_TEST_CASE(output_may_be_the_input) {
  Floats x(33), weight(33);
  fill(x, InputKind::outliers, 10);
  fill(weight, InputKind::normal, 11);
  const Floats apart = normalized(x, weight, 1e-5f);
  rms_norm(x, x, weight, 1e-5f);
  BOOST_TEST(same_bits(x, apart));
}

BOOST_AUTO_TEST_CASE(a_power_of_two_cancels) {
  Floats x(20), weight(20, 0.7f);
  fill(x, InputKind::normal, 12);
  const Floats small = normalized(x, weight, 0);
  for (float& value : x) value *= 0x1p40f;
  BOOST_TEST(same_bits(normalized(x, weight, 0), small));
}

BOOST_AUTO_TEST_CASE(one_nan_is_seen_by_all) {
  Floats x(4, 1.0f);
  x[2] = std::numeric_limits<float>::quiet_NaN();
  for (const float value : normalized(x, Floats(4, 1.0f), 1e-6f)) BOOST_TEST(std::isnan(value));
}

BOOST_AUTO_TEST_SUITE_END()
