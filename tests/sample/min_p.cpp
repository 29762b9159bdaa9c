// Min-p against its definition on probabilities.
#include "lamina/sample/min_p.h"

#include "sample/brute_force.h"

namespace {

using namespace lamina;
using namespace lamina::test;

}  // namespace

BOOST_AUTO_TEST_SUITE(min_p)

BOOST_AUTO_TEST_CASE(keeps_what_is_at_least_p_times_as_probable_as_the_best) {
  for (const std::size_t n : {1u, 2u, 30u, 2000u}) {
    const auto logits = random_logits(n, static_cast<unsigned>(n));
    const auto list = ranked(logits);
    const auto q = probabilities(list);
    for (const double p : {1e-9, 0.01, 0.05, 0.3, 0.99}) {
      std::size_t kept = 0;
      while (kept < n && q[kept] >= p * q[0]) ++kept;
      check_equal(left_by(MinP{p}, logits), first(list, kept));
    }
  }
}

BOOST_AUTO_TEST_CASE(closed_forms) {
  // exp(-1) = 0.3679, exp(-2) = 0.1353
  const std::vector<float> logits{5, 4, 3};
  BOOST_TEST(left_by(MinP{0.37}, logits).size() == 1u);
  BOOST_TEST(left_by(MinP{0.36}, logits).size() == 2u);
  BOOST_TEST(left_by(MinP{0.14}, logits).size() == 2u);
  BOOST_TEST(left_by(MinP{0.13}, logits).size() == 3u);
}

BOOST_AUTO_TEST_CASE(zero_and_less_change_nothing) {
  const auto logits = random_logits(50, 1);
  for (const double p : {0.0, -1.0}) {
    Candidates candidates{logits};
    MinP{p}.apply(candidates);
    BOOST_TEST((candidates.order() == CandidateOrder::by_token));
    check_equal(contents(candidates), ranked(logits));
  }
}

BOOST_AUTO_TEST_CASE(one_and_more_keep_all_that_equal_the_best) {
  for (const double p : {1.0, 1.5, std::numeric_limits<double>::infinity()}) {
    check_equal(left_by(MinP{p}, {2, 7, 1, 7}), {{1, 7}, {3, 7}});
  }
}

BOOST_AUTO_TEST_CASE(a_nan_is_an_error_and_an_empty_list_is_not) {
  Candidates candidates{std::vector<float>{1, 2}};
  BOOST_CHECK_THROW(MinP{std::nan("")}.apply(candidates), Error);
  Candidates empty{std::vector<Candidate>{}};
  MinP{0.5}.apply(empty);
  BOOST_TEST(empty.empty());
}

BOOST_AUTO_TEST_CASE(infinite_logits_leave_only_themselves) {
  check_equal(left_by(MinP{1e-300}, {3, infinity, infinity, 4}), {{1, infinity}, {2, infinity}});
}

BOOST_AUTO_TEST_CASE(what_is_left_shrinks_as_p_grows) {
  const auto logits = random_logits(300, 8);
  std::vector<Candidate> larger = left_by(MinP{0}, logits);
  for (double p = 0.01; p < 1.1; p += 0.01) {
    const auto smaller = left_by(MinP{p}, logits);
    check_equal(first(larger, smaller.size()), smaller);
    larger = smaller;
  }
}

BOOST_AUTO_TEST_SUITE_END()
