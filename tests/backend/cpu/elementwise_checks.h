// What norms, rope, gates and sums by the kernels of every instruction set must fulfil: the
// definitions in ops/, within derived bounds.
#pragma once

#include "lamina/backend/cpu/elementwise.h"
#include "lamina/ops/rms_norm.h"
#include "lamina/verify/bounds.h"
#include "lamina/verify/compare.h"
#include "tests/backend/operands.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <string>

namespace lamina::test {

inline void check_norm_within_its_bound(const RowKernels& kernels, const std::string& isa) {
  for (const std::size_t n : {1u, 7u, 16u, 64u, 100u, 576u}) {
    const auto x = random_floats(n, 1, InputKind::outliers), weight = random_floats(n, 2);
    const float eps = 1e-6f;
    std::vector<float> got(n), reference(n);
    kernels.rms_norm(got.data(), x.data(), weight.data(), static_cast<std::int64_t>(n), eps);
    rms_norm(reference, x, weight, eps);
    double squares = 0;
    for (const float value : x) squares += static_cast<double>(value) * static_cast<double>(value);
    const double mean = squares / static_cast<double>(n) + static_cast<double>(eps);
    std::vector<double> expected(reference.begin(), reference.end()), bounds;
    for (const double value : expected) {
      // The reference is rounded once itself.
      bounds.push_back(rms_norm_bound({static_cast<std::int64_t>(n), mean, value}) +
                       ulp_bound(value, 0.5));
    }
    const Comparison result = compare(std::span<const float>(got), expected, bounds);
    BOOST_TEST(result.passed(), isa << ' ' << n << ": " << result.report());
  }
}

inline void check_rope_of_both_pairings(const RowKernels& kernels, const std::string& isa) {
  for (const RopePairing pairing : {RopePairing::halves, RopePairing::interleaved}) {
    const auto angles = random_floats(12, 3);
    std::vector<float> cosines, sines;
    for (const float angle : angles) {
      cosines.push_back(std::cos(angle));
      sines.push_back(std::sin(angle));
    }
    const auto head = random_floats(30, 4);  // 24 turn, 6 pass
    std::vector<float> got(head), reference(head);
    kernels.rope(got.data(), cosines.data(), sines.data(), 12, pairing);
    rope(reference, cosines, sines, pairing);
    BOOST_TEST(same_bits(std::span(got).subspan(24), std::span(head).subspan(24)));
    for (std::size_t i = 0; i < 24; ++i) {
      const double error =
          std::fabs(static_cast<double>(got[i]) - static_cast<double>(reference[i]));
      BOOST_TEST(error <= rope_bound(10.0), isa);  // no pair of normal inputs is longer
    }
  }
}

inline void check_gates_within_their_bounds(const RowKernels& kernels, const std::string& isa) {
  const auto gates = random_floats(501, 5, InputKind::outliers), ups = random_floats(501, 6);
  const auto check = [&]<Activation A>() {
    std::vector<float> got(gates);
    kernels.gate<A>(got.data(), ups.data(), static_cast<std::int64_t>(got.size()));
    for (std::size_t i = 0; i < got.size(); ++i) {
      const double gate = static_cast<double>(gates[i]), up = static_cast<double>(ups[i]);
      const double expected = activate<A>(gate) * up;
      const double error = A == Activation::silu ? silu_bound(gate) : gelu_tanh_bound(gate);
      const double bound = store_bound(expected, error * std::fabs(up), float32_rounding);
      BOOST_TEST(std::fabs(static_cast<double>(got[i]) - expected) <= bound,
                 isa << ' ' << gate << " * " << up);
    }
  };
  check.operator()<Activation::silu>();
  check.operator()<Activation::gelu_tanh>();
}

inline void check_sums_of_rows(const RowKernels& kernels, const std::string& isa) {
  for (const std::size_t n : {1u, 16u, 37u}) {
    const auto x = random_floats(n, 7), y = random_floats(n, 8);
    std::vector<float> got(y);
    kernels.add(got.data(), x.data(), static_cast<std::int64_t>(n));
    for (std::size_t i = 0; i < n; ++i) BOOST_TEST(got[i] == y[i] + x[i], isa);
  }
}

/// Where exp overflows or vanishes, gates have the values of their definitions.
inline void check_gates_at_extremes(const RowKernels& kernels, const std::string& isa) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float gates[] = {-infinity, -3e38f, -200.0f, -0.0f, 0.0f, 200.0f, 3e38f, infinity, nan};
  constexpr std::size_t count = std::size(gates);
  const std::vector<float> ups(count, 1.0f);
  for (const bool gelu : {false, true}) {
    std::vector<float> y(std::begin(gates), std::end(gates));
    (gelu ? kernels.gelu_tanh : kernels.silu)(y.data(), ups.data(), count);
    BOOST_TEST(std::isnan(y[0]), isa);
    for (std::size_t i = 1; i < 5; ++i) BOOST_TEST(y[i] == 0.0f, isa << ' ' << gates[i]);
    for (std::size_t i = 5; i < 8; ++i) BOOST_TEST(y[i] == gates[i], isa << ' ' << gates[i]);
    BOOST_TEST(std::isnan(y[8]), isa);
  }
}

inline void check_rows(const RowKernels& kernels, const std::string& isa) {
  check_norm_within_its_bound(kernels, isa);
  check_rope_of_both_pairings(kernels, isa);
  check_gates_within_their_bounds(kernels, isa);
  check_sums_of_rows(kernels, isa);
  check_gates_at_extremes(kernels, isa);
}

}  // namespace lamina::test
