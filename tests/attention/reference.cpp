// The reference attention: closed forms, a naive implementation in long double for every ratio of
// heads, format and variant, and memory nobody should read full of NaN.
#include "lamina/attention/reference.h"

#include "attention/naive.h"
#include "lamina/attention/alibi.h"
#include "lamina/attention/causal.h"
#include "lamina/attention/chunked.h"
#include "lamina/attention/full.h"
#include "lamina/attention/sinks.h"
#include "lamina/attention/sliding_window.h"
#include "lamina/attention/softcap.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace lamina;
using test::Attention;
using test::Meaning;
using test::minus_infinity;
using test::Problem;

BOOST_AUTO_TEST_SUITE(reference)

namespace {

constexpr KvRow f32_row(int kv_heads, int key_dim, int value_dim) {
  return {kv_heads, key_dim, value_dim, FormatId::f32, FormatId::f32};
}

/// Gives some keys a score of -infinity: they are visible, and yet take no part.
struct ExcludesOdd : Causal {
  bool all = false;
  template <class Real>
  Real score(Real s, int, Position, Position key) const {
    return all || key % 2 == 1 ? -std::numeric_limits<Real>::infinity() : s;
  }
};

/// A mask with holes, which no range can say.
struct EveryThird : Causal {
  bool visible(Position query, Position key) const { return key <= query && key % 3 == 1; }
};

/// A range narrower than what it calls visible: what is outside must not even be read.
struct NarrowRange : Full {
  KeyRange keys(Position) const { return {4, 9}; }
};

}  // namespace

// ---- closed forms

BOOST_AUTO_TEST_CASE(one_key_gives_its_value) {
  const Problem problem = test::random_problem(4, f32_row(2, 5, 3), 1, 1);
  const Attention got = test::attend(problem, Causal{});
  for (int head = 0; head < 4; ++head) {
    for (int d = 0; d < 3; ++d) {
      BOOST_TEST(got.out[static_cast<std::size_t>(head * 3 + d)] ==
                 problem.at(0, head / 2).value[static_cast<std::size_t>(d)]);
    }
  }
  test::check(got, test::expected_of(problem, {}), "one key");
}

BOOST_AUTO_TEST_CASE(equal_scores_give_the_mean) {
  Problem problem = test::random_problem(2, f32_row(1, 4, 2), 8, 2);
  std::fill(problem.q.begin(), problem.q.end(), 0.0f);
  for (Position p = 0; p < 8; ++p) {
    problem.rows[static_cast<std::size_t>(p)].value = {static_cast<float>(p),
                                                       static_cast<float>(8 - 3 * p)};
  }
  const Attention got = test::attend(problem, Causal{});
  for (std::size_t head = 0; head < 2; ++head) {
    BOOST_TEST(got.out[2 * head] == 3.5f);
    BOOST_TEST(got.out[2 * head + 1] == -2.5f);
    BOOST_TEST(got.sums[head].natural == std::log(8.0));
  }
}

BOOST_AUTO_TEST_CASE(a_dominant_key_gives_its_value_alone) {
  Problem problem = test::random_problem(1, f32_row(1, 8, 3), 8, 3);
  problem.query.scale = 1e4;
  for (Position p = 0; p < 8; ++p) {
    auto& key = problem.rows[static_cast<std::size_t>(p)].key;
    std::fill(key.begin(), key.end(), 0.0f);
    key[static_cast<std::size_t>(p)] = 1;
  }
  std::fill(problem.q.begin(), problem.q.end(), 0.0f);
  problem.q[5] = 1;
  const Attention got = test::attend(problem, Causal{});
  BOOST_TEST(same_bits(got.out, problem.at(5, 0).value));
  BOOST_TEST(got.sums[0].natural == 1e4);
}

BOOST_AUTO_TEST_CASE(no_visible_key_gives_zero) {
  const Problem problem = test::random_problem(4, f32_row(2, 5, 3), 6, 4);
  Problem later = problem;
  later.query.position = 50;
  SlidingWindow<> window;
  window.window = 3;
  const Attention outside = test::attend(later, window);
  const test::Placed empty({"empty", 4, {0}, 1, 0, 0}, problem.row, std::byte{0xff});
  const Attention nothing = test::attend(problem, empty.view(), Causal{});
  for (const Attention* got : {&outside, &nothing}) {
    for (const float value : got->out) BOOST_TEST(value == 0.0f);
    for (const LogSumExp& sum : got->sums) BOOST_TEST(sum.natural == minus_infinity);
  }
}

// ---- against the naive implementation

BOOST_AUTO_TEST_CASE(every_ratio_of_heads_and_pair_of_formats) {
  for (const int kv_heads : {6, 3, 2, 1}) {
    for (const FormatId key : test::kv_formats) {
      for (const FormatId value : test::kv_formats) {
        const KvRow row{kv_heads, 40, 24, key, value};
        const Problem problem = test::random_problem(6, row, 19, 5);
        const std::string what = "6 heads on " + std::to_string(kv_heads) + ", " +
                                 format_name(key) + " and " + format_name(value);
        test::check(test::attend(problem, Causal{}), test::expected_of(problem, {}), what);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(dimensions_of_keys_and_values_are_independent) {
  for (const auto& [key_dim, value_dim] : {std::pair{1, 7}, {7, 1}, {16, 16}, {64, 80}, {80, 24}}) {
    const Problem problem = test::random_problem(4, f32_row(2, key_dim, value_dim), 33, 6);
    test::check(test::attend(problem, Causal{}), test::expected_of(problem, {}),
                std::to_string(key_dim) + " and " + std::to_string(value_dim));
  }
}

BOOST_AUTO_TEST_CASE(every_kind_of_input) {
  for (const InputKind kind : input_kinds) {
    Problem problem = test::random_problem(2, f32_row(1, 16, 8), 40, 7);
    fill(problem.q, kind, 71);
    for (std::size_t i = 0; i < problem.rows.size(); ++i) {
      fill(problem.rows[i].key, InputSource{kind, 2 * i, 16});
      fill(problem.rows[i].value, InputSource{kind, 2 * i + 1, 8});
    }
    test::check(test::attend(problem, Causal{}), test::expected_of(problem, {}),
                std::string(name(kind)));
  }
}

BOOST_AUTO_TEST_CASE(queries_in_the_middle_see_only_their_past) {
  Problem problem = test::random_problem(3, f32_row(1, 8, 4), 30, 8);
  for (const Position position : {0, 1, 13, 29}) {
    problem.query.position = position;
    Meaning causal;
    causal.visible = [&](Position k) { return k <= position; };
    test::check(test::attend(problem, Causal{}), test::expected_of(problem, causal),
                "query at " + std::to_string(position));
    test::check(test::attend(problem, Full{}), test::expected_of(problem, {}), "full");
  }
}

BOOST_AUTO_TEST_CASE(windows_and_chunks) {
  Problem problem = test::random_problem(4, f32_row(2, 8, 4), 30, 9);
  problem.query.position = 22;
  for (const int size : {1, 4, 9, 100}) {
    SlidingWindow<> window;
    window.window = size;
    Meaning sliding;
    sliding.visible = [&](Position k) { return k <= 22 && k > 22 - size; };
    test::check(test::attend(problem, window), test::expected_of(problem, sliding), "window");
    Chunked<> chunks;
    chunks.chunk = size;
    Meaning chunked;
    chunked.visible = [&](Position k) { return k <= 22 && k >= 22 - 22 % size; };
    test::check(test::attend(problem, chunks), test::expected_of(problem, chunked), "chunk");
  }
}

BOOST_AUTO_TEST_CASE(softcapped_and_biased_scores) {
  Problem problem = test::random_problem(6, f32_row(2, 16, 4), 25, 10);
  problem.query.scale = 3;  // far into the cap
  Softcap<> capped;
  capped.cap = 5;
  Meaning cap;
  cap.score = [](long double s, int, Position) { return 5 * std::tanh(s / 5); };
  cap.error = [](double s, double error, int, Position) {
    return softcap_bound({.cap = 5, .score = s, .score_error = error}, float64_rounding);
  };
  test::check(test::attend(problem, capped), test::expected_of(problem, cap), "softcap");
  Alibi<> biased;
  biased.heads = 6;
  // Slopes of 6 heads: 2^-2, 2^-4, 2^-6, 2^-8, then 2^-1, 2^-3. The product and the sum round.
  const int exponents[] = {2, 4, 6, 8, 1, 3};
  const auto bias = [&](int head, Position k) {
    return std::ldexp(static_cast<double>(k - 24), -exponents[head]);
  };
  Meaning alibi;
  alibi.score = [&](long double s, int head, Position k) { return s + bias(head, k); };
  alibi.error = [&](double s, double error, int head, Position k) {
    return store_bound(std::fabs(s) + std::fabs(bias(head, k)), error, float64_rounding);
  };
  test::check(test::attend(problem, biased), test::expected_of(problem, alibi), "alibi");
}

BOOST_AUTO_TEST_CASE(sinks_take_their_share) {
  const Problem problem = test::random_problem(4, f32_row(2, 8, 3), 12, 11);
  Sinks<> variant;
  Meaning meaning;
  meaning.sinks = {0.5f, -3.0f, 40.0f, -200.0f};  // one that dominates, one that is nothing
  variant.sinks = meaning.sinks.data();
  test::check(test::attend(problem, variant), test::expected_of(problem, meaning), "sinks");
}

BOOST_AUTO_TEST_CASE(a_sink_of_minus_infinity_is_none) {
  const Problem problem = test::random_problem(2, f32_row(1, 8, 3), 12, 12);
  const float infinite[] = {-std::numeric_limits<float>::infinity(),
                            -std::numeric_limits<float>::infinity()};
  Sinks<> variant;
  variant.sinks = infinite;
  BOOST_TEST(test::same(test::attend(problem, variant), test::attend(problem, Causal{})));
  const test::Placed empty({"empty", 4, {0}, 1, 0, 0}, problem.row);
  const Attention nothing = test::attend(problem, empty.view(), variant);
  for (const float value : nothing.out) BOOST_TEST(value == 0.0f);
  for (const LogSumExp& sum : nothing.sums) BOOST_TEST(sum.natural == minus_infinity);
}

BOOST_AUTO_TEST_CASE(a_sink_alone_leaves_nothing) {
  const Problem problem = test::random_problem(2, f32_row(1, 8, 3), 12, 13);
  const float logits[] = {1.5f, -2.0f};
  Sinks<> variant;
  variant.sinks = logits;
  const test::Placed empty({"empty", 4, {0}, 1, 0, 0}, problem.row);
  const Attention nothing = test::attend(problem, empty.view(), variant);
  for (const float value : nothing.out) BOOST_TEST(value == 0.0f);
  BOOST_TEST(nothing.sums[0].natural == 1.5);
  BOOST_TEST(nothing.sums[1].natural == -2.0);
}

// ---- what must not be read, and what must come through

BOOST_AUTO_TEST_CASE(nan_outside_the_visible_keys_is_never_seen) {
  const std::vector<test::Layout> layouts{
      {"contiguous", 40, {0}, 1, 0, 30},
      {"ring", 12, {0}, 1, 18, 30},
      {"pages", 7, {3, 5, 0, 6, 1}, 9, 0, 30},  // the last page is used in part
      {"ring of pages", 4, {2, 0, 1}, 4, 18, 30},
  };
  for (const test::Layout& layout : layouts) {
    for (const FormatId format : test::kv_formats) {
      Problem problem = test::random_problem(4, {2, 40, 24, format, format}, 30, 14);
      problem.query.position = 27;  // 28 and 29 are appended, but later
      SlidingWindow<> variant;
      variant.window = 6;
      const test::Placed clean(layout, problem.row, std::byte{0});
      const test::Placed poisoned(layout, problem.row, std::byte{0xff});
      test::store(problem, clean.view(), [](Position) { return true; });
      test::store(problem, poisoned.view(), [](Position p) { return p > 21 && p <= 27; });
      const Attention got = test::attend(problem, poisoned.view(), variant);
      const std::string what = layout.name + ", " + format_name(format);
      BOOST_TEST(test::same(got, test::attend(problem, clean.view(), variant)), what);
      Meaning meaning;
      meaning.visible = [](Position k) { return k > 21 && k <= 27; };
      test::check(got, test::expected_of(problem, meaning), what);
    }
  }
}

BOOST_AUTO_TEST_CASE(mask_and_range_both_hide) {
  const Problem problem = test::random_problem(2, f32_row(1, 8, 3), 20, 21);
  const auto check = [&](const auto& variant, const auto& visible, const std::string& what) {
    const test::Placed placed({"contiguous", 20, {0}, 1, 0, 20}, problem.row, std::byte{0xff});
    test::store(problem, placed.view(), visible);
    Meaning meaning;
    meaning.visible = visible;
    test::check(test::attend(problem, placed.view(), variant), test::expected_of(problem, meaning),
                what);
  };
  check(
      EveryThird{}, [](Position k) { return k % 3 == 1; }, "a mask with holes");
  check(
      NarrowRange{}, [](Position k) { return k >= 4 && k < 9; }, "a narrow range");
}

BOOST_AUTO_TEST_CASE(a_view_bounds_what_any_variant_sees) {
  const Problem problem = test::random_problem(2, f32_row(1, 8, 3), 20, 22);
  const test::Placed ring({"ring", 12, {0}, 1, 8, 17}, problem.row, std::byte{0xff});
  test::store(problem, ring.view(), [](Position) { return true; });
  Meaning held;
  held.visible = [](Position k) { return k >= 8 && k < 17; };
  test::check(test::attend(problem, ring.view(), Full{}), test::expected_of(problem, held), "full");
  test::check(test::attend(problem, ring.view(), Causal{}), test::expected_of(problem, held),
              "causal");
}

BOOST_AUTO_TEST_CASE(the_layout_of_memory_changes_no_bit) {
  const Problem problem =
      test::random_problem(4, {2, 40, 24, FormatId::q8_0, FormatId::q4_0}, 20, 15);
  const test::Placed pages({"pages", 3, {6, 2, 0, 5, 1, 4, 3}, 7, 0, 20}, problem.row);
  const test::Placed ring({"ring", 21, {0}, 1, 0, 20}, problem.row);
  test::store(problem, pages.view(), [](Position) { return true; });
  test::store(problem, ring.view(), [](Position) { return true; });
  const Attention expected = test::attend(problem, Causal{});
  BOOST_TEST(test::same(test::attend(problem, pages.view(), Causal{}), expected));
  BOOST_TEST(test::same(test::attend(problem, ring.view(), Causal{}), expected));
}

BOOST_AUTO_TEST_CASE(scores_of_minus_infinity_take_no_part) {
  Problem problem = test::random_problem(2, f32_row(1, 8, 3), 9, 16);
  for (Position p = 1; p < 9; p += 2) {  // their values are not even looked at
    problem.rows[static_cast<std::size_t>(p)].value.assign(3, test::float_nan);
  }
  Meaning even;
  even.visible = [](Position k) { return k % 2 == 0; };
  test::check(test::attend(problem, ExcludesOdd{}), test::expected_of(problem, even), "odd");
  ExcludesOdd none;
  none.all = true;
  const Attention nothing = test::attend(problem, none);
  for (const float value : nothing.out) BOOST_TEST(value == 0.0f);
  for (const LogSumExp& sum : nothing.sums) BOOST_TEST(sum.natural == minus_infinity);
}

BOOST_AUTO_TEST_CASE(a_visible_nan_is_not_hidden) {
  const Problem whole = test::random_problem(2, f32_row(2, 4, 3), 9, 17);
  Problem in_key = whole, in_value = whole;
  in_key.rows[4 * 2 + 1].key[2] = test::float_nan;  // position 4, KV head 1
  in_value.rows[4 * 2 + 1].value[2] = test::float_nan;
  const Attention expected = test::attend(whole, Causal{});
  const Attention key = test::attend(in_key, Causal{}), value = test::attend(in_value, Causal{});
  for (std::size_t d = 0; d < 3; ++d) {
    BOOST_TEST(key.out[d] == expected.out[d]);
    BOOST_TEST(value.out[d] == expected.out[d]);
    BOOST_TEST(std::isnan(key.out[3 + d]));
    BOOST_TEST(std::isnan(value.out[3 + d]) == (d == 2));
  }
  BOOST_TEST(std::isnan(key.sums[1].natural));
}

// ---- properties

BOOST_AUTO_TEST_CASE(permuting_heads_permutes_the_result) {
  const Problem problem = test::random_problem(6, f32_row(3, 8, 4), 15, 18);
  const Attention before = test::attend(problem, Causal{});
  // KV heads 2 0 1, and within each group the two query heads swapped.
  const int kv_heads[] = {2, 0, 1}, heads[] = {5, 4, 1, 0, 3, 2};
  Problem permuted = problem;
  for (Position p = 0; p < 15; ++p) {
    for (int g = 0; g < 3; ++g) {
      permuted.rows[static_cast<std::size_t>(p * 3 + g)] = problem.at(p, kv_heads[g]);
    }
  }
  for (int h = 0; h < 6; ++h) {
    std::copy_n(problem.q.begin() + heads[h] * 8, 8, permuted.q.begin() + h * 8);
  }
  const Attention after = test::attend(permuted, Causal{});
  for (std::size_t h = 0; h < 6; ++h) {
    const auto from = static_cast<std::size_t>(heads[h]);
    BOOST_TEST(after.sums[h].natural == before.sums[from].natural);
    for (std::size_t d = 0; d < 4; ++d) {
      BOOST_TEST(after.out[h * 4 + d] == before.out[from * 4 + d]);
    }
  }
}

BOOST_AUTO_TEST_CASE(large_scores_do_not_overflow) {
  Problem problem = test::random_problem(2, f32_row(1, 8, 3), 20, 19);
  problem.query.scale = 1e5;
  test::check(test::attend(problem, Causal{}), test::expected_of(problem, {}), "scale 1e5");
  problem.query.scale = -1e5;
  test::check(test::attend(problem, Causal{}), test::expected_of(problem, {}), "scale -1e5");
}

BOOST_AUTO_TEST_CASE(sums_are_optional) {
  const Problem problem = test::random_problem(2, f32_row(1, 8, 3), 5, 20);
  const Attention with = test::attend(problem, Causal{});
  const test::Placed placed({"contiguous", 5, {0}, 1, 0, 5}, problem.row);
  test::store(problem, placed.view(), [](Position) { return true; });
  std::vector<float> out(6);
  attend_reference(problem.query, problem.q.data(), placed.view(), Causal{}, out.data());
  BOOST_TEST(same_bits(out, with.out));
}

BOOST_AUTO_TEST_SUITE_END()
