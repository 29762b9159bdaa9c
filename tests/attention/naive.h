// Attention once more, as naively as possible: matrices in long double, KV heads repeated for their
// query heads, masks as lists of keys. The oracle of attention/reference.h, which it shares no line
// with.
#pragma once

#include "kv/placed.h"
#include "kv/rows.h"
#include "lamina/attention/reference.h"
#include "lamina/verify/bounds.h"
#include "lamina/verify/compare.h"

#include <boost/test/unit_test.hpp>
#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace lamina::test {

using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using LongVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

inline constexpr float float_nan = std::numeric_limits<float>::quiet_NaN();
inline constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

/// What a variant means, in words of its own.
struct Meaning {
  std::function<bool(Position k)> visible = [](Position) { return true; };
  std::function<long double(long double s, int head, Position k)> score =
      [](long double s, int, Position) { return s; };
  /// How far a double score may be off after `score`, if it was `error` off before.
  std::function<double(double s, double error, int head, Position k)> error =
      [](double, double e, int, Position) { return e; };
  std::vector<float> sinks = {};  // [heads] or empty
};

/// One query, and the keys and values of its sequence as floats.
struct Problem {
  AttentionQuery query;
  KvRow row;
  Position length = 0;
  std::vector<float> q = {};       // [heads, key_dim]
  std::vector<HeadRow> rows = {};  // [length, kv_heads], as stored

  const HeadRow& at(Position p, int kv_head) const {
    return rows[static_cast<std::size_t>(p * row.kv_heads + kv_head)];
  }
};

/// A problem with normal numbers, whose query is the last position.
inline Problem random_problem(int heads, const KvRow& row, Position length, std::uint64_t seed) {
  Problem problem{
      {heads, 1 / std::sqrt(static_cast<double>(row.key_dim)), length - 1}, row, length};
  problem.q.resize(static_cast<std::size_t>(heads * row.key_dim));
  fill(problem.q, InputKind::normal, 1'000'003 + seed);
  for (Position p = 0; p < length; ++p) {
    for (int head = 0; head < row.kv_heads; ++head) {
      problem.rows.push_back(stamped(row, seed * 10'000 + problem.rows.size()));
    }
  }
  return problem;
}

/// Writes the positions that `wanted` names; all others stay as they are.
template <class Wanted>
void store(const Problem& problem, const KvView& kv, const Wanted& wanted) {
  for (Position p = kv.first; p < kv.end; ++p) {
    if (!wanted(p)) continue;
    for (int head = 0; head < problem.row.kv_heads; ++head) {
      write(kv, head, p, problem.at(p, head));
    }
  }
}

struct Attention {
  std::vector<float> out;  // [heads, value_dim]
  std::vector<LogSumExp> sums;
};

template <AttentionVariant V>
Attention attend(const Problem& problem, const KvView& kv, const V& variant) {
  const auto heads = static_cast<std::size_t>(problem.query.heads);
  GuardedBuffer<float> out(heads * static_cast<std::size_t>(problem.row.value_dim));
  Attention result{{}, std::vector<LogSumExp>(heads, LogSumExp{1e300})};
  attend_reference(problem.query, problem.q.data(), kv, variant, out.span().data(), result.sums);
  BOOST_TEST(out.damage().value_or("") == "");
  BOOST_TEST(out.unwritten() == 0u);
  result.out.assign(out.span().begin(), out.span().end());
  return result;
}

/// The same, with keys and values in a contiguous view.
template <AttentionVariant V>
Attention attend(const Problem& problem, const V& variant) {
  const Placed placed({"contiguous", problem.length + 2, {0}, 1, 0, problem.length}, problem.row,
                      std::byte{0xff});
  store(problem, placed.view(), [](Position) { return true; });
  return attend(problem, placed.view(), variant);
}

/// What must come out, and within which bounds.
struct Expected {
  std::vector<double> out, out_bound, sums, sums_bound;
};

/// The visible scores of one head and what is known of them.
struct NaiveHead {
  LongVector scores;
  LongMatrix values;  // [visible keys, value_dim]
  double score_error = 0;
};

inline NaiveHead naive_head(const Problem& problem, const Meaning& meaning, int head) {
  // Each KV head stands in a row for as many query heads as share it.
  std::vector<int> repeated;
  for (int g = 0; g < problem.row.kv_heads; ++g) {
    repeated.insert(repeated.end(),
                    static_cast<std::size_t>(problem.query.heads) /
                        static_cast<std::size_t>(problem.row.kv_heads),
                    g);
  }
  const auto d = problem.row.key_dim;
  const Eigen::Map<const Eigen::VectorXf> q(problem.q.data() + head * d, d);
  std::vector<Position> keys;
  for (Position p = 0; p < problem.length; ++p) {
    if (meaning.visible(p)) keys.push_back(p);
  }
  NaiveHead result{LongVector(keys.size()), LongMatrix(keys.size(), problem.row.value_dim)};
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const int kv_head = repeated[static_cast<std::size_t>(head)];
    const HeadRow seen = rounded(problem.row, problem.at(keys[i], kv_head));
    const auto at = static_cast<Eigen::Index>(i);
    const Eigen::Map<const Eigen::VectorXf> k(seen.key.data(), d);
    const Eigen::Map<const Eigen::VectorXf> v(seen.value.data(), problem.row.value_dim);
    const LongVector products =
        q.cast<long double>().cwiseProduct(k.cast<long double>()) * problem.query.scale;
    const long double plain = products.sum();
    const double error =
        score_bound(d, static_cast<double>(products.cwiseAbs().sum()), float64_rounding);
    result.scores[at] = meaning.score(plain, head, keys[i]);
    result.values.row(at) = v.cast<long double>();
    result.score_error = std::max(result.score_error,
                                  meaning.error(static_cast<double>(plain), error, head, keys[i]));
  }
  return result;
}

inline Expected expected_of(const Problem& problem, const Meaning& meaning) {
  Expected result;
  for (int head = 0; head < problem.query.heads; ++head) {
    NaiveHead naive = naive_head(problem, meaning, head);
    if (!meaning.sinks.empty()) {  // one more key, whose value is nothing
      const Eigen::Index n = naive.scores.size();
      naive.scores.conservativeResize(n + 1);
      naive.values.conservativeResize(n + 1, Eigen::NoChange);
      naive.scores[n] = meaning.sinks[static_cast<std::size_t>(head)];
      naive.values.row(n).setZero();
    }
    const long double top = naive.scores.maxCoeff();
    const LongVector weights = (naive.scores.array() - top).exp().matrix();
    const LongVector p = weights / weights.sum();
    const SoftmaxTerms terms{.keys = naive.scores.size(),
                             .score_error = naive.score_error,
                             .score_spread = static_cast<double>(top - naive.scores.minCoeff()),
                             .flush = std::numeric_limits<double>::min()};
    for (Eigen::Index i = 0; i < problem.row.value_dim; ++i) {
      const LongVector column = naive.values.col(i);
      const ValueTerms values{static_cast<double>(p.dot(column.cwiseAbs())),
                              static_cast<double>(column.cwiseAbs().maxCoeff())};
      result.out.push_back(static_cast<double>(p.dot(column)));
      result.out_bound.push_back(store_bound(
          result.out.back(), attention_bound(terms, values, float64_rounding), float32_rounding));
    }
    result.sums.push_back(static_cast<double>(top + std::log(weights.sum())));
    result.sums_bound.push_back(log_sum_exp_bound(terms, result.sums.back(), float64_rounding));
  }
  return result;
}

inline void check(const Attention& got, const Expected& expected, const std::string& what) {
  const Comparison out =
      compare(std::span<const float>(got.out), std::span<const double>(expected.out),
              expected.out_bound, {.cols = got.out.size() / got.sums.size()});
  BOOST_TEST(out.passed(), out.report(what));
  std::vector<double> sums;
  for (const LogSumExp& sum : got.sums) sums.push_back(sum.natural);
  const Comparison lse = compare(std::span<const double>(sums),
                                 std::span<const double>(expected.sums), expected.sums_bound);
  BOOST_TEST(lse.passed(), lse.report(what + ", log-sum-exp"));
}

inline bool same(const Attention& a, const Attention& b) {
  std::vector<double> x, y;
  for (const LogSumExp& sum : a.sums) x.push_back(sum.natural);
  for (const LogSumExp& sum : b.sums) y.push_back(sum.natural);
  return same_bits(a.out, b.out) && same_bits(x, y);
}

}  // namespace lamina::test
