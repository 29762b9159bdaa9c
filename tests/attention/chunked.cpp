// Chunked: the keys of the query's own chunk.
#include "lamina/attention/chunked.h"

#include "attention/masks.h"
#include "lamina/attention/full.h"
#include "lamina/attention/sliding_window.h"

#include <boost/test/unit_test.hpp>

#include <limits>

using namespace lamina;

BOOST_AUTO_TEST_SUITE(chunked)

namespace {

template <AttentionVariant Base = Causal>
Chunked<Base> chunks_of(int positions) {
  Chunked<Base> variant;
  variant.chunk = positions;
  return variant;
}

/// Counts chunks one by one, without a division.
bool same_chunk(int size, Position q, Position k) {
  Position start = 0;
  while (start + size <= q) start += size;
  return k >= start && k < start + size;
}

}  // namespace

BOOST_AUTO_TEST_CASE(masks_of_every_size) {
  for (const int chunk : {1, 2, 7, 39, 40, 1000}) {
    BOOST_TEST_CONTEXT("chunks of " << chunk) {
      test::check_mask(chunks_of(chunk),
                       [&](Position q, Position k) { return k <= q && same_chunk(chunk, q, k); });
    }
  }
}

BOOST_AUTO_TEST_CASE(a_chunk_ends_even_where_the_base_goes_on) {
  for (const int chunk : {1, 7, 64}) {
    test::check_mask(chunks_of<Full>(chunk),
                     [&](Position q, Position k) { return same_chunk(chunk, q, k); });
  }
  const KeyRange keys = chunks_of<Full>(7).keys(10);
  BOOST_TEST(keys.first == 7);
  BOOST_TEST(keys.end == 14);
}

BOOST_AUTO_TEST_CASE(chunks_over_a_window) {
  auto variant = chunks_of<SlidingWindow<>>(8);
  variant.window = 3;
  test::check_mask(
      variant, [](Position q, Position k) { return k <= q && k > q - 3 && same_chunk(8, q, k); });
}

BOOST_AUTO_TEST_CASE(the_largest_numbers_do_not_overflow) {
  const int most = std::numeric_limits<int>::max();
  BOOST_TEST(chunks_of<Full>(most).keys(5).end == last_position);
  const KeyRange keys = chunks_of<Full>(1'500'000'000).keys(2'000'000'000);
  BOOST_TEST(keys.first == 1'500'000'000);
  BOOST_TEST(keys.end == last_position);
}

BOOST_AUTO_TEST_CASE(scores_pass) { test::check_identity_score(chunks_of(3)); }

BOOST_AUTO_TEST_SUITE_END()
