// The bounds of softmax, attention and log-sum-exp hold for two-pass and streaming float32 kernels,
// not for broken ones.
#include "lamina/core/float16.h"
#include "lamina/verify/bounds.h"
#include "lamina/verify/compare.h"
#include "lamina/verify/inputs.h"

#include <boost/test/unit_test.hpp>

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

struct AttentionCase {
  std::size_t keys = 0;
  std::size_t width = 0;
  std::vector<float> q, k, v;  // [width], [keys, width], [keys, width]
};

AttentionCase attention_case(InputKind kind, std::size_t keys, std::size_t width) {
  return {keys, width, input(kind, 20, width), input(kind, 21, keys * width),
          input(kind, 22, keys * width)};
}

template <class Real>
std::vector<Real> scores(const AttentionCase& c) {
  const Real scale = Real{1} / std::sqrt(static_cast<Real>(c.width));
  std::vector<Real> s(c.keys);
  for (std::size_t j = 0; j < c.keys; ++j) {
    Real sum = 0;
    for (std::size_t d = 0; d < c.width; ++d) {
      sum += static_cast<Real>(c.q[d]) * static_cast<Real>(c.k[j * c.width + d]);
    }
    s[j] = sum * scale;
  }
  return s;
}

struct AttentionExact {
  std::vector<double> p, output, bound;
  SoftmaxTerms terms;
  double log_sum_exp = 0;
};

AttentionExact exact_attention(const AttentionCase& c, std::int64_t rescalings) {
  const auto s = scores<double>(c);
  const double max = *std::max_element(s.begin(), s.end());
  const double min = *std::min_element(s.begin(), s.end());
  AttentionExact exact;
  exact.terms = {.keys = static_cast<std::int64_t>(c.keys),
                 .score_spread = max - min,
                 .rescalings = rescalings};
  double sum = 0;
  for (std::size_t j = 0; j < c.keys; ++j) {
    double magnitude = 0;
    for (std::size_t d = 0; d < c.width; ++d) {
      magnitude +=
          std::fabs(static_cast<double>(c.q[d]) * static_cast<double>(c.k[j * c.width + d]));
    }
    magnitude /= std::sqrt(static_cast<double>(c.width));
    const double error = score_bound(static_cast<std::int64_t>(c.width), magnitude);
    exact.terms.score_error = std::max(exact.terms.score_error, error);
    exact.p.push_back(std::exp(s[j] - max));
    sum += exact.p.back();
  }
  for (double& p : exact.p) p /= sum;
  exact.log_sum_exp = max + std::log(sum);
  for (std::size_t d = 0; d < c.width; ++d) {
    double output = 0;
    ValueTerms values;
    for (std::size_t j = 0; j < c.keys; ++j) {
      const double v = static_cast<double>(c.v[j * c.width + d]);
      output += exact.p[j] * v;
      values.magnitude += exact.p[j] * std::fabs(v);
      values.largest = std::max(values.largest, std::fabs(v));
    }
    exact.output.push_back(output);
    exact.bound.push_back(attention_bound(exact.terms, values));
  }
  return exact;
}

struct Streamed {
  std::vector<float> output;
  float log_sum_exp = 0;
};

// Softmax over tiles in float32; one tile of all keys is the two-pass form.
Streamed streamed_attention(const AttentionCase& c, std::size_t tile, bool rescale = true) {
  const auto s = scores<float>(c);
  std::vector<float> output(c.width);
  float max = -std::numeric_limits<float>::infinity();
  float sum = 0;
  for (std::size_t first = 0; first < c.keys; first += tile) {
    const std::size_t last = std::min(first + tile, c.keys);
    float moved = max;
    for (std::size_t j = first; j < last; ++j) moved = std::max(moved, s[j]);
    const float factor = rescale ? std::exp(max - moved) : 1.0f;
    sum *= factor;
    for (float& y : output) y *= factor;
    max = moved;
    for (std::size_t j = first; j < last; ++j) {
      const float w = std::exp(s[j] - max);
      sum += w;
      for (std::size_t d = 0; d < c.width; ++d) output[d] += w * c.v[j * c.width + d];
    }
  }
  for (float& y : output) y /= sum;
  return {output, max + std::log(sum)};
}

// Outliers by outliers of one channel are scores of 10^6, known to no useful accuracy in float32.
constexpr InputKind attention_kinds[] = {InputKind::normal, InputKind::cancelling,
                                         InputKind::constant, InputKind::subnormal};

}  // namespace

BOOST_AUTO_TEST_SUITE(bounds)

BOOST_AUTO_TEST_CASE(two_pass_and_streaming_attention_stay_within_the_bound) {
  for (const InputKind kind : attention_kinds) {
    for (const std::size_t keys : {1u, 5u, 64u, 1000u}) {
      for (const std::size_t tile : {1u, 16u, 1000u}) {
        const AttentionCase c = attention_case(kind, keys, 32);
        const auto tiles = static_cast<std::int64_t>((keys + tile - 1) / tile);
        const AttentionExact exact = exact_attention(c, tiles);
        const Streamed got = streamed_attention(c, tile);
        const std::string label = std::string(name(kind)) + " keys " + std::to_string(keys) +
                                  " tile " + std::to_string(tile);
        const auto result = compare(got.output, exact.output, exact.bound);
        BOOST_TEST(result.passed(), result.report("attention " + label));
        const float lse[] = {got.log_sum_exp};
        const auto sums = compare(lse, std::vector{exact.log_sum_exp},
                                  log_sum_exp_bound(exact.terms, exact.log_sum_exp));
        BOOST_TEST(sums.passed(), sums.report("log-sum-exp " + label));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_missing_rescale_and_a_window_off_by_one_exceed_the_attention_bound) {
  const AttentionCase c = attention_case(InputKind::normal, 256, 32);
  const AttentionExact exact = exact_attention(c, 16);
  BOOST_TEST(!compare(streamed_attention(c, 16, false).output, exact.output, exact.bound).passed());
  AttentionCase shorter = c;
  shorter.keys = 255;
  BOOST_TEST(!compare(streamed_attention(shorter, 16).output, exact.output, exact.bound).passed());
}

BOOST_AUTO_TEST_CASE(softmax_stays_within_its_bound_where_weights_vanish) {
  // Scores from 0 down to -120: the last weights are below the smallest normal float.
  std::vector<float> s(121);
  for (std::size_t j = 0; j < s.size(); ++j) s[j] = -static_cast<float>(j);
  const SoftmaxTerms terms{.keys = 121, .score_spread = 120};
  double sum = 0;
  float float_sum = 0;
  for (const float x : s) sum += std::exp(static_cast<double>(x));
  for (const float x : s) float_sum += std::exp(x);
  std::vector<double> expected, bound;
  std::vector<float> got, flushed;
  for (const float x : s) {
    expected.push_back(std::exp(static_cast<double>(x)) / sum);
    bound.push_back(softmax_bound(terms, expected.back()));
    got.push_back(std::exp(x) / float_sum);
    flushed.push_back(got.back() < 0x1p-126f ? 0.0f : got.back());
  }
  BOOST_TEST(compare(got, expected, bound).passed(), compare(got, expected, bound).report());
  BOOST_TEST(compare(flushed, expected, bound).passed());
  got[3] *= 1.001f;
  BOOST_TEST(!compare(got, expected, bound).passed());
}

BOOST_AUTO_TEST_CASE(scores_known_too_badly_are_refused) {
  BOOST_CHECK_THROW(softmax_bound({.keys = 2, .score_error = 1}, 0.5), Error);
}

BOOST_AUTO_TEST_CASE(weights_rounded_to_bfloat16_need_and_get_their_own_term) {
  const AttentionCase c = attention_case(InputKind::constant, 64, 32);
  const auto s = scores<float>(c);
  AttentionExact exact = exact_attention(c, 0);
  float sum = 0;
  std::vector<float> output(c.width);
  const float max =
      *std::max_element(s.begin(), s.end()) + 0.3f;  // weights below 1, so that they round
  for (std::size_t j = 0; j < c.keys; ++j) {
    const float w = std::exp(s[j] - max);
    sum += w;
    for (std::size_t d = 0; d < c.width; ++d) {
      output[d] += to_float(to_bfloat16(w)) * c.v[j * c.width + d];
    }
  }
  for (float& y : output) y /= sum;
  BOOST_TEST(!compare(output, exact.output, exact.bound).passed());
  exact.terms.weight_unit = bfloat16_rounding.unit;
  const double v = std::fabs(static_cast<double>(c.v[0]));
  const double wider = attention_bound(exact.terms, {.magnitude = v, .largest = v});
  BOOST_TEST(compare(output, exact.output, wider).passed());
}

BOOST_AUTO_TEST_SUITE_END()
