// Streaming softmax: equal to two passes within the derived bound however chunks are cut or merged,
// and equal in every bit where the cuts are the same.
#include "lamina/attention/online.h"

#include "lamina/verify/bounds.h"
#include "lamina/verify/compare.h"
#include "lamina/verify/inputs.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

using namespace lamina;

BOOST_AUTO_TEST_SUITE(online)

static_assert(std::is_trivially_copyable_v<OnlineSoftmax<float>>);  // it lives in registers

namespace {

/// Scores, and one value for each.
template <class Real>
struct Keys {
  std::vector<Real> scores, values;

  std::size_t size() const { return scores.size(); }
};

template <class Real>
Keys<Real> random_keys(std::size_t n, double spread, std::uint64_t seed) {
  std::vector<float> scores(n), values(n);
  fill(scores, InputKind::normal, seed);
  fill(values, InputKind::normal, seed + 1'000'000);
  Keys<Real> keys;
  for (std::size_t i = 0; i < n; ++i) {
    keys.scores.push_back(static_cast<Real>(static_cast<double>(scores[i]) * spread));
    keys.values.push_back(static_cast<Real>(values[i]));
  }
  return keys;
}

template <class Real>
struct State {
  OnlineSoftmax<Real> softmax;
  Real mean = 0;

  /// Takes keys [first, end) as one chunk.
  void take(const Keys<Real>& keys, std::size_t first, std::size_t end) {
    Real top = -std::numeric_limits<Real>::infinity();
    for (std::size_t i = first; i < end; ++i) top = std::max(top, keys.scores[i]);
    mean *= softmax.rescale(top);
    for (std::size_t i = first; i < end; ++i) {
      const Real weight = softmax.weight(keys.scores[i]);
      softmax.sum += weight;
      mean += weight * keys.values[i];
    }
  }
  /// Takes what another state has taken: the same rule, with a state for a chunk.
  void merge(const State& other) {
    mean *= softmax.rescale(other.softmax.top);
    const Real weight = softmax.weight(other.softmax.top);
    softmax.sum += weight * other.softmax.sum;
    mean += weight * other.mean;
  }
  Real result() const { return mean * softmax.normalizer(); }
};

/// Cuts [0, n) at `cuts` (sorted) and streams the pieces.
template <class Real>
State<Real> stream(const Keys<Real>& keys, const std::vector<std::size_t>& cuts) {
  State<Real> state;
  std::size_t first = 0;
  for (const std::size_t cut : cuts) {
    state.take(keys, first, cut);
    first = cut;
  }
  state.take(keys, first, keys.size());
  return state;
}

std::vector<std::size_t> random_cuts(std::size_t n, std::size_t count, std::mt19937& random) {
  std::vector<std::size_t> cuts(count);
  for (std::size_t& cut : cuts) cut = random() % (n + 1);
  std::sort(cuts.begin(), cuts.end());
  return cuts;
}

/// Two passes in long double, and how far a stream with that many rescalings may be off.
template <class Real>
void check(const State<Real>& state, const Keys<Real>& keys, std::size_t rescalings,
           Rounding rounding) {
  const auto [least, most] = std::minmax_element(keys.scores.begin(), keys.scores.end());
  long double sum = 0, mean = 0, magnitude = 0, largest = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const long double weight = std::exp(static_cast<long double>(keys.scores[i]) - *most);
    const long double value = keys.values[i];
    sum += weight;
    mean += weight * value;
    magnitude += weight * std::fabs(value);
    largest = std::max(largest, std::fabs(value));
  }
  const SoftmaxTerms terms{.keys = static_cast<std::int64_t>(keys.size()),
                           .score_spread = static_cast<double>(*most) - static_cast<double>(*least),
                           .rescalings = static_cast<std::int64_t>(rescalings),
                           .flush = static_cast<double>(std::numeric_limits<Real>::min())};
  const ValueTerms values{static_cast<double>(magnitude / sum), static_cast<double>(largest)};
  const double result = static_cast<double>(state.result());
  BOOST_TEST(std::fabs(result - static_cast<double>(mean / sum)) <=
             attention_bound(terms, values, rounding));
  const auto log_sum = static_cast<double>(*most + std::log(sum));
  BOOST_TEST(std::fabs(static_cast<double>(state.softmax.log_sum()) - log_sum) <=
             log_sum_exp_bound(terms, log_sum, rounding));
  BOOST_TEST(state.softmax.top == *most);
}

template <class Real>
void check_random_cuts(Rounding rounding) {
  std::mt19937 random(1);
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const std::size_t n = 1 + random() % 300;
    const double spread = std::vector{0.1, 1.0, 10.0, 60.0}[seed % 4];
    const Keys<Real> keys = random_keys<Real>(n, spread, seed);
    const std::vector<std::size_t> cuts = random_cuts(n, random() % 12, random);
    BOOST_TEST_CONTEXT("seed " << seed << ", " << n << " keys, " << cuts.size() << " cuts") {
      check(stream(keys, cuts), keys, cuts.size() + 1, rounding);
    }
  }
}

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

BOOST_AUTO_TEST_CASE(streaming_equals_two_passes) {
  check_random_cuts<double>(float64_rounding);
  check_random_cuts<float>(float32_rounding);
}

BOOST_AUTO_TEST_CASE(key_by_key_in_rising_and_falling_order) {
  Keys<float> keys = random_keys<float>(100, 5, 7);
  std::vector<std::size_t> every;
  for (std::size_t i = 1; i < keys.size(); ++i) every.push_back(i);
  std::sort(keys.scores.begin(), keys.scores.end());
  check(stream(keys, every), keys, keys.size(), float32_rounding);
  std::reverse(keys.scores.begin(), keys.scores.end());
  check(stream(keys, every), keys, 0, float32_rounding);  // the first is the largest: no rescaling
}

BOOST_AUTO_TEST_CASE(parts_merge_to_the_whole) {
  std::mt19937 random(2);
  for (std::uint64_t seed = 100; seed < 130; ++seed) {
    const Keys<double> keys = random_keys<double>(1 + random() % 200, 8, seed);
    const std::vector<std::size_t> cuts = random_cuts(keys.size(), 3, random);
    std::vector<State<double>> parts(4);
    parts[0].take(keys, 0, cuts[0]);
    parts[1].take(keys, cuts[0], cuts[1]);
    parts[2].take(keys, cuts[1], cuts[2]);
    parts[3].take(keys, cuts[2], keys.size());
    BOOST_TEST_CONTEXT("seed " << seed) {
      State<double> in_order;
      for (const State<double>& part : parts) in_order.merge(part);
      check(in_order, keys, 8, float64_rounding);
      parts[0].merge(parts[1]);
      parts[2].merge(parts[3]);
      parts[2].merge(parts[0]);  // a tree, and the other way round
      check(parts[2], keys, 6, float64_rounding);
    }
  }
}

BOOST_AUTO_TEST_CASE(closed_forms) {
  OnlineSoftmax<double> softmax;
  BOOST_TEST(softmax.rescale(3.0) == 0.0);  // nothing was there to be kept
  softmax.sum += softmax.weight(3.0);
  BOOST_TEST(softmax.sum == 1.0);
  BOOST_TEST(softmax.log_sum() == 3.0);
  BOOST_TEST(softmax.rescale(2.0) == 1.0);  // smaller: the scale stays
  BOOST_TEST(softmax.weight(2.5) == std::exp(-0.5));
  BOOST_TEST(softmax.top == 3.0);
  softmax.sum += softmax.weight(3.0);
  BOOST_TEST(softmax.normalizer() == 0.5);
  BOOST_TEST(softmax.rescale(4.0) == std::exp(-1.0));
  BOOST_TEST(softmax.top == 4.0);
  BOOST_TEST(softmax.sum == 2 * std::exp(-1.0));
}

BOOST_AUTO_TEST_CASE(nothing_taken) {
  const OnlineSoftmax<float> softmax;
  BOOST_TEST(softmax.normalizer() == 0.0f);
  BOOST_TEST(static_cast<double>(softmax.log_sum()) == -infinity);
  State<double> state;
  state.take({}, 0, 0);
  state.merge(State<double>{});
  BOOST_TEST(state.result() == 0.0);
  BOOST_TEST(state.softmax.log_sum() == -infinity);
}

BOOST_AUTO_TEST_CASE(scores_of_minus_infinity_take_no_part) {
  const Keys<double> none{std::vector<double>(5, -infinity), std::vector<double>(5, 3.0)};
  State<double> state = stream(none, {2});
  BOOST_TEST(state.result() == 0.0);
  BOOST_TEST(state.softmax.log_sum() == -infinity);
  const Keys<double> keys = random_keys<double>(20, 3, 9);
  State<double> plain;
  plain.take(keys, 0, 20);
  state.take(keys, 0, 20);
  state.take(none, 0, 5);
  BOOST_TEST(state.result() == plain.result());
  BOOST_TEST(state.softmax.log_sum() == plain.softmax.log_sum());
}

BOOST_AUTO_TEST_CASE(a_nan_stays) {
  for (const std::size_t at : {0u, 3u, 9u}) {
    Keys<double> keys = random_keys<double>(10, 3, 10);
    keys.scores[at] = std::numeric_limits<double>::quiet_NaN();
    for (const std::vector<std::size_t>& cuts :
         {std::vector<std::size_t>{}, {1}, {4}, {3, 4}, {9}}) {
      State<double> state = stream(keys, cuts);
      BOOST_TEST(std::isnan(state.result()));
      BOOST_TEST(std::isnan(state.softmax.log_sum()));
      state.take(Keys<double>{{1e6}, {1}}, 0, 1);  // a rescaling to 0 does not wash it away
      BOOST_TEST(std::isnan(state.result()));
    }
  }
}

BOOST_AUTO_TEST_CASE(large_scores_do_not_overflow) {
  Keys<float> keys = random_keys<float>(50, 1e30, 11);
  const State<float> state = stream(keys, {10, 20, 30});
  const auto most = std::max_element(keys.scores.begin(), keys.scores.end());
  BOOST_TEST(state.result() == keys.values[static_cast<std::size_t>(most - keys.scores.begin())]);
  BOOST_TEST(state.softmax.log_sum() == *most);
}

// A query that sees n keys, once after all of them are there (prefill), once chunk by chunk as they
// come, once with what lies before its window given a score of -infinity: the same chunks in order.
BOOST_AUTO_TEST_CASE(the_same_absolute_chunks_give_the_same_bits) {
  constexpr std::size_t chunk = 16, first = 21;
  for (std::size_t n = first + 1; n < 100; ++n) {
    const Keys<float> keys = random_keys<float>(100, 4, n);
    Keys<float> masked = keys;
    std::fill_n(masked.scores.begin(), first, -std::numeric_limits<float>::infinity());
    State<float> window, whole;
    for (std::size_t start = 0; start < n; start += chunk) {
      whole.take(masked, start, std::min(n, start + chunk));
      if (start + chunk <= first) continue;
      window.take(keys, std::max(first, start), std::min(n, start + chunk));
    }
    BOOST_TEST(window.result() == whole.result());
    BOOST_TEST(window.softmax.sum == whole.softmax.sum);
    BOOST_TEST(window.softmax.top == whole.softmax.top);
  }
}

BOOST_AUTO_TEST_SUITE_END()
