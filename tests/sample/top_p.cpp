// Top-p against its definition: the smallest prefix of the sorted list whose probabilities reach p.
#include "lamina/sample/top_p.h"

#include "sample/brute_force.h"

namespace {

using namespace lamina;
using namespace lamina::test;

std::vector<Candidate> nucleus(const std::vector<float>& logits, double p) {
  const auto list = ranked(logits);
  const auto q = probabilities(list);
  double sum = 0;
  std::size_t kept = 0;
  while (kept < list.size() && (kept == 0 || sum < p)) sum += q[kept++];
  return first(list, kept);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(top_p)

BOOST_AUTO_TEST_CASE(keeps_the_smallest_prefix_that_reaches_p) {
  for (const std::size_t n : {1u, 2u, 30u, 2000u}) {
    for (const unsigned seed : {1u, 2u, 3u}) {
      const auto logits = random_logits(n, seed);
      for (const double p : {1e-9, 0.1, 0.5, 0.9, 0.95, 0.999, 0.9999999}) {
        check_equal(left_by(TopP{p}, logits), nucleus(logits, p));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(closed_forms) {
  // Probabilities 1/2, 1/4, 1/8, 1/8: the token that reaches p is kept, at equality no further one.
  const float ln2 = 0.6931472f;
  const std::vector<float> logits{0, -ln2, -2 * ln2, -2 * ln2};
  BOOST_TEST(left_by(TopP{0.49}, logits).size() == 1u);
  BOOST_TEST(left_by(TopP{0.51}, logits).size() == 2u);
  BOOST_TEST(left_by(TopP{0.74}, logits).size() == 2u);
  BOOST_TEST(left_by(TopP{0.76}, logits).size() == 3u);
  BOOST_TEST(left_by(TopP{0.88}, logits).size() == 4u);
  // Four equal ones: sums are exact, and the lower tokens stay.
  const std::vector<float> equal(4, 1.5f);
  check_equal(left_by(TopP{0.5}, equal), {{0, 1.5f}, {1, 1.5f}});
  check_equal(left_by(TopP{0.75}, equal), {{0, 1.5f}, {1, 1.5f}, {2, 1.5f}});
  check_equal(left_by(TopP{std::nextafter(0.5, 1.0)}, equal), {{0, 1.5f}, {1, 1.5f}, {2, 1.5f}});
}

BOOST_AUTO_TEST_CASE(one_and_more_change_nothing) {
  const auto logits = random_logits(50, 1);
  for (const double p : {1.0, 1.5, std::numeric_limits<double>::infinity()}) {
    Candidates candidates{logits};
    TopP{p}.apply(candidates);
    BOOST_TEST((candidates.order() == CandidateOrder::by_token));
    check_equal(contents(candidates), ranked(logits));
  }
}

BOOST_AUTO_TEST_CASE(one_always_stays) {
  for (const double p : {0.0, -1.0, 1e-300}) {
    check_equal(left_by(TopP{p}, {1, 3, 3, 2}), {{1, 3}});
  }
  Candidates empty{std::vector<Candidate>{}};
  TopP{0.5}.apply(empty);
  BOOST_TEST(empty.empty());
}

BOOST_AUTO_TEST_CASE(a_nan_is_an_error) {
  Candidates candidates{std::vector<float>{1, 2}};
  BOOST_CHECK_THROW(TopP{std::nan("")}.apply(candidates), Error);
}

BOOST_AUTO_TEST_CASE(infinite_logits_share_all_probability) {
  check_equal(left_by(TopP{0.5}, {3, infinity, infinity, 4}), {{1, infinity}});
  check_equal(left_by(TopP{0.9}, {3, infinity, infinity, 4}), {{1, infinity}, {2, infinity}});
}

BOOST_AUTO_TEST_CASE(what_is_left_grows_with_p) {
  const auto logits = random_logits(300, 8);
  std::vector<Candidate> smaller = left_by(TopP{0}, logits);
  for (double p = 0.02; p < 1; p += 0.02) {
    const auto larger = left_by(TopP{p}, logits);
    check_equal(first(larger, smaller.size()), smaller);
    smaller = larger;
  }
}

BOOST_AUTO_TEST_CASE(a_large_vocabulary_peaked_and_flat) {
  for (const float scale : {1.0f, 0.01f}) {
    auto logits = random_logits(262144, 9, 0.001f);
    for (float& logit : logits) logit *= scale;
    Candidates candidates{logits};
    TopP{0.95}.apply(candidates);
    const auto expected = nucleus(logits, 0.95);
    // Sums of 262144 terms in two orders differ in the last bits, which may move the edge by a
    // token.
    BOOST_TEST(std::abs(static_cast<double>(candidates.size()) -
                        static_cast<double>(expected.size())) <= 1);
    const std::size_t shared = std::min(candidates.size(), expected.size());
    check_equal(first(contents(candidates), shared), first(expected, shared));
  }
}

BOOST_AUTO_TEST_SUITE_END()
