// Greedy by definition; Categorical by closed forms, by its distribution (G-test), and by what it
// must not depend on.
#include "lamina/sample/pick.h"

#include "lamina/sample/temperature.h"
#include "lamina/sample/top_k.h"
#include "sample/brute_force.h"

#include <boost/math/distributions/chi_squared.hpp>

#include <numeric>

namespace {

using namespace lamina;
using namespace lamina::test;

/// All distribution tests of this file together fail a correct sampler with at most this
/// probability.
constexpr double family_error = 1e-6;
constexpr int family_size = 8;

/// The probability of deviating at least so far, by the G statistic 2 sum O ln(O / E); 0 if a token
/// without probability was drawn.
double g_test(const std::vector<int>& drawn, const std::vector<double>& p) {
  const int n = std::accumulate(drawn.begin(), drawn.end(), 0);
  double g = 0;
  int bins = 0;
  double rare_drawn = 0;
  double rare_expected = 0;
  const auto add = [&](double observed, double expected) {
    if (observed > 0) g += 2 * observed * std::log(observed / expected);
    ++bins;
  };
  for (std::size_t t = 0; t < p.size(); ++t) {
    if (p[t] == 0 && drawn[t] > 0) return 0;
    if (p[t] * n >= 10) {
      add(drawn[t], p[t] * n);
    } else {  // tokens too rare for the approximation share a bin
      rare_drawn += drawn[t];
      rare_expected += p[t] * n;
    }
  }
  if (rare_expected >= 10) add(rare_drawn, rare_expected);
  if (bins < 2) return 1;
  return boost::math::cdf(boost::math::complement(boost::math::chi_squared(bins - 1), g));
}

std::vector<int> draws(const std::vector<float>& logits, std::uint64_t seed, int n) {
  std::vector<int> counts(logits.size());
  const Candidates fresh{logits};
  for (Position position = 0; position < n; ++position) {
    Candidates candidates = fresh;
    ++counts[static_cast<std::size_t>(Categorical{seed}.pick(candidates, position))];
  }
  return counts;
}

std::vector<double> softmax(const std::vector<float>& logits) {
  std::vector<double> p;
  double sum = 0;
  for (const float logit : logits) sum += std::exp(static_cast<double>(logit));
  for (const float logit : logits) p.push_back(std::exp(static_cast<double>(logit)) / sum);
  return p;
}

Token pick_at(const std::vector<float>& logits, std::uint64_t seed, Position position) {
  Candidates candidates{logits};
  return Categorical{seed}.pick(candidates, position);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(pick)

BOOST_AUTO_TEST_CASE(greedy_takes_the_highest_logit_and_of_equals_the_lowest_token) {
  const std::vector<float> logits{1, 7, 3, 7, not_a_number, -infinity};
  Candidates candidates{logits};
  BOOST_TEST(Greedy{}.pick(candidates, 0) == 1);
  candidates.sort_by_logit();
  BOOST_TEST(Greedy{}.pick(candidates, 0) == 1);
  for (unsigned seed = 0; seed < 20; ++seed) {
    BOOST_TEST(Greedy{}.pick(shuffled(candidates, seed), 0) == 1);
  }
  BOOST_TEST(Greedy{}.pick(Candidates{std::vector<float>{infinity, infinity, 1}}, 5) == 0);
  for (unsigned seed = 0; seed < 20; ++seed) {
    const auto random = random_logits(1000, seed);
    BOOST_TEST(Greedy{}.pick(Candidates{random}, 0) == ranked(random)[0].token);
  }
}

BOOST_AUTO_TEST_CASE(where_no_candidate_is_left_both_refuse) {
  Candidates empty{std::vector<Candidate>{}};
  BOOST_CHECK_THROW(Greedy{}.pick(empty, 0), Error);
  BOOST_CHECK_THROW(Categorical{1}.pick(empty, 0), Error);
}

BOOST_AUTO_TEST_CASE(a_draw_is_the_inverse_of_the_cumulative_sum_over_ascending_tokens) {
  const auto logits = random_logits(50, 3);
  const auto p = softmax(logits);
  for (Position position = 0; position < 2000; ++position) {
    const double u = uniform_double(
        philox(RandomAddress{.seed = 11, .position = static_cast<std::uint64_t>(position)}));
    double sum = 0;
    std::size_t t = 0;
    while ((sum += p[t]) <= u) ++t;
    BOOST_TEST(pick_at(logits, 11, position) == static_cast<Token>(t));
  }
}

BOOST_AUTO_TEST_CASE(draws_have_the_distribution_of_the_softmax) {
  const double level = family_error / family_size;
  const std::vector<std::vector<float>> cases{
      {0, 0}, {0, 1, 2, 3}, {5, -5, 0}, std::vector<float>(100, 2), random_logits(200, 4)};
  std::uint64_t seed = 100;
  for (const auto& logits : cases) {
    BOOST_TEST(g_test(draws(logits, seed++, 50000), softmax(logits)) > level);
  }
}

BOOST_AUTO_TEST_CASE(the_test_itself_sees_a_wrong_distribution) {
  // One percent of one token's probability given to another: seen.
  auto p = softmax({0, 0, 0, 0});
  p[0] += 0.01;
  p[1] -= 0.01;
  BOOST_TEST(g_test(draws({0, 0, 0, 0}, 7, 200000), p) < family_error);
  BOOST_TEST(g_test({10, 90}, {0, 1}) == 0.0);
}

BOOST_AUTO_TEST_CASE(draws_after_a_chain_have_the_distribution_of_what_it_left) {
  const auto logits = random_logits(100, 6);
  std::vector<int> counts(100);
  for (Position position = 0; position < 100000; ++position) {
    Candidates candidates{logits};
    TopK{10}.apply(candidates);
    Temperature{2}.apply(candidates);
    ++counts[static_cast<std::size_t>(Categorical{3}.pick(candidates, position))];
  }
  std::vector<float> halved(100, -infinity);
  for (const Candidate& c : first(ranked(logits), 10)) {
    halved[static_cast<std::size_t>(c.token)] = c.logit / 2;
  }
  BOOST_TEST(g_test(counts, softmax(halved)) > family_error / family_size);
}

BOOST_AUTO_TEST_CASE(consecutive_positions_and_seeds_are_independent) {
  // Pairs of draws of two tokens: four equally probable outcomes.
  const std::vector<float> coin{0, 0};
  std::vector<int> by_position(4), by_seed(4);
  for (Position i = 0; i < 50000; ++i) {
    const auto seed = static_cast<std::uint64_t>(i);
    ++by_position[static_cast<std::size_t>(2 * pick_at(coin, 5, i) + pick_at(coin, 5, i + 50001))];
    ++by_seed[static_cast<std::size_t>(2 * pick_at(coin, seed, 9) +
                                       pick_at(coin, seed + 50001, 9))];
  }
  const std::vector<double> even(4, 0.25);
  BOOST_TEST(g_test(by_position, even) > family_error / family_size);
  BOOST_TEST(g_test(by_seed, even) > family_error / family_size);
}

BOOST_AUTO_TEST_CASE(a_draw_depends_on_seed_position_and_candidates_and_on_nothing_else) {
  const auto logits = random_logits(300, 7);
  std::vector<Token> forward, backward;
  for (Position i = 0; i < 100; ++i) forward.push_back(pick_at(logits, 1, i));
  for (Position i = 99; i >= 0; --i) backward.push_back(pick_at(logits, 1, i));
  std::reverse(backward.begin(), backward.end());
  BOOST_TEST(forward == backward, boost::test_tools::per_element());
  int other_seed = 0;
  for (Position i = 0; i < 100; ++i) {
    Candidates by_logit{logits};
    by_logit.sort_by_logit();
    BOOST_TEST(Categorical{1}.pick(by_logit, i) == forward[static_cast<std::size_t>(i)]);
    Candidates mixed = shuffled(by_logit, static_cast<unsigned>(i));
    BOOST_TEST(Categorical{1}.pick(mixed, i) == forward[static_cast<std::size_t>(i)]);
    other_seed += pick_at(logits, 2, i) == forward[static_cast<std::size_t>(i)] ? 0 : 1;
  }
  BOOST_TEST(other_seed > 10);
}

BOOST_AUTO_TEST_CASE(tokens_that_cannot_be_picked_change_no_draw) {
  const auto logits = random_logits(30, 12);
  auto padded = logits;
  padded.insert(padded.end(), {-infinity, not_a_number, -3e38f});
  for (Position i = 0; i < 200; ++i) BOOST_TEST(pick_at(padded, 3, i) == pick_at(logits, 3, i));
}

BOOST_AUTO_TEST_CASE(impossible_tokens_are_never_drawn) {
  const std::vector<float> logits{-infinity, not_a_number, 0, -1000, 0, -infinity};
  const auto counts = draws(logits, 9, 20000);
  BOOST_TEST(counts[2] + counts[4] == 20000);
  BOOST_TEST(counts[2] > 9000);
  BOOST_TEST(counts[4] > 9000);
  const auto infinite = draws({0, infinity, 5, infinity}, 9, 20000);
  BOOST_TEST(infinite[1] + infinite[3] == 20000);
  BOOST_TEST(infinite[1] > 9000);
  BOOST_TEST(infinite[3] > 9000);
}

BOOST_AUTO_TEST_CASE(one_candidate_is_always_taken) {
  for (const float logit : {0.0f, -3e38f, 3e38f, infinity}) {
    Candidates candidates{std::vector<Candidate>{{77, logit}}};
    for (Position i = 0; i < 20; ++i) BOOST_TEST(Categorical{4}.pick(candidates, i) == 77);
  }
}

BOOST_AUTO_TEST_SUITE_END()
