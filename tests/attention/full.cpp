// Full: everything is visible.
#include "lamina/attention/full.h"

#include "attention/masks.h"

#include <boost/test/unit_test.hpp>

using namespace lamina;

BOOST_AUTO_TEST_SUITE(full)

BOOST_AUTO_TEST_CASE(every_key_is_visible) {
  test::check_mask(Full{}, [](Position, Position) { return true; });
  BOOST_TEST(Full{}.visible(0, last_position - 1));
  BOOST_TEST(Full{}.keys(3).first == 0);
  BOOST_TEST(Full{}.keys(3).end == last_position);
}

BOOST_AUTO_TEST_CASE(scores_pass) { test::check_identity_score(Full{}); }

BOOST_AUTO_TEST_SUITE_END()
