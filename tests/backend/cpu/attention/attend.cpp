// Attention on the CPU against attention/reference.h: every variant, store format, head ratio and
// feeding, with portable kernels.
// Covers lamina/backend/cpu/attention/tile.h, lamina/backend/cpu/attention/read.h.
// Covers lamina/backend/cpu/attention/kernels.h, lamina/backend/cpu/attention/partial.h.
// Covers lamina/backend/cpu/attention/tasks.h, lamina/backend/cpu/reused_buffer.h.
// Covers lamina/backend/cpu/simd/lanes.h, lamina/backend/cpu/simd/fold.h.
// Covers lamina/backend/cpu/simd/transpose.h, lamina/backend/cpu/simd/exponential.h.
// Covers lamina/backend/cpu/simd/outer_product.h, lamina/backend/cpu/simd/portable.h.
#include "lamina/backend/cpu/attention/attend.h"

#include "tests/backend/cpu/attention/attention_checks.h"
#include "tests/backend/portable_cpu.h"

using namespace lamina;
using namespace lamina::test;

namespace {

constexpr AttentionKernels kernels = portable_kernels.attention;

}  // namespace

BOOST_AUTO_TEST_SUITE(cpu_attend)

BOOST_AUTO_TEST_CASE(every_variant) { check_every_variant(kernels, "portable"); }

BOOST_AUTO_TEST_CASE(every_ratio_of_heads_and_format) {
  check_every_ratio_and_format(kernels, "portable");
}

BOOST_AUTO_TEST_CASE(contexts_longer_than_a_span) { check_long_contexts(kernels, "portable"); }

BOOST_AUTO_TEST_CASE(what_a_query_does_not_see_may_be_anything) {
  check_unseen_values(kernels, "portable");
}

BOOST_AUTO_TEST_CASE(weights_of_all_scores) { check_weights(kernels, "portable"); }

BOOST_AUTO_TEST_CASE(nothing_visible_is_zero) {
  const KvRow row{1, 8, 8, FormatId::f32, FormatId::f32};
  ContiguousKv kv(row, 1, 4);
  const HostMatrix q = random_matrix(1, 8, 1);
  const std::vector<Position> positions{0};
  const HostMatrix y = attend_all(kernels, q, positions, kv.view(0), {1, 1.0f}, Causal{});
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
