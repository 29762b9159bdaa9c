// Candidates: what enters, in which order they stand, and that orders are kept or forgotten
// truthfully.
#include "lamina/sample/sampler.h"

#include "sample/brute_force.h"

namespace {

using namespace lamina;
using namespace lamina::test;

struct WithoutAccept {
  void apply(Candidates&) {}
};

}  // namespace

static_assert(!Sampler<WithoutAccept>);
static_assert(!Sampler<int>);

BOOST_AUTO_TEST_SUITE(sampler)

BOOST_AUTO_TEST_CASE(nan_and_minus_infinity_never_enter) {
  const std::vector<float> logits{not_a_number, 1, -infinity, infinity, -not_a_number, -2};
  const Candidates candidates{logits};
  check_equal(contents(candidates), {{3, infinity}, {1, 1}, {5, -2}});
  BOOST_TEST(candidates.nans() == 2u);
  BOOST_TEST(candidates.best().token == 3);
  check_equal(
      contents(Candidates{std::vector<Candidate>{{4, not_a_number}, {2, 1}, {9, -infinity}}}),
      {{2, 1}});
}

BOOST_AUTO_TEST_CASE(where_no_token_can_be_picked_the_error_says_so) {
  const auto message = [](const std::vector<float>& logits) -> std::string {
    try {
      const Candidates candidates{logits};
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  BOOST_TEST(message({not_a_number, -infinity, not_a_number})
                 .find("of 3 logits 2 are NaN and the others -inf") != std::string::npos);
  BOOST_TEST(message({-infinity}).find("of 1 logits 0 are NaN") != std::string::npos);
  BOOST_TEST(message({}).find("of 0 logits") != std::string::npos);
  BOOST_CHECK_THROW(Candidates(std::vector<Candidate>{}).best(), Error);
}

BOOST_AUTO_TEST_CASE(the_order_is_by_logit_and_then_by_token) {
  const auto logits = random_logits(500, 1);
  Candidates candidates{logits};
  BOOST_TEST((candidates.order() == CandidateOrder::by_token));
  candidates.sort_by_logit();
  BOOST_TEST((candidates.order() == CandidateOrder::by_logit));
  const auto expected = ranked(logits);
  BOOST_CHECK_EQUAL_COLLECTIONS(candidates.begin(), candidates.end(), expected.begin(),
                                expected.end());
  BOOST_TEST(better({1, 0.0f}, {2, -0.0f}));  // the zeros are equal
  BOOST_TEST(!better({2, 0.0f}, {1, -0.0f}));
}

BOOST_AUTO_TEST_CASE(heads_are_sorted_step_by_step) {
  for (const std::size_t n : {1u, 5u, 1000u, 20000u}) {
    const auto logits = random_logits(n, static_cast<unsigned>(n));
    const auto expected = ranked(logits);
    Candidates candidates{logits};
    for (const std::size_t count : {0u, 1u, 3u, 2u, 200u, 4000u, 30000u}) {
      candidates.sort_head(count);
      const std::size_t sorted = std::min(count, n);
      BOOST_CHECK_EQUAL_COLLECTIONS(
          candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(sorted),
          expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(sorted));
      BOOST_TEST(candidates.size() == n);
      BOOST_TEST(candidates.best() == expected[0]);
    }
    BOOST_TEST((candidates.order() == CandidateOrder::by_logit));
  }
}

BOOST_AUTO_TEST_CASE(a_change_of_logits_forgets_the_order_by_logit_and_the_sorted_head) {
  const auto logits = random_logits(300, 3);
  for (const std::size_t head : {10u, 300u}) {
    Candidates candidates{logits};
    candidates.sort_head(head);
    candidates.transform([](const Candidate& c) { return -c.logit; });
    auto negated = logits;
    for (float& logit : negated) logit = -logit;
    BOOST_TEST(candidates.best() == ranked(negated)[0]);
    candidates.sort_head(20);
    candidates.truncate(20);
    check_equal(contents(candidates), first(ranked(negated), 20));
  }
}

BOOST_AUTO_TEST_CASE(a_logit_that_becomes_impossible_leaves) {
  Candidates candidates{std::vector<float>{1, 2, 3}};
  candidates.transform([](const Candidate& c) { return c.token == 1 ? not_a_number : c.logit; });
  candidates.adjust(0, [](float) { return -infinity; });
  candidates.adjust(7, [](float) { return 9.0f; });  // not a candidate
  check_equal(contents(candidates), {{2, 3}});
}

BOOST_AUTO_TEST_CASE(keeping_some_keeps_the_order) {
  const auto even = [](const Candidate& c) { return c.token % 2 == 0; };
  Candidates candidates{random_logits(100, 4)};
  candidates.sort_by_logit();
  const auto before = contents(candidates);
  candidates.keep_if(even);
  BOOST_TEST((candidates.order() == CandidateOrder::by_logit));
  BOOST_TEST(std::is_sorted(candidates.begin(), candidates.end(), better));
  BOOST_TEST(candidates.size() == 50u);
  candidates.sort_by_token();
  for (std::size_t i = 0; i < 50; ++i) BOOST_TEST(candidates[i].token == static_cast<Token>(2 * i));
}

BOOST_AUTO_TEST_CASE(weights_are_exact_at_the_maximum) {
  BOOST_TEST(weight(3, 3) == 1.0);
  BOOST_TEST(weight(infinity, infinity) == 1.0);
  BOOST_TEST(weight(3, infinity) == 0.0);
  BOOST_TEST(weight(2, 3) == std::exp(-1.0));
  BOOST_TEST(weight(-3e38f, 3e38f) == 0.0);
}

BOOST_AUTO_TEST_SUITE_END()
