// What is said of a measurement: means with their errors, quantiles, and the comparison of a model
// with a base.
//
// The formulas are llama-perplexity's (llama.cpp, tools/perplexity). The error of the mean of n
// values with population variance v is sqrt(v / (n - 1)); errors of functions of means are those
// of their linearisation, with covariances. Sums are taken over all values in their order, in
// double, the variance around the mean; so the same values give the same bits.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace lamina {

/// What was found at one position: in nats, of the model and, where there is one, of the base.
struct Measured {
  double nll = 0;         // -ln p(next token)
  double base_nll = 0;    // the same of the base
  double divergence = 0;  // KL(base || model) = sum of p_base ln(p_base / p)
  bool same_top = false;  // whether both find the same token likeliest

  bool operator==(const Measured&) const = default;
};

struct Estimate {
  double value = 0;
  double error = 0;  // one standard error; 0 where a single value tells of none
};

Estimate mean_of(std::span<const double> values);

/// The value below which the fraction `f` of `sorted` lies, interpolated between neighbours.
double quantile(std::span<const double> sorted, double f);

/// exp(mean nll).
Estimate perplexity_of(std::span<const Measured> measured);

struct Comparison {
  Estimate perplexity, base_perplexity;
  double correlation = 0;           // of ln PPL and ln PPL(base)
  Estimate log_ratio;               // ln(PPL / PPL(base))
  Estimate ratio;                   // PPL / PPL(base)
  Estimate difference;              // PPL - PPL(base)
  Estimate divergence;              // mean
  Estimate delta;                   // mean of p(next) - p_base(next)
  Estimate delta_rms;               // root of its mean square
  Estimate same_top;                // fraction
  std::vector<double> divergences;  // ascending
  std::vector<double> deltas;       // ascending
};

Comparison compare(std::span<const Measured> measured);

}  // namespace lamina
