// Blocks: the default composition, and that a backend's own member takes its place.
#include "lamina/backend/blocks.h"

#include "tests/backend/portable_cpu.h"
#include "lamina/backend/reference/backend.h"
#include "lamina/verify/compare.h"
#include "lamina/verify/bounds.h"
#include "tests/backend/cpu/panel/panel_checks.h"
#include "tests/backend/operands.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>

using namespace lamina;
using namespace lamina::test;

namespace {

/// A backend that fuses every block: here, one that only notes it was asked.
struct FusingBackend : ReferenceBackend {
  int projected = 0, added = 0, gated = 0, tables = 0;

  void project_qkv(Step&, QkvMatrices<FusingBackend>&, const Matrix&,
                   const QkvWeights<FusingBackend>&, RopeUse, float, KvLayer) {
    ++projected;
  }
  void project_add(Step&, Matrix&, const Weight&, const Matrix&, Matrix&) { ++added; }
  Weight prepare_table(const TensorView& tensor) { return ++tables, tensor; }
  template <Activation A>
  void gated_ffn(Step&, Matrix&, Matrix&, const FfnWeights<FusingBackend>&, const Matrix&) {
    ++gated;
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(blocks)

BOOST_AUTO_TEST_CASE(a_backends_own_block_wins) {
  FusingBackend b;
  auto step = b.begin(rows_of_one_sequence(1), {});
  const RandomWeight w = random_weight(FormatId::f32, 4, 4, 1);
  QkvMatrices<FusingBackend> qkv{{1, 4}, {1, 4}, {1, 4}};
  HostMatrix x = random_matrix(1, 4, 2), scratch(1, 4);
  project_qkv(b, step, qkv, x, {w.view, w.view, w.view, {}, {}, {}, {}, {}}, {}, 0.0f, {});
  project_add(b, step, x, w.view, x, scratch);
  gated_ffn<Activation::silu>(b, step, x, scratch, {w.view, w.view, w.view}, x);
  prepare_table(b, w.view);
  BOOST_TEST(b.tables == 1);
  BOOST_TEST(b.projected == 1);
  BOOST_TEST(b.added == 1);
  BOOST_TEST(b.gated == 1);
}

// Not of CpuBackend itself: a backend derived from it must not lose its blocks.
BOOST_AUTO_TEST_CASE(blocks_on_the_cpu_multiply_in_panels) {
  PortableCpu b;
  auto step = b.begin(rows_of_one_sequence(2), {});
  const RandomWeight w = random_weight(FormatId::q8_0, 256, 64, 3);
  const auto weight = b.prepare(w.view);
  const HostMatrix h = random_matrix(2, 256, 4);
  const HostMatrix expected = multiply_in_panels(portable_kernels.panels, w, h);
  HostMatrix product(2, 64);
  b.linear(step, product, weight, h, static_cast<const PortableCpu::Vector*>(nullptr));
  BOOST_TEST(std::equal(product.row(0), product.row(0) + 2 * 64, expected.row(0)));
  BOOST_TEST(!b.prepare_table(w.view).in_panels());

  ContiguousKv store({1, 64, 64, FormatId::f32, FormatId::f32}, 1, 2);
  store.append(2);
  const KvView view = store.view(0);
  const RopeSettings still{.rotated = 0};
  auto turned = b.begin(rows_of_one_sequence(2), {&still, 1});
  QkvMatrices<PortableCpu> qkv{{2, 64}, {2, 64}, {2, 64}};
  const QkvWeights<PortableCpu> weights{weight, weight, weight, {}, {}, {}, {}, {}};
  project_qkv(b, turned, qkv, h, weights, {.table = 0, .head_dim = 64}, 0.0f, {&view, 1});
  BOOST_TEST(std::equal(qkv.v.row(0), qkv.v.row(0) + 2 * 64, expected.row(0)));
}

BOOST_AUTO_TEST_CASE(project_add_keeps_what_was_there) {
  ReferenceBackend b;
  auto step = b.begin(rows_of_one_sequence(2), {});
  const RandomWeight w = random_weight(FormatId::f32, 6, 4, 3);
  const HostMatrix h = random_matrix(2, 6, 4);
  HostMatrix x = random_matrix(2, 4, 5), product(2, 4), scratch(2, 4);
  const HostMatrix before = random_matrix(2, 4, 5);
  b.linear(step, product, w.view, h, static_cast<const ReferenceBackend::Vector*>(nullptr));
  project_add(b, step, x, w.view, h, scratch);
  for (std::int64_t i = 0; i < 8; ++i) {
    BOOST_TEST(x.row(0)[i] == before.row(0)[i] + product.row(0)[i]);
  }
}

BOOST_AUTO_TEST_CASE(gated_ffn_is_activation_of_gate_times_up) {
  PortableCpu b;
  auto step = b.begin(rows_of_one_sequence(2), {});
  const RandomWeight gate = random_weight(FormatId::f32, 6, 5, 6);
  const RandomWeight up = random_weight(FormatId::f32, 6, 5, 7);
  const HostMatrix h = random_matrix(2, 6, 8);
  HostMatrix gates(2, 5), ups(2, 5), g(2, 5), u(2, 5);
  const PortableCpu::Vector* no_bias = nullptr;
  b.linear(step, gates, b.prepare(gate.view), h, no_bias);
  b.linear(step, ups, b.prepare(up.view), h, no_bias);
  gated_ffn<Activation::gelu_tanh>(b, step, g, u, {b.prepare(gate.view), b.prepare(up.view), {}},
                                   h);
  for (std::int64_t i = 0; i < 10; ++i) {
    const double x = static_cast<double>(gates.row(0)[i]), y = static_cast<double>(ups.row(0)[i]);
    const double error = std::fabs(static_cast<double>(g.row(0)[i]) - gelu_tanh(x) * y);
    const double bound = gelu_tanh_bound(x) * std::fabs(y);
    BOOST_TEST(error <= store_bound(gelu_tanh(x) * y, bound, float32_rounding));
  }
}

BOOST_AUTO_TEST_CASE(project_qkv_norms_before_it_turns_and_appends_what_it_turned) {
  ReferenceBackend b;
  const std::vector<RopeSettings> ropes{{.rotated = 4}};
  BatchRows rows = rows_of_one_sequence(1, 3);
  auto step = b.begin(rows, ropes);
  const RandomWeight q = random_weight(FormatId::f32, 6, 8, 9),
                     k = random_weight(FormatId::f32, 6, 4, 10);
  const RandomWeight v = random_weight(FormatId::f32, 6, 4, 11),
                     norm = random_weight(FormatId::f32, 4, 1, 12);
  const RandomWeight bias = random_weight(FormatId::f32, 4, 1, 13);
  QkvWeights<ReferenceBackend> w{
      q.view, k.view, v.view, {}, b.vector(bias.view), {}, {}, b.vector(norm.view)};
  ContiguousKv kv({1, 4, 4, FormatId::f32, FormatId::f32}, 1, 8);
  kv.append(4);
  const KvView view = kv.view(0);
  QkvMatrices<ReferenceBackend> to{{1, 8}, {1, 4}, {1, 4}};
  const HostMatrix h = random_matrix(1, 6, 14);
  const RopeUse rope{.table = 0, .head_dim = 4};
  project_qkv(b, step, to, h, w, rope, 1e-6f, {&view, 1});

  HostMatrix key(1, 4);
  b.linear(step, key, k.view, h, &*w.k_bias);
  b.rms_norm(step, key, key, *w.k_norm, 1e-6f);
  b.rope(step, key, rope);
  float stored[4];
  read_key(view, 0, 3, stored);
  BOOST_TEST(same_bits(std::span<const float>(stored), row_of(key, 0)));
  HostMatrix value(1, 4);
  b.linear(step, value, v.view, h, static_cast<const ReferenceBackend::Vector*>(nullptr));
  read_value(view, 0, 3, stored);
  BOOST_TEST(same_bits(std::span<const float>(stored), row_of(value, 0)));
}

BOOST_AUTO_TEST_SUITE_END()
