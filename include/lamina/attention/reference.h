// The definition of attention, in double and in two passes: scores and their maximum, then the
// weighted mean.
//
// For a query head h, with g = h / (heads / kv_heads) its KV head:
//   s_k = variant.score(q . K[g, k] * scale, h, query, k) for each visible k
//   out = sum_k exp(s_k - m) V[g, k] / (sum_k exp(s_k - m) + exp(sink - m)),  m = max of s and sink
// A query with no visible key gives 0 and a log-sum-exp of -infinity (of the sink, where there is
// one). MHA, GQA and MQA are one code path.
#pragma once

#include "lamina/attention/variant.h"
#include "lamina/kv/view.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

namespace lamina {

/// log(sum of exp(scores)), natural: the base is part of the type because mixing bases is a silent
/// error.
struct LogSumExp {
  double natural = -std::numeric_limits<double>::infinity();
};

/// One query against one sequence's keys.
struct AttentionQuery {
  int heads = 0;
  double scale = 1;       // of q . k
  Position position = 0;  // of the query
};

namespace detail {

/// The keys that take part for one head, and their scores.
struct ScoredKeys {
  std::vector<Position> keys;
  std::vector<double> scores;
  double top = -std::numeric_limits<double>::infinity();
};

template <AttentionVariant V>
ScoredKeys score_keys(const AttentionQuery& query, int head, const float* q, const KvView& kv,
                      const V& variant) {
  ScoredKeys result;
  std::vector<float> key(static_cast<std::size_t>(kv.row.key_dim));
  const int group = head / (query.heads / kv.row.kv_heads);
  const KeyRange range = variant.keys(query.position);
  for (Position k = std::max(range.first, kv.first); k < std::min(range.end, kv.end); ++k) {
    if (!variant.visible(query.position, k)) continue;
    read_key(kv, group, k, key.data());
    double dot = 0;
    for (std::size_t i = 0; i < key.size(); ++i) {
      dot += static_cast<double>(q[i]) * static_cast<double>(key[i]);
    }
    const double score = variant.score(dot * query.scale, head, query.position, k);
    result.keys.push_back(k);
    result.scores.push_back(score);
    result.top = std::max(result.top, score);
  }
  return result;
}

}  // namespace detail

/// `q` is [heads, key_dim], `out` [heads, value_dim], `sums` [heads] or empty; `heads` is a
/// multiple of the view's KV heads.
template <AttentionVariant V>
void attend_reference(const AttentionQuery& query, const float* q, const KvView& kv,
                      const V& variant, float* out, std::span<LogSumExp> sums = {}) {
  LAMINA_ASSERT(query.heads % kv.row.kv_heads == 0);
  const int dim = kv.row.value_dim;
  std::vector<float> value(static_cast<std::size_t>(dim));
  for (int head = 0; head < query.heads; ++head) {
    auto [keys, scores, top] =
        detail::score_keys(query, head, q + head * kv.row.key_dim, kv, variant);
    std::vector<double> mean(static_cast<std::size_t>(dim));
    double sum = 0;
    if constexpr (SinkVariant<V>) {
      const double sink = static_cast<double>(variant.sink(head));
      top = std::max(top, sink);
      if (sink != LogSumExp{}.natural) sum = std::exp(sink - top);  // a sink of -infinity is none
    }
    const int group = head / (query.heads / kv.row.kv_heads);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      // A score of -infinity contributes nothing, even where every score is.
      if (scores[i] == -std::numeric_limits<double>::infinity()) continue;
      const double weight = std::exp(scores[i] - top);
      sum += weight;
      read_value(kv, group, keys[i], value.data());
      for (std::size_t d = 0; d < value.size(); ++d)
        mean[d] += weight * static_cast<double>(value[d]);
    }
    for (int d = 0; d < dim; ++d) {
      out[head * dim + d] =
          sum == 0 ? 0.0f : static_cast<float>(mean[static_cast<std::size_t>(d)] / sum);
    }
    if (!sums.empty()) {
      sums[static_cast<std::size_t>(head)].natural =
          sum == 0 ? LogSumExp{}.natural : top + std::log(sum);
    }
  }
}

}  // namespace lamina
