// Temperature against p^(1/t), renormalised, within a derived bound.
#include "lamina/sample/temperature.h"

#include "lamina/verify/compare.h"
#include "sample/brute_force.h"

namespace {

using namespace lamina;
using namespace lamina::test;

}  // namespace

BOOST_AUTO_TEST_SUITE(temperature)

BOOST_AUTO_TEST_CASE(probabilities_are_raised_to_the_power_of_one_over_t) {
  const auto logits = random_logits(200, 1, 0.001f);
  const auto list = ranked(logits);
  for (const double t : {0.1, 0.5, 0.8, 1.3, 10.0}) {
    auto expected = probabilities(list);
    double sum = 0;
    for (double& p : expected) sum += p = std::pow(p, 1 / t);
    for (double& p : expected) p /= sum;
    const auto got = probabilities(left_by(Temperature{t}, logits));
    // A logit of magnitude l / t is stored in float: relative error u l / t of p, and of the sum.
    const double largest = 40 / t;
    const auto bound = [&](std::size_t i) {
      return expected[i] * 2 * std::expm1(largest * float32_rounding.unit) + 1e-300;
    };
    const auto result = compare(std::span(got), expected, bound);
    BOOST_TEST(result.passed(), result.report());
  }
}

BOOST_AUTO_TEST_CASE(closed_forms) {
  check_equal(left_by(Temperature{2}, {1, 5, 3}), {{1, 0}, {2, -1}, {0, -2}});
  check_equal(left_by(Temperature{0.5}, {1, 5, 3}), {{1, 0}, {2, -4}, {0, -8}});
}

BOOST_AUTO_TEST_CASE(one_changes_nothing) {
  const auto logits = random_logits(50, 1);
  Candidates candidates{logits};
  candidates.sort_by_logit();
  Temperature{1}.apply(candidates);
  BOOST_TEST((candidates.order() == CandidateOrder::by_logit));
  check_equal(contents(candidates), ranked(logits));
}

BOOST_AUTO_TEST_CASE(zero_and_less_keep_the_best_with_its_logit) {
  for (const double t : {0.0, -0.0, -1.0}) {
    check_equal(left_by(Temperature{t}, {2, 7, 1, 7}), {{1, 7}});
  }
}

BOOST_AUTO_TEST_CASE(a_tiny_temperature_is_nearly_greedy_and_invents_no_tie) {
  // 11 / 1e-38 and 10 / 1e-38 would both be infinite.
  check_equal(left_by(Temperature{1e-38}, {10, 11, 3}), {{1, 0}, {0, -1e38f}});
  check_equal(left_by(Temperature{1e-300}, {10, 11, 11}), {{1, 0}, {2, 0}});
  check_equal(left_by(Temperature{5e-324}, {-3e38f, 3e38f}), {{1, 0}});
}

BOOST_AUTO_TEST_CASE(infinite_temperature_and_infinite_logits) {
  check_equal(left_by(Temperature{std::numeric_limits<double>::infinity()}, {1, 2}),
              {{0, 0}, {1, 0}});
  check_equal(left_by(Temperature{0.5}, {1, infinity, infinity}), {{1, 0}, {2, 0}});
}

BOOST_AUTO_TEST_CASE(a_nan_is_an_error_and_an_empty_list_is_not) {
  Candidates candidates{std::vector<float>{1, 2}};
  BOOST_CHECK_THROW(Temperature{std::nan("")}.apply(candidates), Error);
  Candidates empty{std::vector<Candidate>{}};
  Temperature{0}.apply(empty);
  Temperature{2}.apply(empty);
  BOOST_TEST(empty.empty());
}

BOOST_AUTO_TEST_CASE(the_best_becomes_more_probable_as_t_falls) {
  const auto logits = random_logits(100, 4);
  double before = 0;
  for (const double t : {8.0, 4.0, 2.0, 1.0, 0.5, 0.25}) {
    const double p = probabilities(left_by(Temperature{t}, logits))[0];
    BOOST_TEST(p > before);
    before = p;
  }
}

BOOST_AUTO_TEST_SUITE_END()
