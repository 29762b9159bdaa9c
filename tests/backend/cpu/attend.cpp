// Attention on the CPU against attention/reference.h: every variant, store format, head ratio and
// feeding.
#include "lamina/backend/cpu/attend.h"

#include "lamina/attention/alibi.h"
#include "lamina/attention/chunked.h"
#include "lamina/attention/full.h"
#include "lamina/attention/reference.h"
#include "lamina/attention/sinks.h"
#include "lamina/attention/sliding_window.h"
#include "lamina/attention/softcap.h"
#include "lamina/verify/bounds.h"
#include "lamina/verify/compare.h"
#include "tests/backend/operands.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>

using namespace lamina;
using namespace lamina::test;

namespace {

/// A mask with holes: bounds alone do not say which keys take part.
struct EveryOther : Causal {
  bool visible(Position query, Position key) const {
    return Causal::visible(query, key) && (query - key) % 2 == 0;
  }
};

/// A store of `length` positions of random keys and values; everything else in it is NaN.
ContiguousKv random_store(const KvRow& row, Position length) {
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
HostMatrix attend_all(const HostMatrix& q, std::span<const Position> positions, const KvView& kv,
                      const AttentionShape& shape, const V& variant) {
  HostMatrix y(q.rows(), std::int64_t{shape.heads} * kv.row.value_dim);
  const std::vector<std::int32_t> sequence(positions.size(), 0);
  for (const QueryBlock& block : query_blocks(sequence)) {
    for (int head = 0; head < kv.row.kv_heads; ++head) {
      attend_block(y.view(), q.view(), positions, block, kv, head, shape, variant);
    }
  }
  return y;
}

template <AttentionVariant V>
void check_variant(const char* what, const V& variant, const KvRow& row, int heads) {
  const Position length = 150;
  const ContiguousKv kv = random_store(row, length);
  std::vector<Position> positions;
  for (Position p = 0; p < length; p += 3) positions.push_back(p);
  const HostMatrix q = random_matrix(static_cast<std::int64_t>(positions.size()),
                                     std::int64_t{heads} * row.key_dim, 77);
  const AttentionShape shape{heads, 0.3f};
  const HostMatrix y = attend_all(q, positions, kv.view(0), shape, variant);
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
                             .rescalings = 3};
    const double bound = attention_bound(terms, {.magnitude = 5, .largest = 5}) + 0x1p-24 * 5;
    const std::vector<double> expected(reference.begin(), reference.end());
    const Comparison result = compare(row_of(y, token), expected, bound);
    BOOST_TEST(result.passed(), what << " at " << positions[t] << ": " << result.report());
    // Alone, a query has the same bits.
    const HostMatrix alone = attend_all(one_row(q, token), std::span(positions).subspan(t, 1),
                                        kv.view(0), shape, variant);
    BOOST_TEST(same_bits(row_of(alone, 0), row_of(y, token)));
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cpu_attend)

BOOST_AUTO_TEST_CASE(every_variant) {
  const KvRow row{2, 24, 20, FormatId::f32, FormatId::f16};
  const std::vector<float> sinks{0.5f, -3.0f, 40.0f, 0.0f, -1e9f, 2.0f};
  check_variant("full", Full{}, row, 6);
  check_variant("causal", Causal{}, row, 6);
  check_variant("every other", EveryOther{}, row, 6);
  check_variant("window 1", SlidingWindow<>{{}, 1}, row, 6);
  check_variant("window 70", SlidingWindow<>{{}, 70}, row, 6);
  check_variant("chunked", Chunked<>{{}, 48}, row, 6);
  check_variant("softcap", Softcap<SlidingWindow<>>{{{}, 33}, 2.0f}, row, 6);
  check_variant("alibi", Alibi<>{{}, 6, 8.0f}, row, 6);
  check_variant("sinks", Sinks<>{{}, sinks.data()}, row, 6);
}

BOOST_AUTO_TEST_CASE(every_ratio_of_heads_and_format) {
  for (const int kv_heads : {1, 2, 3, 6}) {
    check_variant("ratio", Causal{}, {kv_heads, 16, 16, FormatId::f32, FormatId::f32}, 6);
  }
  for (const FormatId format : {FormatId::f16, FormatId::bf16, FormatId::q8_0, FormatId::q4_0}) {
    check_variant("key format", Causal{}, {1, 40, 8, format, FormatId::f32}, 2);
    check_variant("value format", Causal{}, {1, 8, 40, FormatId::f32, format}, 2);
  }
}

BOOST_AUTO_TEST_CASE(nothing_visible_is_zero) {
  const KvRow row{1, 8, 8, FormatId::f32, FormatId::f32};
  ContiguousKv kv(row, 1, 4);
  const HostMatrix q = random_matrix(1, 8, 1);
  const std::vector<Position> positions{0};
  const HostMatrix y = attend_all(q, positions, kv.view(0), {1, 1.0f}, Causal{});
  for (const float value : row_of(y, 0)) BOOST_TEST(value == 0.0f);
}

BOOST_AUTO_TEST_CASE(blocks_cut_at_sequences_and_length) {
  std::vector<std::int32_t> sequence(40, 0);
  sequence[5] = 1;
  const auto blocks = query_blocks(sequence);
  BOOST_TEST_REQUIRE(blocks.size() == 5u);
  const std::int64_t ends[] = {5, 6, 22, 38, 40};
  std::int64_t first = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    BOOST_TEST(blocks[i].first == first);
    BOOST_TEST(blocks[i].end == ends[i]);
    first = ends[i];
  }
}

BOOST_AUTO_TEST_SUITE_END()
