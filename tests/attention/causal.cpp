// Causal: the mask, key by key.
#include "lamina/attention/causal.h"

#include "attention/masks.h"

#include <boost/test/unit_test.hpp>

using namespace lamina;

BOOST_AUTO_TEST_SUITE(causal)

BOOST_AUTO_TEST_CASE(a_query_sees_itself_and_what_came_before) {
  test::check_mask(Causal{}, [](Position q, Position k) { return k <= q; });
  BOOST_TEST(Causal{}.visible(0, 0));
  BOOST_TEST(!Causal{}.visible(0, 1));
}

BOOST_AUTO_TEST_CASE(what_is_visible_once_stays_visible) {
  for (Position q = 0; q < 40; ++q) {
    for (Position k = 0; k < 40; ++k) {
      if (Causal{}.visible(q, k)) BOOST_TEST(Causal{}.visible(q + 1, k));
    }
  }
}

BOOST_AUTO_TEST_CASE(scores_pass) { test::check_identity_score(Causal{}); }

BOOST_AUTO_TEST_SUITE_END()
