// The graph against transformers, on both backends and on one that only queues; every way of
// feeding it.
#include "lamina/model/model.h"

#include "tests/backend/portable_cpu.h"
#include "lamina/backend/reference/backend.h"
#include "lamina/verify/compare.h"
#include "tests/model/architectures.h"
#include "tests/model/perturbed_backend.h"
#include "tests/model/queued_backend.h"
#include "tests/model/small_model.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <numeric>
#include <random>

using namespace lamina;
using namespace lamina::test;

namespace {

/// Pieces of random lengths that add up to `count`.
std::vector<std::size_t> random_split(std::size_t count, std::mt19937& random) {
  std::vector<std::size_t> lengths;
  while (count > 0) {
    lengths.push_back(std::uniform_int_distribution<std::size_t>(1, count)(random));
    count -= lengths.back();
  }
  return lengths;
}

double largest_difference(std::span<const float> a, std::span<const float> b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = std::fabs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
    if (!(difference <= largest)) largest = difference;  // a NaN stays
  }
  return largest;
}

template <class C, class B>
void check_feedings(const SmallModel& model, std::uint32_t seed) {
  std::mt19937 random(seed);
  BOOST_TEST_MESSAGE(C::name << " on " << B::name << ", seed " << seed);
  auto alone = make_graph<typename C::Arch>(model.file, B(1));
  const std::vector<float> expected = feed_whole(alone, model.tokens);
  const std::vector<std::size_t> ones(model.tokens.size(), 1);
  for (const int threads : {1, 2, 3, 7}) {
    auto graph = make_graph<typename C::Arch>(model.file, B(threads));
    BOOST_TEST(same_bits(feed_whole(graph, model.tokens), expected), threads << " threads, whole");
    BOOST_TEST(same_bits(feed_pieces(graph, model.tokens, ones), expected),
               threads << " threads, token by token");
    const auto lengths = random_split(model.tokens.size(), random);
    BOOST_TEST(same_bits(feed_pieces(graph, model.tokens, lengths), expected),
               threads << " threads, random pieces");
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(model)

BOOST_AUTO_TEST_CASE_TEMPLATE(reference_agrees_with_transformers, C, Cases) {
  const SmallModel model = small_model(C::name);
  auto graph = make_graph<typename C::Arch>(model.file, ReferenceBackend(2));
  const std::vector<float> logits = feed_whole(graph, model.tokens);
  BOOST_TEST_REQUIRE(logits.size() == model.logits.values.size());
  BOOST_TEST(largest_difference(logits, model.logits.values) < 1e-4, C::name);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(cpu_is_within_its_derived_bound, C, Cases) {
  const SmallModel model = small_model(C::name);
  auto reference = make_graph<typename C::Arch>(model.file, ReferenceBackend(2));
  auto cpu = make_graph<typename C::Arch>(model.file, PortableCpu(2));
  const std::vector<float> expected = feed_whole(reference, model.tokens);
  const std::vector<float> got = feed_whole(cpu, model.tokens);
  const double bound = model_bound<typename C::Arch>(model.file, model.tokens, expected);
  const double worst = largest_difference(got, expected);
  BOOST_TEST_MESSAGE(C::name << ": difference " << worst << ", bound " << bound);
  BOOST_TEST(worst <= bound, C::name);
  BOOST_TEST(bound < 2e-3, C::name << ": a bound this wide shows nothing");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(feeding_changes_no_bit, C, Cases) {
  const SmallModel model = small_model(C::name);
  const std::uint32_t seed = std::random_device()();
  check_feedings<C, ReferenceBackend>(model, seed);
  check_feedings<C, PortableCpu>(model, seed);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(graph_never_reads_a_value, C, Cases) {
  const SmallModel model = small_model(C::name);
  auto reference = make_graph<typename C::Arch>(model.file, ReferenceBackend(1));
  auto queued = make_graph<typename C::Arch>(model.file, QueuedBackend());
  const std::vector<std::size_t> lengths{7, 1, 1, 20};
  BOOST_TEST(
      same_bits(feed_pieces(queued, model.tokens, lengths), feed_whole(reference, model.tokens)),
      C::name);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(sequences_of_a_batch_do_not_meet, C, Cases) {
  const SmallModel model = small_model(C::name);
  auto graph = make_graph<typename C::Arch>(model.file, PortableCpu(2));
  const std::vector<Token> first(model.tokens.begin(), model.tokens.begin() + 31);
  const std::vector<Token> second(model.tokens.rbegin(), model.tokens.rbegin() + 17);
  const std::vector<float> alone[] = {feed_whole(graph, first), feed_whole(graph, second)};

  SequenceState a(graph.extents(), exact_kv, 64, 64), b(graph.extents(), exact_kv, 64, 64);
  SequenceState* states[] = {&b, &a};
  BatchRows rows;
  std::vector<std::pair<int, std::size_t>> owners;  // of each row: which sequence, which token
  for (std::size_t t = 0; t < first.size(); ++t) {
    for (int which = 0; which < 2; ++which) {
      const std::vector<Token>& of = which == 0 ? first : second;
      if (t >= of.size()) continue;
      rows.tokens.push_back(of[t]);
      rows.positions.push_back(static_cast<Position>(t));
      rows.sequence.push_back(1 - which);
      rows.outputs.insert(rows.outputs.begin(), static_cast<std::int32_t>(owners.size()));
      owners.emplace_back(which, t);
    }
  }
  const auto vocab = static_cast<std::size_t>(graph.extents().vocab);
  std::vector<float> logits(owners.size() * vocab);
  graph.forward(rows, states, logits);
  for (std::size_t i = 0; i < owners.size(); ++i) {
    const auto [which, token] = owners[owners.size() - 1 - i];  // outputs were asked for backwards
    BOOST_TEST(same_bits(std::span(logits).subspan(i * vocab, vocab),
                         std::span(alone[which]).subspan(token * vocab, vocab)));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(forks_and_rollbacks_are_exact, C, Cases) {
  const SmallModel model = small_model(C::name);
  auto graph = make_graph<typename C::Arch>(model.file, PortableCpu(1));
  const std::span tokens(model.tokens);
  const std::vector<float> expected = feed_whole(graph, model.tokens);
  const auto vocab = static_cast<std::size_t>(graph.extents().vocab);
  const auto tail = std::span(expected).subspan(20 * vocab);

  SequenceState state(graph.extents(), exact_kv, 64, 64);
  feed(graph, state, tokens.first(20));
  SequenceState twin = state.fork();
  const std::vector<Token> other(model.tokens.rbegin(), model.tokens.rbegin() + 9);
  feed(graph, state, other);
  BOOST_TEST(same_bits(feed(graph, twin, tokens.subspan(20)), tail), "the fork goes its own way");
  state.rollback(20);
  BOOST_TEST(same_bits(feed(graph, state, tokens.subspan(20)), tail), "as if never fed");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(rounded_stores_keep_the_bits_of_every_feeding, C, Cases) {
  const SmallModel model = small_model(C::name);
  auto graph = make_graph<typename C::Arch>(model.file, PortableCpu(2));
  const std::vector<std::size_t> ones(model.tokens.size(), 1);
  const auto exact = feed_whole(graph, model.tokens);
  for (const FormatId format : {FormatId::f16, FormatId::bf16, FormatId::q8_0, FormatId::q4_0}) {
    const KvFormats formats{format, FormatId::f16};
    const auto whole = feed_whole(graph, model.tokens, formats);
    BOOST_TEST(same_bits(feed_pieces(graph, model.tokens, ones, formats), whole));
    BOOST_TEST(largest_difference(whole, exact) > 0);  // the rounding is really there
    BOOST_TEST(largest_difference(whole, exact) < 2.0);
  }
}

BOOST_AUTO_TEST_SUITE_END()
