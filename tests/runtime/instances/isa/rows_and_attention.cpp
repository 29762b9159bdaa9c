// Attention and row-wise operations by the kernels of every instruction set that this machine has.
// Covers runtime/instances/isa/vector_kernels.h.
#include "runtime/instances/shared/kernels.h"
#include "tests/backend/cpu/attention/attention_checks.h"
#include "tests/backend/cpu/elementwise_checks.h"
#include "tests/skip.h"

using namespace lamina;
using namespace lamina::test;

namespace {

template <class Check>
void for_each_isa(const Check& check) {
  for (const CpuKernels& kernels : usable_kernels()) check(kernels, std::string(kernels.isa));
}

/// A row that has gone through all row-wise kernels.
HostMatrix through_rows(const RowKernels& kernels) {
  HostMatrix row = random_matrix(1, 1001, 5);
  const HostMatrix up = random_matrix(1, 1001, 4);
  kernels.silu(row.row(0), up.row(0), 1001);
  kernels.gelu_tanh(row.row(0), up.row(0), 1001);
  kernels.rms_norm(row.row(0), row.row(0), up.row(0), 1001, 1e-5f);
  kernels.rope(row.row(0), up.row(0), up.row(0) + 500, 500, RopePairing::halves);
  return row;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(isa_rows_and_attention)

BOOST_AUTO_TEST_CASE(rows_within_their_bounds) {
  for_each_isa([](const CpuKernels& k, const std::string& isa) { check_rows(k.rows, isa); });
}

BOOST_AUTO_TEST_CASE(attention_within_its_bounds) {
  for_each_isa([](const CpuKernels& k, const std::string& isa) {
    check_every_variant(k.attention, isa);
    check_every_ratio_and_format(k.attention, isa);
    check_long_contexts(k.attention, isa);
    check_unseen_values(k.attention, isa);
    check_weights(k.attention, isa);
  });
}

BOOST_AUTO_TEST_CASE(instruction_sets_with_fused_arithmetic_agree_to_the_bit) {
  const KvRow row{2, 72, 40, FormatId::f16, FormatId::q8_0};
  const ContiguousKv kv = random_store(row, 600);
  std::vector<Position> positions;
  for (Position p = 560; p < 600; ++p) positions.push_back(p);
  const HostMatrix q = random_matrix(40, 6 * 72, 3);
  std::vector<HostMatrix> attended, rows;
  for (const CpuKernels& kernels : usable_kernels()) {
    if (kernels.isa == "portable") continue;
    attended.push_back(
        attend_all(kernels.attention, q, positions, kv.view(0), {6, 0.2f}, Causal{}));
    rows.push_back(through_rows(kernels.rows));
    for (std::int64_t t = 0; t < 40; ++t) {
      BOOST_TEST(same_bits(row_of(attended.back(), t), row_of(attended[0], t)), kernels.isa);
    }
    BOOST_TEST(same_bits(row_of(rows.back(), 0), row_of(rows[0], 0)), kernels.isa);
  }
  if (rows.empty()) skip("this machine has no instruction set of its own kernels");
}

BOOST_AUTO_TEST_SUITE_END()
