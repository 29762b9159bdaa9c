// What attention by the kernels of every instruction set must fulfil.
#pragma once

#include "lamina/attention/alibi.h"
#include "lamina/attention/chunked.h"
#include "lamina/attention/full.h"
#include "lamina/attention/reference.h"
#include "lamina/attention/sinks.h"
#include "lamina/attention/sliding_window.h"
#include "lamina/attention/softcap.h"
#include "lamina/backend/cpu/attention/tasks.h"
#include "lamina/verify/bounds.h"
#include "lamina/verify/compare.h"
#include "tests/backend/operands.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <string>

namespace lamina::test {

/// A mask with holes: bounds alone do not say which keys take part.
struct EveryOther : Causal {
  bool visible(Position query, Position key) const {
    return Causal::visible(query, key) && (query - key) % 2 == 0;
  }
};

/// A store of `length` positions of random keys and values; everything else in it is NaN.
inline ContiguousKv random_store(const KvRow& row, Position length) {
  ContiguousKv kv(row, 1, length + 50);
  const KvView empty = kv.view(0);
  std::memset(static_cast<void*>(empty.memory), 0xff,
              row.bytes() * static_cast<std::size_t>(empty.page_size));
  kv.append(length);
  for (Position p = 0; p < length; ++p) {
    for (int head = 0; head < row.kv_heads; ++head) {
      const auto seed = static_cast<std::uint64_t>(p * 16 + head);
      const auto key = random_floats(static_cast<std::size_t>(row.key_dim), seed);
      const auto value = random_floats(static_cast<std::size_t>(row.value_dim), seed + 100000);
      write_kv(kv.view(0), head, p, key.data(), value.data());
    }
  }
  return kv;
}

template <AttentionVariant V>
HostMatrix attend_all(const AttentionKernels& kernels, const HostMatrix& q,
                      std::span<const Position> positions, const KvView& kv,
                      const AttentionShape& shape, const V& variant, int threads = 1) {
  ThreadPool pool(threads);
  ReusedBuffer memory;
  HostMatrix y(q.rows(), std::int64_t{shape.heads} * kv.row.value_dim);
  const std::vector<std::int32_t> sequence(positions.size(), 0);
  std::vector<AttentionTask> tasks;
  for (const QueryBlock& block : query_blocks(sequence)) {
    for (int head = 0; head < kv.row.kv_heads; ++head) {
      tasks.push_back({y.view(), q.view(), positions, block, &kv, head, shape});
    }
  }
  attend_tasks(pool, kernels, tasks, variant, memory);
  return y;
}

template <AttentionVariant V>
void check_variant(const AttentionKernels& kernels, const std::string& what, const V& variant,
                   const KvRow& row, int heads, Position length = 150, int step = 3) {
  const ContiguousKv kv = random_store(row, length);
  std::vector<Position> positions;
  for (Position p = 0; p < length; p += step) positions.push_back(p);
  const HostMatrix q = random_matrix(static_cast<std::int64_t>(positions.size()),
                                     std::int64_t{heads} * row.key_dim, 77);
  const AttentionShape shape{heads, 0.3f};
  const KvView view = kv.view(0);
  const HostMatrix y = attend_all(kernels, q, positions, view, shape, variant);
  for (std::size_t t = 0; t < positions.size(); ++t) {
    const auto token = static_cast<std::int64_t>(t);
    std::vector<float> reference(static_cast<std::size_t>(y.cols()));
    attend_reference({heads, static_cast<double>(shape.scale), positions[t]}, q.row(token),
                     kv.view(0), variant, reference.data());
    // Normal inputs: |q.k| <= 5 * 5 * key_dim would be far too wide; 12 sqrt(key_dim) is never
    // reached.
    const double largest_score = 0.3 * 25 * row.key_dim;
    const SoftmaxTerms terms{.keys = length,
                             .score_error = score_bound(row.key_dim, largest_score) + 1e-5,
                             .score_spread = 100,
                             .rescalings = length / key_chunk + 1};
    const double bound = attention_bound(terms, {.magnitude = 5, .largest = 5}) + 0x1p-24 * 5;
    const std::vector<double> expected(reference.begin(), reference.end());
    const Comparison result = compare(row_of(y, token), expected, bound);
    BOOST_TEST(result.passed(), what << " at " << positions[t] << ": " << result.report());
    // Alone, a query has the same bits, whether one thread takes its keys or three share them.
    const HostMatrix alone =
        attend_all(kernels, one_row(q, token), std::span(positions).subspan(t, 1), view, shape,
                   variant, t % 2 == 0 ? 1 : 3);
    BOOST_TEST(same_bits(row_of(alone, 0), row_of(y, token)), what << " at " << positions[t]);
  }
}

/// `isa` says whose kernels these are.
inline void check_every_variant(const AttentionKernels& kernels, const std::string& isa) {
  const KvRow row{2, 24, 20, FormatId::f32, FormatId::f16};
  const std::vector<float> sinks{0.5f, -3.0f, 40.0f, 0.0f, -1e9f, 2.0f};
  check_variant(kernels, isa + " full", Full{}, row, 6);
  check_variant(kernels, isa + " causal", Causal{}, row, 6);
  check_variant(kernels, isa + " every other", EveryOther{}, row, 6);
  check_variant(kernels, isa + " window 1", SlidingWindow<>{{}, 1}, row, 6);
  check_variant(kernels, isa + " window 70", SlidingWindow<>{{}, 70}, row, 6);
  check_variant(kernels, isa + " chunked", Chunked<>{{}, 48}, row, 6);
  check_variant(kernels, isa + " softcap", Softcap<SlidingWindow<>>{{{}, 33}, 2.0f}, row, 6);
  check_variant(kernels, isa + " alibi", Alibi<>{{}, 6, 8.0f}, row, 6);
  check_variant(kernels, isa + " sinks", Sinks<>{{}, sinks.data()}, row, 6);
}

inline void check_every_ratio_and_format(const AttentionKernels& kernels, const std::string& isa) {
  for (const int kv_heads : {1, 2, 3, 6}) {
    check_variant(kernels, isa + " ratio", Causal{},
                  {kv_heads, 16, 16, FormatId::f32, FormatId::f32}, 6);
  }
  for (const FormatId format :
       {FormatId::f16, FormatId::bf16, FormatId::q8_0, FormatId::q4_0, FormatId::q5_1}) {
    check_variant(kernels, isa + " key format", Causal{}, {1, 40, 8, format, FormatId::f32}, 2);
    check_variant(kernels, isa + " wide keys", Causal{}, {1, 168, 8, format, FormatId::f32}, 2);
    check_variant(kernels, isa + " value format", Causal{}, {1, 8, 40, FormatId::f32, format}, 2);
  }
}

/// Longer than a span, so that spans are merged.
inline void check_long_contexts(const AttentionKernels& kernels, const std::string& isa) {
  const KvRow row{1, 16, 16, FormatId::f16, FormatId::q8_0};
  check_variant(kernels, isa + " long", Causal{}, row, 2, 1100, 90);
  check_variant(kernels, isa + " long window", SlidingWindow<>{{}, 700}, row, 2, 1100, 90);
}

/// A key or value that a query does not see may be NaN, even where others of its block see it.
inline void check_unseen_values(const AttentionKernels& kernels, const std::string& isa) {
  const KvRow row{1, 16, 16, FormatId::f32, FormatId::f32};
  const Position length = 40, broken = 21;
  const ContiguousKv kv = random_store(row, length), other = random_store(row, length);
  const std::vector<float> bad(16, std::numeric_limits<float>::quiet_NaN());
  write_kv(other.view(0), 0, broken, bad.data(), bad.data());
  std::vector<Position> positions;
  for (Position p = 16; p < 32; ++p) positions.push_back(p);
  const HostMatrix q = random_matrix(16, 16, 5);
  const auto check = [&](const auto& variant) {
    const HostMatrix good = attend_all(kernels, q, positions, kv.view(0), {1, 0.3f}, variant);
    const HostMatrix y = attend_all(kernels, q, positions, other.view(0), {1, 0.3f}, variant);
    for (std::int64_t t = 0; t < 16; ++t) {
      if (variant.visible(positions[static_cast<std::size_t>(t)], broken)) {
        for (const float value : row_of(y, t)) BOOST_TEST(std::isnan(value), isa << ' ' << t);
      } else {
        BOOST_TEST(same_bits(row_of(y, t), row_of(good, t)), isa << ' ' << t);
      }
    }
  };
  check(Causal{});
  check(EveryOther{});
}

/// Weights are exp(score - largest) to 4 roundings, whatever the score; their sum likewise.
inline void check_weights(const AttentionKernels& kernels, const std::string& isa) {
  constexpr int chunks = 4000;
  for (int i = 0; i < chunks; ++i) {
    float scores[key_chunk], weights[key_chunk];
    for (int k = 0; k < key_chunk; ++k) {
      scores[k] = 3.0f - static_cast<float>(i * key_chunk + k) * (104.0f / (chunks * key_chunk));
    }
    scores[i % key_chunk] = 3.0f;
    scores[(i + 7) % key_chunk] = -std::numeric_limits<float>::infinity();
    std::copy_n(scores, key_chunk, weights);
    float top = -5.0f, sum = 2.0f;
    const double factor = static_cast<double>(kernels.weigh(weights, top, sum));
    double total = 2 * std::exp(-8.0);
    bool good = top == 3.0f && std::fabs(factor / std::exp(-8.0) - 1) < 0x1p-22;
    for (int k = 0; k < key_chunk; ++k) {
      // The difference is rounded before: exp of the rounded one is what is asked here.
      const double exact = std::exp(static_cast<double>(scores[k] - 3.0f));
      const double error = std::fabs(static_cast<double>(weights[k]) - exact);
      good = good && error <= exact * 0x1p-22 + 0x1p-149;
      total += exact;
    }
    BOOST_TEST(good, isa << ": weights from " << scores[0] << " on");
    BOOST_TEST(std::fabs(static_cast<double>(sum) - total) <= total * 0x1p-20, isa);
  }
}

}  // namespace lamina::test
