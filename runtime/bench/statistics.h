// Mean and spread of repeated measurements: the mean, and the standard deviation of a sample,
// sqrt(sum (x - mean)^2 / (n - 1)), which is 0 for less than two.
#pragma once

#include <cmath>
#include <span>

namespace lamina {

inline double mean(std::span<const double> samples) {
  double sum = 0;
  for (const double x : samples) sum += x;
  return samples.empty() ? 0 : sum / static_cast<double>(samples.size());
}

inline double standard_deviation(std::span<const double> samples) {
  if (samples.size() < 2) return 0;
  const double middle = mean(samples);
  double sum = 0;
  for (const double x : samples) sum += (x - middle) * (x - middle);
  return std::sqrt(sum / static_cast<double>(samples.size() - 1));
}

}  // namespace lamina
