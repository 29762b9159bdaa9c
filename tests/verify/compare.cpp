// The comparison sees what it must, and each kind of broken kernel fails it.
#include "lamina/verify/compare.h"

#include "lamina/verify/inputs.h"

#include <boost/test/unit_test.hpp>

#include <limits>
#include <string>
#include <vector>

namespace {

using namespace lamina;

constexpr float nan_f = std::numeric_limits<float>::quiet_NaN();
constexpr float inf_f = std::numeric_limits<float>::infinity();
constexpr double nan_d = std::numeric_limits<double>::quiet_NaN();
constexpr double inf_d = std::numeric_limits<double>::infinity();

Comparison one(float got, double expected, double bound, CompareOptions options = {}) {
  return compare(std::vector{got}, std::vector{expected}, bound, options);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(comparison)

BOOST_AUTO_TEST_CASE(an_error_of_exactly_the_bound_passes_and_more_does_not) {
  BOOST_TEST(one(1.5f, 1.0, 0.5).passed());
  BOOST_TEST(one(1.5f, 1.0, 0.5).worst_ratio == 1.0);
  BOOST_TEST(!one(1.5f, 1.0, 0.4999).passed());
  BOOST_TEST(one(1.0f, 1.0, 0.0).passed());
  BOOST_TEST(!one(std::nextafter(1.0f, 2.0f), 1.0, 0.0).passed());
  BOOST_TEST(one(0.0f, -0.0, 0.0).passed());
}

BOOST_AUTO_TEST_CASE(nan_equals_nothing_and_stays_in_every_maximum) {
  const std::vector<float> got{1, nan_f, 3};
  const auto result = compare(got, std::vector<double>{1, 2, 3}, 1e9);
  BOOST_TEST(!result.passed());
  BOOST_TEST(result.nans == 1u);
  BOOST_TEST(result.unwritten == 0u);
  BOOST_TEST(result.over == 1u);
  BOOST_TEST(result.worst_index == 1u);
  for (const double worst : {result.worst_ratio, result.max_abs, result.max_rel, result.max_ulp}) {
    BOOST_TEST(worst == inf_d);
  }
  BOOST_TEST(!one(1.0f, nan_d, 1e9).passed());
  BOOST_TEST(!one(nan_f, nan_d, 1e9).passed());
  BOOST_TEST(!one(nan_f, inf_d, 1e9).passed());
}

BOOST_AUTO_TEST_CASE(nan_where_nan_is_expected_passes_only_if_asked_for) {
  BOOST_TEST(one(nan_f, nan_d, 0, {.nan_equal = true}).passed());
  BOOST_TEST(!one(1.0f, nan_d, 0, {.nan_equal = true}).passed());
  BOOST_TEST(!one(nan_f, 1.0, 1e9, {.nan_equal = true}).passed());
  const GuardedBuffer<float> untouched(1);
  BOOST_TEST(!compare(untouched.span(), std::vector{nan_d}, 0.0, {.nan_equal = true}).passed());
}

BOOST_AUTO_TEST_CASE(infinities_are_right_only_where_they_are_expected) {
  BOOST_TEST(one(inf_f, inf_d, 0).passed());
  BOOST_TEST(!one(-inf_f, inf_d, 1e300).passed());
  BOOST_TEST(!one(inf_f, 1.0, 1e300).passed());
  BOOST_TEST(!one(3e38f, inf_d, 1e300).passed());
  BOOST_TEST(one(inf_f, 1.0, 1.0).max_abs == inf_d);
}

BOOST_AUTO_TEST_CASE(unwritten_elements_are_counted_whichever_pattern_they_hold) {
  for (const int pattern : {0, 1}) {
    GuardedBuffer<float> buffer(4, {.pattern = pattern});
    buffer.span()[1] = 7;
    const auto result = compare(buffer.span(), std::vector<double>(4, 7), 1.0);
    BOOST_TEST(result.unwritten == 3u);
    BOOST_TEST(result.nans == 0u);
    BOOST_TEST(result.over == 3u);
  }
}

BOOST_AUTO_TEST_CASE(errors_are_reported_in_all_units) {
  const std::vector<float> got{2.0f, 4.5f, 0.25f};
  const auto result = compare(got, std::vector<double>{2, 4, 0}, std::vector<double>{1, 0.125, 1});
  BOOST_TEST(result.elements == 3u);
  BOOST_TEST(result.over == 1u);
  BOOST_TEST(result.worst_ratio == 4.0);
  BOOST_TEST(result.worst_index == 1u);
  BOOST_TEST(result.max_abs == 0.5);
  BOOST_TEST(result.max_rel == 0.125);
  BOOST_TEST(result.max_ulp == 0.25 / 0x1p-149);  // of 0
  BOOST_TEST(one(4.5f, 4.0, 1).max_ulp == 0.5 / 0x1p-21);
  const std::vector<bfloat16> coarse{to_bfloat16(1.0078125f)};
  BOOST_TEST(compare(coarse, std::vector{1.0}, 1.0).max_ulp == 1.0);
  const std::vector<float16> half{to_float16(3.0f)};
  BOOST_TEST(compare(half, std::vector{1.0}, 1.0).max_abs == 2.0);
  BOOST_TEST(compare(std::vector{1.0 + 0x1p-52}, std::vector{1.0}, 1.0).max_ulp == 1.0);
}

BOOST_AUTO_TEST_CASE(what_cannot_fail_is_refused) {
  BOOST_CHECK_THROW(one(1.0f, 1.0, inf_d), Error);
  BOOST_CHECK_THROW(one(1.0f, 1.0, nan_d), Error);
  BOOST_CHECK_THROW(one(1.0f, 1.0, -1.0), Error);
  const std::vector<float> got{1, 2};
  BOOST_CHECK_THROW(compare(got, std::vector<double>{1}, 1.0), Error);
  BOOST_CHECK_THROW(compare(got, std::vector<double>{1, 2}, std::vector<double>{1}), Error);
  const std::vector<float> nothing;
  BOOST_TEST(!compare(nothing, std::vector<double>{}, 1.0).passed());
  BOOST_TEST(compare(nothing, std::vector<double>{}, 1.0, {.allow_empty = true}).passed());
  BOOST_TEST(compare(nothing, std::vector<double>{}, 1.0).report("k") ==
             "FAIL k: nothing was compared");
}

BOOST_AUTO_TEST_CASE(the_report_names_the_worst_five_and_their_box) {
  std::vector<float> got(40, 1);
  const std::vector<double> expected(40, 1);
  for (std::size_t i = 0; i < 7; ++i) got[10 + i] = 1.5f + static_cast<float>(i);  // worst: 16
  const auto result = compare(got, expected, 0.25, {.cols = 8});
  BOOST_TEST(result.worst_count == 5u);
  BOOST_TEST(result.worst[0].index == 16u);
  BOOST_TEST(result.worst[4].index == 12u);
  const std::string text = result.report("kernel");
  BOOST_TEST(text.starts_with("FAIL kernel e=26 at [2, 0] "), text);
  BOOST_TEST(text.find("7 wrong (0 nan, 0 unwritten) in rows 1-2, columns 0-7") != text.npos, text);
  BOOST_TEST(text.find("\n  [2, 0] got 7.5 expected 1 bound 0.25 e=26") != text.npos, text);
  BOOST_TEST(text.find("[1, 3]") == text.npos, text);  // the sixth
  const std::string good = compare(expected, expected, 0.0).report("same");
  BOOST_TEST(good == "PASS same e=0 at [0] abs=0 rel=0 ulp=0 of 40", good);
}

BOOST_AUTO_TEST_CASE(equal_ratios_are_listed_by_index) {
  const auto result = compare(std::vector<float>(8, 2), std::vector<double>(8, 1), 0.5);
  for (std::size_t i = 0; i < 5; ++i) BOOST_TEST(result.worst[i].index == i);
  BOOST_TEST(result.worst_index == 0u);
}

BOOST_AUTO_TEST_CASE(bits_are_compared_as_bits) {
  const std::vector<float> a{1, nan_f, 0};
  BOOST_TEST(same_bits(a, std::vector<float>{1, nan_f, 0}));
  BOOST_TEST(first_difference(a, std::vector<float>{1, nan_f, -0.0f}).value() == 2u);
  BOOST_TEST(first_difference(a, std::vector<float>{1, nan_f}).value() == 2u);
  BOOST_TEST(first_difference(a, std::vector<float>{1, nan_f, 0, 4}).value() == 3u);
  BOOST_TEST(!same_bits(a, std::vector<float>{1, unreadable<float>(), 0}));
  BOOST_TEST(same_bits(std::span<const float>(a), std::vector<float>(a)));
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

constexpr std::size_t rows = 37;
constexpr std::size_t cols = 200;
constexpr std::size_t tile = 64;

struct Problem {
  std::vector<float> w, x;  // [rows, cols], [cols]
  std::vector<double> expected, bound;
};

Problem problem(InputKind kind) {
  Problem p{std::vector<float>(rows * cols), std::vector<float>(cols), {}, {}};
  fill(p.w, InputSource{.kind = kind, .seed = 1, .cols = cols});
  fill(p.x, InputSource{.kind = kind, .seed = 2, .cols = cols});
  for (std::size_t r = 0; r < rows; ++r) {
    double sum = 0;
    double magnitude = 0;
    for (std::size_t i = 0; i < cols; ++i) {
      const double product = static_cast<double>(p.w[r * cols + i]) * static_cast<double>(p.x[i]);
      sum += product;
      magnitude += std::fabs(product);
    }
    p.expected.push_back(sum);
    p.bound.push_back(dot_bound(cols, magnitude));
  }
  return p;
}

/// y = W x tile by tile, with one thing wrong at a time.
enum class Fault {
  none,
  drop_last_tile,
  scale,
  off_by_one,
  unwritten_row,
  nan_row,
  swapped_lanes,
  write_past_end,
  write_before_start,
  read_stale_output
};

float row_dot(const Problem& p, std::size_t r, Fault fault) {
  const std::size_t end = fault == Fault::drop_last_tile ? cols / tile * tile : cols;
  const std::size_t shift = fault == Fault::off_by_one ? 1 : 0;
  float lanes[4] = {};
  for (std::size_t i = 0; i < end; ++i) {
    const bool swap = fault == Fault::swapped_lanes && i % 4 < 2;
    const std::size_t from = swap ? i ^ 1u : (i + shift) % cols;
    lanes[i % 4] += p.w[r * cols + i] * p.x[from];
  }
  const float sum = (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]);
  return fault == Fault::scale ? sum * 1.01f : sum;
}

void kernel(const Problem& p, std::span<float> y, Fault fault) {
  for (std::size_t r = 0; r < rows; ++r) {
    if (fault == Fault::unwritten_row && r == 20) continue;
    const float stale = fault == Fault::read_stale_output ? y[r] * 0 : 0.0f;
    y[r] = row_dot(p, r, fault) + stale;
    if (fault == Fault::nan_row && r == 20) y[r] = nan_f;
  }
  if (fault == Fault::write_past_end) y.data()[rows] = 0;
  if (fault == Fault::write_before_start) y.data()[-1] = 0;
}

bool caught(InputKind kind, Fault fault) {
  const Problem p = problem(kind);
  GuardedBuffer<float> y(rows);
  kernel(p, y.span(), fault);
  return y.damage().has_value() || !compare(y.span(), p.expected, p.bound).passed();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(broken_kernels)

BOOST_AUTO_TEST_CASE(a_correct_kernel_passes_on_every_input) {
  for (const InputKind kind : input_kinds) {
    BOOST_TEST(!caught(kind, Fault::none), name(kind));
  }
}

BOOST_AUTO_TEST_CASE(each_broken_kernel_is_caught) {
  for (const Fault fault :
       {Fault::drop_last_tile, Fault::scale, Fault::off_by_one, Fault::unwritten_row,
        Fault::nan_row, Fault::swapped_lanes, Fault::write_past_end, Fault::write_before_start,
        Fault::read_stale_output}) {
    for (const InputKind kind :
         {InputKind::normal, InputKind::outliers, InputKind::small_integers}) {
      BOOST_TEST(caught(kind, fault), "fault " << static_cast<int>(fault) << " " << name(kind));
    }
  }
}

BOOST_AUTO_TEST_CASE(exact_inputs_show_an_error_of_one_ulp) {
  const Problem p = problem(InputKind::small_integers);
  std::vector<float> y(rows);
  kernel(p, y, Fault::none);
  BOOST_TEST(compare(y, p.expected, 0.0).passed());
  y[5] = std::nextafter(y[5], inf_f);
  BOOST_TEST(!compare(y, p.expected, 0.0).passed());
  BOOST_TEST(compare(y, p.expected, p.bound).passed());  // which the bound alone would let through
}

BOOST_AUTO_TEST_SUITE_END()
