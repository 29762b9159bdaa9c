// Float norms, rope, gates and dot products against the definitions in ops/, within derived bounds.
#include "lamina/backend/cpu/elementwise.h"

#include "lamina/ops/rms_norm.h"
#include "lamina/verify/bounds.h"
#include "lamina/verify/compare.h"
#include "tests/backend/operands.h"

#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace lamina;
using namespace lamina::test;

BOOST_AUTO_TEST_SUITE(elementwise)

BOOST_AUTO_TEST_CASE(dot_of_every_length_and_kind) {
  for (const InputKind kind : input_kinds) {
    for (std::size_t n = 0; n < 70; ++n) {
      const auto x = random_floats(n, n, kind), y = random_floats(n, n + 100, kind);
      double sum = 0, magnitude = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const double product = static_cast<double>(x[i]) * static_cast<double>(y[i]);
        sum += product;
        magnitude += std::fabs(product);
      }
      const double error = std::fabs(static_cast<double>(dot_lanes(x.data(), y.data(), n)) - sum);
      BOOST_TEST(error <= dot_bound(static_cast<std::int64_t>(n), magnitude), name(kind)
                                                                                  << ' ' << n);
    }
  }
}

BOOST_AUTO_TEST_CASE(norm_within_its_bound) {
  for (const std::size_t n : {1u, 7u, 64u, 576u}) {
    const auto x = random_floats(n, 1, InputKind::outliers), weight = random_floats(n, 2);
    const float eps = 1e-6f;
    std::vector<float> got(n), reference(n);
    rms_norm_cpu(got.data(), x.data(), weight, eps);
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
    BOOST_TEST(result.passed(), result.report());
  }
}

BOOST_AUTO_TEST_CASE(rope_of_both_pairings) {
  for (const RopePairing pairing : {RopePairing::halves, RopePairing::interleaved}) {
    const auto angles = random_floats(12, 3);
    std::vector<float> cosines, sines;
    for (const float angle : angles) {
      cosines.push_back(std::cos(angle));
      sines.push_back(std::sin(angle));
    }
    const auto head = random_floats(30, 4);  // 24 turn, 6 pass
    std::vector<float> got(head), reference(head);
    rope_cpu(got.data(), cosines, sines, pairing);
    rope(reference, cosines, sines, pairing);
    BOOST_TEST(same_bits(std::span(got).subspan(24), std::span(head).subspan(24)));
    for (std::size_t i = 0; i < 24; ++i) {
      const double error =
          std::fabs(static_cast<double>(got[i]) - static_cast<double>(reference[i]));
      BOOST_TEST(error <= rope_bound(10.0));  // no pair of normal inputs is longer
    }
  }
}

BOOST_AUTO_TEST_CASE(gates_within_their_bounds) {
  const auto gates = random_floats(500, 5, InputKind::outliers), ups = random_floats(500, 6);
  const auto check = [&]<Activation A>() {
    std::vector<float> got(gates);
    gate_cpu<A>(got.data(), ups.data(), got.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      const double gate = static_cast<double>(gates[i]), up = static_cast<double>(ups[i]);
      const double expected = activate<A>(gate) * up;
      const double error = A == Activation::silu ? silu_bound(gate) : gelu_tanh_bound(gate);
      const double bound = store_bound(expected, error * std::fabs(up), float32_rounding);
      BOOST_TEST(std::fabs(static_cast<double>(got[i]) - expected) <= bound, gate << " * " << up);
    }
  };
  check.operator()<Activation::silu>();
  check.operator()<Activation::gelu_tanh>();
}

BOOST_AUTO_TEST_SUITE_END()
