// SlidingWindow: the newest keys of what a base shows.
#include "lamina/attention/sliding_window.h"

#include "attention/masks.h"
#include "lamina/attention/full.h"

#include <boost/test/unit_test.hpp>

#include <limits>

using namespace lamina;

BOOST_AUTO_TEST_SUITE(sliding_window)

namespace {

SlidingWindow<> window_of(int keys) {
  SlidingWindow<> variant;
  variant.window = keys;
  return variant;
}

}  // namespace

BOOST_AUTO_TEST_CASE(masks_of_every_width) {
  for (const int window : {1, 2, 7, 39, 40, 1000}) {
    BOOST_TEST_CONTEXT("window " << window) {
      test::check_mask(window_of(window),
                       [&](Position q, Position k) { return k <= q && k > q - window; });
    }
  }
  test::check_mask(window_of(0), [](Position, Position) { return false; });
}

BOOST_AUTO_TEST_CASE(a_window_counts_the_query_itself) {
  for (Position q = 0; q < 40; ++q) {
    int seen = 0;
    for (Position k = 0; k < 40; ++k) seen += window_of(5).visible(q, k) ? 1 : 0;
    BOOST_TEST(seen == std::min(5, q + 1));
    BOOST_TEST(window_of(1).visible(q, q));
  }
}

BOOST_AUTO_TEST_CASE(what_slid_out_never_comes_back) {
  const SlidingWindow<> variant = window_of(6);
  for (Position q = 0; q < 39; ++q) {
    for (Position k = 0; k <= q; ++k) {
      if (!variant.visible(q, k)) BOOST_TEST(!variant.visible(q + 1, k));
      if (variant.visible(q, k) && k < q) BOOST_TEST(variant.visible(q, k + 1));
    }
  }
}

BOOST_AUTO_TEST_CASE(the_base_decides_beyond_the_window) {
  SlidingWindow<Full> variant;
  variant.window = 4;
  test::check_mask(variant, [](Position q, Position k) { return k > q - 4; });
  SlidingWindow<SlidingWindow<>> twice;
  twice.window = 9;
  twice.SlidingWindow<>::window = 3;
  test::check_mask(twice, [](Position q, Position k) { return k <= q && k > q - 3; });
}

BOOST_AUTO_TEST_CASE(the_largest_numbers_do_not_overflow) {
  const SlidingWindow<> variant = window_of(std::numeric_limits<int>::max());
  BOOST_TEST(variant.keys(0).first == 0);
  BOOST_TEST(variant.keys(1'000'000).first == 0);
  BOOST_TEST(variant.visible(2'000'000'000, 0));
  BOOST_TEST(window_of(1).keys(2'000'000'000).first == 2'000'000'000);
}

BOOST_AUTO_TEST_CASE(scores_pass) { test::check_identity_score(window_of(3)); }

BOOST_AUTO_TEST_SUITE_END()
