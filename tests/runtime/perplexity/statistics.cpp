// Means, errors and quantiles by closed forms; the comparison by sums written the other way round.
#include "runtime/perplexity/statistics.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace lamina {
namespace {

/// Values that look random and are the same everywhere.
std::vector<Measured> some_measured(std::size_t count) {
  std::vector<Measured> all(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double x = static_cast<double>(i);
    all[i].nll = 2 + std::sin(12.9 * x) + 0.3 * std::cos(x);
    all[i].base_nll = 2 + std::sin(12.9 * x);
    all[i].divergence = std::abs(std::sin(3.7 * x)) / 10;
    all[i].same_top = i % 5 != 0;
  }
  return all;
}

/// llama-perplexity's way: from the sums of values and of squares.
Estimate from_sums(double sum, double sum_of_squares, double n) {
  const double mean = sum / n;
  return {mean, std::sqrt((sum_of_squares / n - mean * mean) / (n - 1))};
}

BOOST_AUTO_TEST_SUITE(perplexity_statistics, *boost::unit_test::tolerance(1e-9))

BOOST_AUTO_TEST_CASE(a_mean_and_its_error) {
  // 1..n: mean (n + 1)/2, variance (n^2 - 1)/12.
  std::vector<double> values;
  for (int i = 1; i <= 101; ++i) values.push_back(i);
  const Estimate found = mean_of(values);
  BOOST_TEST(found.value == 51.0);
  BOOST_TEST(found.error == std::sqrt((101.0 * 101 - 1) / 12 / 100));
  BOOST_TEST(mean_of(std::vector<double>{3, 3, 3}).error == 0.0);
  BOOST_TEST(mean_of(std::vector<double>{3}).value == 3.0);
  BOOST_TEST(mean_of(std::vector<double>{3}).error == 0.0);
  // Far from zero, where sums of squares lose all digits.
  for (double& x : values) x += 1e9;
  BOOST_TEST(mean_of(values).error == found.error);
}

BOOST_AUTO_TEST_CASE(quantiles_lie_between_neighbours) {
  const std::vector<double> sorted = {1, 2, 4, 8};
  BOOST_TEST(quantile(sorted, 0) == 1.0);
  BOOST_TEST(quantile(sorted, 1) == 8.0);
  BOOST_TEST(quantile(sorted, 0.5) == 3.0);    // the median of an even number
  BOOST_TEST(quantile(sorted, 0.9) == 6.8);    // place 2.7
  BOOST_TEST(quantile(sorted, 0.25) == 1.75);  // place 0.75
  BOOST_TEST(quantile(std::vector<double>{5}, 0.3) == 5.0);
}

BOOST_AUTO_TEST_CASE(a_perplexity) {
  // One in four and one in sixteen by turns: the geometric mean is one in eight.
  std::vector<Measured> measured;
  for (int i = 0; i < 10; ++i) measured.push_back({.nll = std::log(i % 2 == 0 ? 4.0 : 16.0)});
  const Estimate found = perplexity_of(measured);
  BOOST_TEST(found.value == 8.0);
  BOOST_TEST(found.error == 8 * std::log(2.0) / 3);  // deviations of ln 2, n - 1 = 9
}

BOOST_AUTO_TEST_CASE(a_comparison_by_sums) {
  const auto measured = some_measured(1000);
  const double n = 1000;
  double a = 0, aa = 0, b = 0, bb = 0, ab = 0, d = 0, dd = 0, p = 0, pp = 0, pppp = 0, top = 0;
  for (const Measured& m : measured) {
    a += m.nll, aa += m.nll * m.nll, b += m.base_nll, bb += m.base_nll * m.base_nll;
    ab += m.nll * m.base_nll, d += m.divergence, dd += m.divergence * m.divergence;
    const double delta = std::exp(-m.nll) - std::exp(-m.base_nll), square = delta * delta;
    p += delta, pp += square, pppp += square * square, top += m.same_top;
  }
  const Comparison c = compare(measured);
  const Estimate log_q = from_sums(a, aa, n), log_base = from_sums(b, bb, n);
  const double q = std::exp(log_q.value), base = std::exp(log_base.value);
  BOOST_TEST(c.perplexity.value == q);
  BOOST_TEST(c.perplexity.error == q * log_q.error);
  BOOST_TEST(c.base_perplexity.value == base);
  BOOST_TEST(c.base_perplexity.error == base * log_base.error);
  const double covariance = (ab / n - a / n * b / n) / (n - 1);
  BOOST_TEST(c.correlation == covariance / (log_q.error * log_base.error));
  BOOST_TEST(c.log_ratio.value == log_q.value - log_base.value);
  const double log_error =
      std::sqrt(log_q.error * log_q.error + log_base.error * log_base.error - 2 * covariance);
  BOOST_TEST(c.log_ratio.error == log_error);
  BOOST_TEST(c.ratio.value == q / base);
  BOOST_TEST(c.ratio.error == q / base * log_error);
  BOOST_TEST(c.difference.value == q - base);
  BOOST_TEST(c.difference.error ==
             std::sqrt(std::pow(q * log_q.error, 2) + std::pow(base * log_base.error, 2) -
                       2 * q * base * covariance));
  BOOST_TEST(c.divergence.value == from_sums(d, dd, n).value);
  BOOST_TEST(c.divergence.error == from_sums(d, dd, n).error);
  BOOST_TEST(c.delta.value == from_sums(p, pp, n).value);
  BOOST_TEST(c.delta.error == from_sums(p, pp, n).error);
  const Estimate square = from_sums(pp, pppp, n);
  BOOST_TEST(c.delta_rms.value == std::sqrt(square.value));
  BOOST_TEST(c.delta_rms.error == square.error / 2 / std::sqrt(square.value));
  BOOST_TEST(c.same_top.value == 0.8);
  BOOST_TEST(c.same_top.error == std::sqrt(0.8 * 0.2 / (n - 1)));
}

BOOST_AUTO_TEST_CASE(quantiles_of_a_comparison_are_of_sorted_values) {
  const Comparison c = compare(some_measured(57));
  BOOST_TEST(c.divergences.size() == 57u);
  BOOST_TEST(std::is_sorted(c.divergences.begin(), c.divergences.end()));
  BOOST_TEST(std::is_sorted(c.deltas.begin(), c.deltas.end()));
  BOOST_TEST(c.deltas.front() < 0);
}

BOOST_AUTO_TEST_CASE(a_model_compared_with_itself) {
  auto measured = some_measured(20);
  for (Measured& m : measured) m = {.nll = m.nll, .base_nll = m.nll, .same_top = true};
  const Comparison c = compare(measured);
  BOOST_TEST(c.correlation == 1.0);
  BOOST_TEST(c.ratio.value == 1.0);
  for (const Estimate& none : {c.log_ratio, c.difference, c.divergence, c.delta, c.delta_rms}) {
    BOOST_TEST(none.value == 0.0);
    BOOST_TEST(none.error == 0.0);
  }
  BOOST_TEST(c.same_top.value == 1.0);
  BOOST_TEST(c.same_top.error == 0.0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
