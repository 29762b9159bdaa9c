// Softcap: the formula in long double, its limits, and the base's mask and score behind it.
#include "lamina/attention/softcap.h"

#include "attention/masks.h"
#include "lamina/attention/alibi.h"
#include "lamina/attention/sliding_window.h"
#include "lamina/verify/bounds.h"
#include "lamina/verify/compare.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <vector>

using namespace lamina;

BOOST_AUTO_TEST_SUITE(softcap)

namespace {

Softcap<> cap_of(float cap) {
  Softcap<> variant;
  variant.cap = cap;
  return variant;
}

template <class Real>
void check_formula(Rounding rounding) {
  for (const float cap : {0.5f, 30.0f, 50.0f}) {
    std::vector<Real> got;
    std::vector<double> expected, bound;
    for (double s = -400; s <= 400; s += 0.4375) {
      const long double exact = cap * std::tanh(static_cast<long double>(s) / cap);
      got.push_back(cap_of(cap).score(static_cast<Real>(s), 0, 0, 0));
      expected.push_back(static_cast<double>(exact));
      bound.push_back(softcap_bound({.cap = static_cast<double>(cap), .score = s}, rounding));
    }
    const Comparison result =
        compare(std::span<const Real>(got), std::span<const double>(expected), bound);
    BOOST_TEST(result.passed(), result.report("cap " + std::to_string(cap)));
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(scores_are_the_formula) {
  check_formula<float>(float32_rounding);
  check_formula<double>(float64_rounding);
}

BOOST_AUTO_TEST_CASE(scores_stay_below_the_cap_and_in_order) {
  const Softcap<> variant = cap_of(50);
  double before = -50;
  for (double s = -300; s <= 300; s += 0.5) {
    const double capped = variant.score(s, 0, 0, 0);
    BOOST_TEST(std::fabs(capped) < 50.0);
    BOOST_TEST(std::fabs(capped) <= std::fabs(s));
    BOOST_TEST(capped >= before);
    BOOST_TEST(variant.score(-s, 0, 0, 0) == -capped);
    before = capped;
  }
  const double infinity = std::numeric_limits<double>::infinity();
  BOOST_TEST(variant.score(infinity, 0, 0, 0) == 50.0);
  BOOST_TEST(variant.score(-infinity, 0, 0, 0) == -50.0);
  BOOST_TEST(variant.score(0.0, 0, 0, 0) == 0.0);
  BOOST_TEST(std::isnan(variant.score(std::nan(""), 0, 0, 0)));
}

BOOST_AUTO_TEST_CASE(the_base_hides_and_scores_after_the_cap) {
  Softcap<SlidingWindow<Causal>> local;
  local.window = 5;
  local.cap = 2;
  test::check_mask(local, [](Position q, Position k) { return k <= q && k > q - 5; });
  Softcap<Alibi<>> biased;
  biased.cap = 2;
  biased.heads = 1;
  // The slope of a single head is 2^-8: 256 positions back is a bias of -1, outside the cap.
  BOOST_TEST(biased.score(0.0, 0, 256, 0) == -1.0);
  BOOST_TEST(biased.score(1e9, 0, 256, 0) == 1.0);
  BOOST_TEST(biased.score(1e9f, 0, 1280, 0) == -3.0f);
}

BOOST_AUTO_TEST_SUITE_END()
