// Q8_0: the 32 codes and the scale, bit by bit.
#include "lamina/quant/q8_0.h"

#include "quant/encoded.h"
#include "quant/golden.h"
#include "quant/single_bits.h"

#include <boost/test/unit_test.hpp>

using namespace lamina;
using test::BlockBytes;
using test::power_of_two;
using test::SingleBits;

BOOST_AUTO_TEST_SUITE(q8_0)

BOOST_AUTO_TEST_CASE(decode_golden) { test::check_decode<Q8_0>(); }
BOOST_AUTO_TEST_CASE(encode_golden) { test::check_encode<Q8_0>(); }
BOOST_AUTO_TEST_CASE(flat_blocks) { test::check_flat_blocks<Q8_0>(); }
BOOST_AUTO_TEST_CASE(hostile_values) { test::check_hostile_values<Q8_0>(); }
BOOST_AUTO_TEST_CASE(round_trip_error) { test::check_round_trip_error<Q8_0>(0.5, 254, false); }

BOOST_AUTO_TEST_CASE(every_bit) {
  SingleBits<Q8_0> bits(BlockBytes<Q8_0>().one(0));
  for (int e = 0; e < 32; ++e) {
    for (int b = 0; b < 7; ++b) bits.changes({2 + e, b}, e, power_of_two(b));
    bits.changes({2 + e, 7}, e, -128.0f);  // two's complement
  }
  BOOST_TEST(bits.seen() == 8 * 32);
}

BOOST_AUTO_TEST_CASE(halves_round_away_from_zero) {
  float values[32] = {127.0f, 0.5f, -0.5f, 2.5f, -2.5f, 0.49999997f, -126.5f};
  const Q8_0::Block block = Q8_0::encode(values);
  const int expected[] = {127, 1, -1, 3, -3, 0, -127};
  for (int i = 0; i < 7; ++i) BOOST_TEST(int{block.qs[i]} == expected[i]);
}

BOOST_AUTO_TEST_CASE(nan_scale) { test::check_nan_scale<Q8_0>(0); }

BOOST_AUTO_TEST_SUITE_END()
