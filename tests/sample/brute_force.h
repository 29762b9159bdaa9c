// The oracle of the sampler tests: plain definitions on a fully sorted list, in double.
#pragma once

#include "lamina/sample/sampler.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <random>
#include <vector>

namespace lamina {

inline std::ostream& operator<<(std::ostream& out, const Candidate& candidate) {
  return out << candidate.token << ":" << candidate.logit;
}

}  // namespace lamina

namespace lamina::test {

inline constexpr float infinity = std::numeric_limits<float>::infinity();
inline constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

/// Logits with many ties: multiples of `step` around 0.
inline std::vector<float> random_logits(std::size_t n, unsigned seed, float step = 0.25f) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0, 3);
  std::vector<float> logits(n);
  for (float& logit : logits) logit = std::round(normal(random) / step) * step;
  return logits;
}

/// Every token that can be picked, best first: repeatedly sorted by one key at a time.
inline std::vector<Candidate> ranked(const std::vector<float>& logits) {
  std::vector<Candidate> list;
  for (std::size_t t = 0; t < logits.size(); ++t) {
    if (std::isnan(logits[t]) || logits[t] == -infinity) continue;
    list.push_back({static_cast<Token>(t), logits[t]});
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const Candidate& a, const Candidate& b) { return a.logit > b.logit; });
  return list;
}

/// Softmax by its definition.
inline std::vector<double> probabilities(const std::vector<Candidate>& list) {
  std::vector<double> p;
  double sum = 0;
  for (const Candidate& c : list) {
    p.push_back(std::exp(static_cast<double>(c.logit) - static_cast<double>(list[0].logit)));
    sum += p.back();
  }
  for (double& one : p) one /= sum;
  return p;
}

/// The candidates, best first, whatever order they lie in.
inline std::vector<Candidate> contents(const Candidates& candidates) {
  std::vector<Candidate> list(candidates.begin(), candidates.end());
  std::sort(list.begin(), list.end(), [](const Candidate& a, const Candidate& b) {
    return a.logit != b.logit ? a.logit > b.logit : a.token < b.token;
  });
  return list;
}

/// The same candidates in another order in memory.
inline Candidates shuffled(const Candidates& candidates, unsigned seed) {
  std::vector<Candidate> list(candidates.begin(), candidates.end());
  std::shuffle(list.begin(), list.end(), std::mt19937(seed));
  return Candidates(list);
}

/// What `sampler` leaves of `logits`; the same from any order in memory, else the test fails.
template <class S>
std::vector<Candidate> left_by(S sampler, const std::vector<float>& logits) {
  Candidates by_token{logits};
  Candidates by_logit{logits};
  by_logit.sort_by_logit();
  Candidates partly{logits};
  partly.sort_head(logits.size() / 3);
  Candidates mixed = shuffled(by_token, 7);
  for (Candidates* order : {&by_token, &by_logit, &partly, &mixed}) sampler.apply(*order);
  const auto expected = contents(by_token);
  for (const Candidates* order : {&by_logit, &partly, &mixed}) {
    const auto found = contents(*order);
    BOOST_CHECK_EQUAL_COLLECTIONS(found.begin(), found.end(), expected.begin(), expected.end());
  }
  return expected;
}

inline void check_equal(const std::vector<Candidate>& found,
                        const std::vector<Candidate>& expected) {
  BOOST_CHECK_EQUAL_COLLECTIONS(found.begin(), found.end(), expected.begin(), expected.end());
}

/// The first `count` of a list.
inline std::vector<Candidate> first(std::vector<Candidate> list, std::size_t count) {
  list.resize(std::min(count, list.size()));
  return list;
}

}  // namespace lamina::test
