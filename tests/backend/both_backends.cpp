// The operations of a backend, on both backends: what backend.h promises of each.
// Covers lamina/backend/backend.h.
// Covers lamina/backend/reference/backend.h.
// Covers lamina/backend/cpu/backend.h.
#include "tests/backend/portable_cpu.h"
#include "lamina/backend/reference/backend.h"
#include "lamina/verify/compare.h"
#include "tests/backend/operands.h"

#include <boost/test/unit_test.hpp>

#include <tuple>

using namespace lamina;
using namespace lamina::test;

namespace {

using Backends = std::tuple<ReferenceBackend, PortableCpu>;

struct NoAttend : ReferenceBackend {
  void attend() = delete;
};
static_assert(!Backend<int>);
static_assert(!Backend<NoAttend>);

const std::vector<RopeSettings> no_ropes;

}  // namespace

BOOST_AUTO_TEST_SUITE(both_backends)

BOOST_AUTO_TEST_CASE_TEMPLATE(embed_takes_the_rows_of_the_tokens, B, Backends) {
  B b(2);
  const RandomWeight table = random_weight(FormatId::q4_0, 64, 9, 1);
  BatchRows rows = rows_of_one_sequence(3);
  rows.tokens = {8, 0, 8};
  auto step = b.begin(rows, no_ropes);
  auto y = b.matrix(step, 3, 64);
  b.embed(step, y, b.prepare(table.view), 2.5f);
  for (std::int64_t t = 0; t < 3; ++t) {
    const auto token = static_cast<std::size_t>(rows.tokens[static_cast<std::size_t>(t)]);
    for (std::size_t i = 0; i < 64; ++i) {
      BOOST_TEST(y.row(t)[i] == table.decoded[token * 64 + i] * 2.5f);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(norm_runs_over_each_head, B, Backends) {
  B b(1);
  const RandomWeight weight = random_weight(FormatId::f32, 8, 1, 2);
  const auto vector = b.vector(weight.view);
  auto step = b.begin(rows_of_one_sequence(2), no_ropes);
  HostMatrix x = random_matrix(2, 24, 3);
  HostMatrix whole = b.matrix(step, 2, 24);
  b.rms_norm(step, whole, x, vector, 1e-5f);
  for (std::int64_t t = 0; t < 2; ++t) {
    for (std::int64_t head = 0; head < 3; ++head) {
      HostMatrix one(1, 8), normed(1, 8);
      std::copy_n(x.row(t) + head * 8, 8, one.row(0));
      b.rms_norm(step, normed, one, vector, 1e-5f);
      BOOST_TEST(same_bits(row_of(normed, 0),
                           row_of(whole, t).subspan(static_cast<std::size_t>(head) * 8, 8)));
    }
  }
  b.rms_norm(step, x, x, vector, 1e-5f);  // in place
  BOOST_TEST(same_bits(row_of(x, 1), row_of(whole, 1)));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(linear_adds_the_bias, B, Backends) {
  B b(2);
  const RandomWeight w = random_weight(FormatId::q8_0, 64, 20, 4);
  const RandomWeight bias = random_weight(FormatId::f16, 20, 1, 5);
  const auto vector = b.vector(bias.view);
  auto step = b.begin(rows_of_one_sequence(9), no_ropes);
  const HostMatrix x = random_matrix(9, 64, 6);
  HostMatrix plain = b.matrix(step, 9, 20), biased = b.matrix(step, 9, 20);
  b.linear(step, plain, b.prepare(w.view), x, static_cast<const typename B::Vector*>(nullptr));
  b.linear(step, biased, b.prepare(w.view), x, &vector);
  for (std::int64_t t = 0; t < 9; ++t) {
    for (std::size_t r = 0; r < 20; ++r) {
      BOOST_TEST(biased.row(t)[r] == plain.row(t)[r] + bias.decoded[r]);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(rope_turns_by_the_rows_position_and_table, B, Backends) {
  B b(1);
  const std::vector<RopeSettings> ropes{{.rotated = 8, .base = 100.0f},
                                        {.rotated = 4, .base = 10.0f, .factor = 2.0f}};
  BatchRows rows = rows_of_one_sequence(3);
  rows.positions = {0, 5, 5};
  auto step = b.begin(rows, ropes);
  HostMatrix x = random_matrix(3, 16, 7);
  std::copy_n(x.row(1), 16, x.row(2));
  const HostMatrix before = one_row(x, 0), other = one_row(x, 1);
  b.rope(step, x, {.table = 1, .head_dim = 8});
  BOOST_TEST(same_bits(row_of(x, 0), row_of(before, 0)), "position 0 turns nothing");
  BOOST_TEST(same_bits(row_of(x, 1), row_of(x, 2)));
  for (std::size_t head = 0; head < 2; ++head) {
    const double angle = 5 / 2.0;  // the first frequency is 1, the positions are halved
    const double a = static_cast<double>(other.row(0)[head * 8]);
    const double c = static_cast<double>(other.row(0)[head * 8 + 2]);
    const double turned = a * std::cos(angle) - c * std::sin(angle);
    BOOST_TEST(static_cast<double>(x.row(1)[head * 8]) == turned,
               boost::test_tools::tolerance(1e-5));
    BOOST_TEST(x.row(1)[head * 8 + 4] == other.row(0)[head * 8 + 4],
               "beyond `rotated` nothing turns");
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(append_writes_each_row_to_its_sequence, B, Backends) {
  B b(2);
  const KvRow row{2, 4, 6, FormatId::f32, FormatId::f32};
  ContiguousKv first(row, 1, 8), second(row, 1, 8);
  first.append(3);
  second.append(6);
  BatchRows rows = rows_of_one_sequence(2);
  rows.positions = {2, 5};
  rows.sequence = {0, 1};
  auto step = b.begin(rows, no_ropes);
  const HostMatrix k = random_matrix(2, 8, 8), v = random_matrix(2, 12, 9);
  const KvView views[] = {first.view(0), second.view(0)};
  b.append(step, views, k, v);
  for (std::int64_t t = 0; t < 2; ++t) {
    for (int head = 0; head < 2; ++head) {
      float key[4], value[6];
      read_key(views[t], head, rows.positions[static_cast<std::size_t>(t)], key);
      read_value(views[t], head, rows.positions[static_cast<std::size_t>(t)], value);
      BOOST_TEST(std::equal(key, key + 4, k.row(t) + head * 4));
      BOOST_TEST(std::equal(value, value + 6, v.row(t) + head * 6));
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(attend_takes_each_row_to_its_sequence, B, Backends) {
  B b(3);
  const KvRow row{1, 4, 4, FormatId::f32, FormatId::f32};
  ContiguousKv stores[2] = {{row, 1, 8}, {row, 1, 8}};
  for (int s = 0; s < 2; ++s) {
    stores[s].append(1);
    const float key[4] = {1, 1, 1, 1};
    const float value[4] = {static_cast<float>(s), 2, 3, 4};
    write_kv(stores[s].view(0), 0, 0, key, value);
  }
  BatchRows rows = rows_of_one_sequence(3);
  rows.positions = {0, 0, 0};
  rows.sequence = {1, 0, 1};
  auto step = b.begin(rows, no_ropes);
  HostMatrix y = b.matrix(step, 3, 8);
  const KvView views[] = {stores[0].view(0), stores[1].view(0)};
  b.attend(step, y, random_matrix(3, 8, 10), views, {2, 1.0f}, Causal{});
  for (std::int64_t t = 0; t < 3; ++t) {  // one key: its value
    for (int head = 0; head < 2; ++head) {
      BOOST_TEST(y.row(t)[head * 4] ==
                 static_cast<float>(rows.sequence[static_cast<std::size_t>(t)]));
      BOOST_TEST(y.row(t)[head * 4 + 3] == 4.0f);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(add_gate_select_read, B, Backends) {
  B b(2);
  BatchRows rows = rows_of_one_sequence(4);
  rows.outputs = {3, 1, 3};
  auto step = b.begin(rows, no_ropes);
  HostMatrix x = random_matrix(4, 5, 11);
  const HostMatrix before = random_matrix(4, 5, 11), other = random_matrix(4, 5, 12);
  b.add(step, x, other);
  for (std::int64_t i = 0; i < 20; ++i)
    BOOST_TEST(x.row(0)[i] == before.row(0)[i] + other.row(0)[i]);
  HostMatrix gates(4, 5), ones(4, 5);
  std::fill_n(gates.row(0), 20, 0.0f);
  std::fill_n(ones.row(0), 20, 1.0f);
  gates.row(1)[2] = 100.0f;  // silu(100) is 100 to the last bit
  b.template gate<Activation::silu>(step, gates, ones);
  BOOST_TEST(gates.row(1)[2] == 100.0f);
  BOOST_TEST(gates.row(0)[0] == 0.0f);
  HostMatrix chosen = b.matrix(step, 3, 5);
  b.select(step, chosen, x);
  std::vector<float> out(15);
  b.read(step, chosen, out);
  for (std::size_t i = 0; i < 3; ++i) {
    BOOST_TEST(
        same_bits(std::span<const float>(out).subspan(i * 5, 5), row_of(x, rows.outputs[i])));
  }
}

BOOST_AUTO_TEST_SUITE_END()
