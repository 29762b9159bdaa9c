// Errors of differences come from the differences themselves: that is their linearised formula
// with its covariance, and cannot become the root of a negative number.
#include "runtime/perplexity/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lamina {
namespace {

template <class Value>
std::vector<double> each(std::span<const Measured> measured, const Value& value) {
  std::vector<double> values(measured.size());
  std::transform(measured.begin(), measured.end(), values.begin(), value);
  return values;
}

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// The mean of the products of both deviations.
double covariance(std::span<const double> a, std::span<const double> b) {
  const double mean_a = mean(a), mean_b = mean(b);
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - mean_a) * (b[i] - mean_b);
  return sum / static_cast<double>(a.size());
}

/// exp of an estimate.
Estimate exponential(Estimate x) {
  const double value = std::exp(x.value);
  return {value, value * x.error};
}

/// The root of the mean of squares.
Estimate root_mean_square(std::span<const double> values) {
  std::vector<double> squares(values.begin(), values.end());
  for (double& x : squares) x *= x;
  const Estimate square = mean_of(squares);
  const double root = std::sqrt(square.value);
  return {root, root > 0 ? square.error / (2 * root) : 0};
}

}  // namespace

Estimate mean_of(std::span<const double> values) {
  if (values.size() < 2) return {values.empty() ? 0 : values[0], 0};
  const auto n = static_cast<double>(values.size());
  return {mean(values), std::sqrt(covariance(values, values) / (n - 1))};
}

double quantile(std::span<const double> sorted, double f) {
  const double place = f * static_cast<double>(sorted.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(place), sorted.size() - 1);
  const auto above = std::min(below + 1, sorted.size() - 1);
  const double rest = place - static_cast<double>(below);
  return (1 - rest) * sorted[below] + rest * sorted[above];
}

Estimate perplexity_of(std::span<const Measured> measured) {
  return exponential(mean_of(each(measured, [](const Measured& m) { return m.nll; })));
}

Comparison compare(std::span<const Measured> measured) {
  const auto of = [&](const auto& value) { return each(measured, value); };
  const auto nll = of([](const Measured& m) { return m.nll; });
  const auto base_nll = of([](const Measured& m) { return m.base_nll; });
  Comparison result;
  result.perplexity = exponential(mean_of(nll));
  result.base_perplexity = exponential(mean_of(base_nll));
  result.correlation =
      covariance(nll, base_nll) / std::sqrt(covariance(nll, nll) * covariance(base_nll, base_nll));
  result.log_ratio = mean_of(of([](const Measured& m) { return m.nll - m.base_nll; }));
  result.ratio = exponential(result.log_ratio);
  const double q = result.perplexity.value, base = result.base_perplexity.value;
  result.difference = {
      q - base,
      mean_of(of([&](const Measured& m) { return q * m.nll - base * m.base_nll; })).error};
  result.divergences = of([](const Measured& m) { return m.divergence; });
  result.divergence = mean_of(result.divergences);
  result.deltas = of([](const Measured& m) { return std::exp(-m.nll) - std::exp(-m.base_nll); });
  result.delta = mean_of(result.deltas);
  result.delta_rms = root_mean_square(result.deltas);
  result.same_top = mean_of(of([](const Measured& m) { return m.same_top ? 1.0 : 0.0; }));
  std::sort(result.divergences.begin(), result.divergences.end());
  std::sort(result.deltas.begin(), result.deltas.end());
  return result;
}

}  // namespace lamina
