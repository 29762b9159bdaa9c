// Top-k against the first k of a full sort.
#include "lamina/sample/top_k.h"

#include "sample/brute_force.h"

namespace {

using namespace lamina;
using namespace lamina::test;

}  // namespace

BOOST_AUTO_TEST_SUITE(top_k)

BOOST_AUTO_TEST_CASE(keeps_the_first_k_of_the_sorted_list) {
  for (const std::size_t n : {1u, 2u, 17u, 1000u}) {
    const auto logits = random_logits(n, static_cast<unsigned>(n));
    for (const std::int64_t k : {1, 2, 5, 16, 17, 18, 500}) {
      check_equal(left_by(TopK{k}, logits), first(ranked(logits), static_cast<std::size_t>(k)));
    }
  }
}

BOOST_AUTO_TEST_CASE(of_equal_logits_the_lower_tokens_stay) {
  const std::vector<float> logits{1, 5, 2, 5, 5, 2, 2};
  check_equal(left_by(TopK{2}, logits), {{1, 5}, {3, 5}});
  check_equal(left_by(TopK{5}, logits), {{1, 5}, {3, 5}, {4, 5}, {2, 2}, {5, 2}});
  check_equal(left_by(TopK{3}, std::vector<float>(9, 0)), {{0, 0}, {1, 0}, {2, 0}});
}

BOOST_AUTO_TEST_CASE(no_limit_and_a_wide_one_change_nothing) {
  const auto logits = random_logits(50, 1);
  for (const std::int64_t k :
       {std::int64_t{0}, std::int64_t{-1}, std::int64_t{50}, std::int64_t{51},
        std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()}) {
    Candidates candidates{logits};
    TopK{k}.apply(candidates);
    BOOST_TEST((candidates.order() == CandidateOrder::by_token));  // not even sorted
    check_equal(contents(candidates), ranked(logits));
  }
}

BOOST_AUTO_TEST_CASE(what_is_left_grows_with_k) {
  const auto logits = random_logits(200, 5);
  for (std::int64_t k = 1; k < 200; ++k) {
    const auto small = left_by(TopK{k}, logits);
    check_equal(first(left_by(TopK{k + 1}, logits), small.size()), small);
  }
}

BOOST_AUTO_TEST_CASE(infinite_and_missing_logits) {
  check_equal(left_by(TopK{2}, {infinity, 3, not_a_number, infinity, -infinity}),
              {{0, infinity}, {3, infinity}});
  Candidates empty{std::vector<Candidate>{}};
  TopK{3}.apply(empty);
  BOOST_TEST(empty.empty());
}

BOOST_AUTO_TEST_CASE(a_large_vocabulary) {
  const auto logits = random_logits(262144, 9, 0.001f);
  Candidates candidates{logits};
  TopK{40}.apply(candidates);
  BOOST_TEST(std::is_sorted(candidates.begin(), candidates.end(), better));
  check_equal(contents(candidates), first(ranked(logits), 40));
}

BOOST_AUTO_TEST_SUITE_END()
