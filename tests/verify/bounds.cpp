// The bounds hold for correct float32 computations of every kind of input, and are not far from
// attained.
#include "lamina/verify/bounds.h"

#include "lamina/core/float16.h"
#include "lamina/verify/compare.h"
#include "lamina/verify/inputs.h"

#include <boost/test/unit_test.hpp>

#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace {

using namespace lamina;

std::vector<float> input(InputKind kind, std::uint64_t seed, std::size_t n) {
  std::vector<float> x(n);
  fill(x, kind, seed);
  return x;
}

float forward_dot(const std::vector<float>& a, const std::vector<float>& b) {
  float sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

float backward_dot(const std::vector<float>& a, const std::vector<float>& b) {
  float sum = 0;
  for (std::size_t i = a.size(); i-- > 0;) sum += a[i] * b[i];
  return sum;
}

float fused_dot(const std::vector<float>& a, const std::vector<float>& b) {
  float sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum = std::fma(a[i], b[i], sum);
  return sum;
}

float lanes_dot(const std::vector<float>& a, const std::vector<float>& b) {
  float lanes[8] = {};
  for (std::size_t i = 0; i < a.size(); ++i) lanes[i % 8] += a[i] * b[i];
  return ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) +
         ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7]));
}

float pairwise_dot(const std::vector<float>& a, const std::vector<float>& b) {
  const std::function<float(std::size_t, std::size_t)> part = [&](std::size_t first,
                                                                  std::size_t last) {
    if (last - first == 1) return a[first] * b[first];
    const std::size_t middle = first + (last - first) / 2;
    return part(first, middle) + part(middle, last);
  };
  return part(0, a.size());
}

struct Exact {
  double value;
  double magnitude;
};

// Products of floats are exact in double; the sum is carried in long double, so that its error is
// nothing here.
Exact exact_dot(const std::vector<float>& a, const std::vector<float>& b) {
  long double sum = 0;
  long double magnitude = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double product = static_cast<double>(a[i]) * static_cast<double>(b[i]);
    sum += static_cast<long double>(product);
    magnitude += static_cast<long double>(std::fabs(product));
  }
  return {static_cast<double>(sum), static_cast<double>(magnitude)};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bounds)

BOOST_AUTO_TEST_CASE(gamma_is_the_closed_form_and_refuses_what_it_cannot_bound) {
  BOOST_TEST(gamma(0, 0x1p-24) == 0.0);
  BOOST_TEST(gamma(1, 0.5) == 1.0);
  BOOST_TEST(gamma(1 << 22, 0x1p-24) == 0.25 / 0.75);
  BOOST_CHECK_THROW(gamma(1 << 24, 0x1p-24), Error);
  BOOST_CHECK_THROW(gamma(-1, 0x1p-24), Error);
  BOOST_CHECK_THROW(gamma(1, std::numeric_limits<double>::quiet_NaN()), Error);
  // sqrt(n) instead of n, to first order.
  BOOST_TEST(likely_gamma(10000, 0x1p-24, 5) < gamma(10000, 0x1p-24) / 19);
  BOOST_TEST(likely_gamma(10000, 0x1p-24, 5) > gamma(10000, 0x1p-24) / 21);
}

BOOST_AUTO_TEST_CASE(ulp_is_the_distance_to_the_next_number) {
  for (const float x : {1.0f, 1.5f, 3.9f, 1e-38f, 1e-45f, 0x1p-126f, 1e30f, 0.1f}) {
    const float next = std::nextafter(x, std::numeric_limits<float>::infinity());
    BOOST_TEST(ulp(static_cast<double>(x)) == static_cast<double>(next) - static_cast<double>(x));
  }
  BOOST_TEST(ulp(0.0) == 0x1p-149);
  BOOST_TEST(ulp(-2.0, float16_rounding) == 0x1p-9);
  BOOST_TEST(ulp(1e-9, float16_rounding) == 0x1p-24);
  BOOST_TEST(ulp(1.0, bfloat16_rounding) == 0x1p-7);
  BOOST_TEST(ulp(1.0, float64_rounding) == std::numeric_limits<double>::epsilon());
  BOOST_TEST(ulp_bound(1.0, 2) == 0x1p-22);
}

BOOST_AUTO_TEST_CASE(a_store_stays_within_its_bound_and_attains_it) {
  double worst16 = 0;
  double worst_b16 = 0;
  for (const InputKind kind : input_kinds) {
    for (std::uint64_t i = 0; i < 4000; ++i) {
      const float x = input_element({.kind = kind, .seed = 3}, i);
      const double exact = static_cast<double>(x);
      const double half = static_cast<double>(to_float(to_float16(x)));
      const double brain = static_cast<double>(to_float(to_bfloat16(x)));
      worst16 =
          std::max(worst16, std::fabs(half - exact) / store_bound(exact, 0, float16_rounding));
      worst_b16 =
          std::max(worst_b16, std::fabs(brain - exact) / store_bound(exact, 0, bfloat16_rounding));
    }
  }
  BOOST_TEST(worst16 <= 1.0);
  BOOST_TEST(worst16 > 0.9);
  BOOST_TEST(worst_b16 <= 1.0);
  BOOST_TEST(worst_b16 > 0.9);
}

BOOST_AUTO_TEST_CASE(correct_dot_products_never_exceed_the_bound) {
  const std::pair<const char*, float (*)(const std::vector<float>&, const std::vector<float>&)>
      orders[] = {{"forward", forward_dot},
                  {"backward", backward_dot},
                  {"fused", fused_dot},
                  {"lanes", lanes_dot},
                  {"pairwise", pairwise_dot}};
  for (const InputKind left : input_kinds) {
    for (const InputKind right : input_kinds) {
      for (const std::size_t n : {1u, 2u, 7u, 64u, 1000u, 4097u}) {
        const auto a = input(left, 10, n);
        const auto b = input(right, 11, n);
        const Exact exact = exact_dot(a, b);
        const double bound = dot_bound(static_cast<std::int64_t>(n), exact.magnitude);
        for (const auto& [order, dot] : orders) {
          const float got[] = {dot(a, b)};
          const auto result = compare(got, std::vector{exact.value}, bound);
          BOOST_TEST(result.passed(),
                     result.report(std::string(order) + " " + std::string(name(left)) + " x " +
                                   std::string(name(right)) + " n " + std::to_string(n)));
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(small_integers_are_exact_in_every_order) {
  const auto a = input(InputKind::small_integers, 1, 5000);
  const auto b = input(InputKind::small_integers, 2, 5000);
  const auto exact = static_cast<float>(exact_dot(a, b).value);
  for (const float got : {forward_dot(a, b), backward_dot(a, b), fused_dot(a, b), lanes_dot(a, b),
                          pairwise_dot(a, b)}) {
    BOOST_TEST(got == exact);
  }
}

BOOST_AUTO_TEST_CASE(the_dot_bound_is_attained) {
  // 1 + 2^-24 is a tie and rounds to 1, so that each of the small terms is lost.
  std::vector<float> a(1000, 0x1p-24f);
  a[0] = 1;
  const std::vector<float> ones(1000, 1);
  const Exact exact = exact_dot(a, ones);
  const float got[] = {forward_dot(a, ones)};
  const auto result = compare(got, std::vector{exact.value}, dot_bound(1000, exact.magnitude));
  BOOST_TEST(result.passed(), result.report());
  BOOST_TEST(result.worst_ratio > 0.99);
}

BOOST_AUTO_TEST_CASE(the_likely_bound_holds_and_finds_a_lost_term_that_the_worst_case_hides) {
  int found = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    auto a = input(InputKind::normal, 2 * seed, 4096);
    const auto b = input(InputKind::normal, 2 * seed + 1, 4096);
    const Exact exact = exact_dot(a, b);
    const auto error = [&] {
      return std::fabs(static_cast<double>(forward_dot(a, b)) - exact.value);
    };
    const double bound = likely_dot_bound(4096, exact.magnitude, 4);
    BOOST_TEST(error() <= bound);
    const float lost = std::fabs(a[4095] * b[4095]);
    if (lost < 0.2f || lost > 0.5f) continue;
    a[4095] = 0;
    BOOST_TEST(error() > bound);
    BOOST_TEST(error() <= dot_bound(4096, exact.magnitude));
    ++found;
  }
  BOOST_TEST(found >= 10);
}

// Norms and elementwise functions.

BOOST_AUTO_TEST_CASE(rms_norm_stays_within_its_bound) {
  const float eps = 1e-6f;
  for (const InputKind kind : input_kinds) {
    for (const std::size_t n : {1u, 8u, 64u, 1000u}) {
      const auto x = input(kind, 30, n);
      const auto w = input(InputKind::normal, 31, n);
      float sum = 0;
      double exact_sum = 0;
      for (const float xi : x) sum += xi * xi;
      for (const float xi : x) exact_sum += static_cast<double>(xi) * static_cast<double>(xi);
      const float factor = 1 / std::sqrt(sum / static_cast<float>(n) + eps);
      const double mean_square = exact_sum / static_cast<double>(n) + static_cast<double>(eps);
      std::vector<float> got, wrong;
      std::vector<double> expected, bound;
      const float wrong_factor = 1 / std::sqrt(sum / (static_cast<float>(n) + 0.001f) + eps);
      for (std::size_t i = 0; i < n; ++i) {
        got.push_back(x[i] * factor * w[i]);
        wrong.push_back(x[i] * wrong_factor * w[i]);
        expected.push_back(static_cast<double>(x[i]) * static_cast<double>(w[i]) /
                           std::sqrt(mean_square));
        bound.push_back(rms_norm_bound({.width = static_cast<std::int64_t>(n),
                                        .mean_square = mean_square,
                                        .result = expected.back()}));
      }
      const auto result = compare(got, expected, bound);
      BOOST_TEST(result.passed(), result.report(std::string(name(kind)) + std::to_string(n)));
      if (n == 8 && kind == InputKind::normal) {
        BOOST_TEST(!compare(wrong, expected, bound).passed());
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(rope_stays_within_its_bound) {
  std::vector<float> got, wrong;
  std::vector<double> expected, bound;
  for (int i = 0; i < 2000; ++i) {
    const auto at = static_cast<std::uint64_t>(2 * i);
    const float x0 = input_element({.kind = InputKind::outliers, .seed = 40}, at);
    const float x1 = input_element({.kind = InputKind::outliers, .seed = 40}, at + 1);
    const double angle = 0.37 * i;
    const auto c = static_cast<float>(std::cos(angle));
    const auto s = static_cast<float>(std::sin(angle));
    got.push_back(x0 * c - x1 * s);
    wrong.push_back(x0 * c + x1 * s);
    expected.push_back(static_cast<double>(x0) * std::cos(angle) -
                       static_cast<double>(x1) * std::sin(angle));
    bound.push_back(rope_bound(std::hypot(static_cast<double>(x0), static_cast<double>(x1))));
  }
  const auto result = compare(got, expected, bound);
  BOOST_TEST(result.passed(), result.report("rope"));
  BOOST_TEST(!compare(wrong, expected, bound).passed());
  // An angle computed in float32 needs its error stated.
  BOOST_TEST(rope_bound(2, 1e-3) > 2e-3);
  BOOST_TEST(rope_bound(2, 1e-3) < 2.001e-3);
}

BOOST_AUTO_TEST_CASE(activations_stay_within_their_bounds) {
  std::vector<float> silu, gelu, gelu_of_exp, cut;
  std::vector<double> silu_exact, gelu_exact, silu_bounds, gelu_bounds;
  for (int i = -24000; i <= 24000; ++i) {
    const float x = static_cast<float>(i) / 200.0f;  // -120 ... 120
    const double wide = static_cast<double>(x);
    silu.push_back(x / (1 + std::exp(-x)));
    silu_exact.push_back(wide / (1 + std::exp(-wide)));
    silu_bounds.push_back(silu_bound(wide));
    const float z = 0.7978845608f * x * (1 + 0.044715f * x * x);
    gelu.push_back(0.5f * x * (1 + std::tanh(z)));
    gelu_of_exp.push_back(0.5f * x * (2 - 2 / (std::exp(2 * z) + 1)));
    cut.push_back(x < -3 ? 0.0f : gelu.back());
    const double z_wide = std::sqrt(2 / std::acos(-1.0)) * (wide + 0.044715 * wide * wide * wide);
    // 1 + tanh(z) = 2 / (1 + exp(-2 z)), free of cancellation
    gelu_exact.push_back(wide / (1 + std::exp(-2 * z_wide)));
    gelu_bounds.push_back(gelu_tanh_bound(wide));
  }
  const auto silu_result = compare(silu, silu_exact, silu_bounds);
  BOOST_TEST(silu_result.passed(), silu_result.report("silu"));
  BOOST_TEST(silu_result.worst_ratio > 0.2);
  const auto gelu_result = compare(gelu, gelu_exact, gelu_bounds);
  BOOST_TEST(gelu_result.passed(), gelu_result.report("gelu"));
  BOOST_TEST(gelu_result.worst_ratio > 0.1);
  BOOST_TEST(compare(gelu_of_exp, gelu_exact, gelu_bounds).passed());
  BOOST_TEST(!compare(cut, gelu_exact, gelu_bounds).passed());
  silu[24100] *= 1.00001f;
  BOOST_TEST(!compare(silu, silu_exact, silu_bounds).passed());
}

BOOST_AUTO_TEST_CASE(a_soft_cap_passes_on_the_error_of_its_score) {
  std::vector<float> got, off;
  std::vector<double> expected, bound;
  for (int i = -2000; i <= 2000; ++i) {
    const float s = static_cast<float>(i) / 7.0f;
    got.push_back(30 * std::tanh(s / 30));
    off.push_back(30 * std::tanh((s + 0.01f) / 30));
    expected.push_back(30 * std::tanh(static_cast<double>(s) / 30));
    bound.push_back(softcap_bound({.cap = 30, .score = static_cast<double>(s)}));
  }
  BOOST_TEST(compare(got, expected, bound).passed(), compare(got, expected, bound).report());
  BOOST_TEST(!compare(off, expected, bound).passed());
  const auto with_error = [&](std::size_t i) { return bound[i] + 0.0101; };
  BOOST_TEST(compare(off, expected, with_error).passed());
  const double wide = softcap_bound({.cap = 30, .score = 3, .score_error = 0.01});
  BOOST_TEST(wide > 0.01);
  BOOST_TEST(wide < 0.0101);
}

BOOST_AUTO_TEST_SUITE_END()
