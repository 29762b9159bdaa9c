// Q5_1: the 32 codes, the scale and the minimum, bit by bit.
#include "lamina/quant/q5_1.h"

#include "quant/encoded.h"
#include "quant/golden.h"
#include "quant/single_bits.h"

#include <boost/test/unit_test.hpp>

using namespace lamina;
using test::BlockBytes;
using test::power_of_two;
using test::SingleBits;

BOOST_AUTO_TEST_SUITE(q5_1)

BOOST_AUTO_TEST_CASE(decode_golden) { test::check_decode<Q5_1>(); }
BOOST_AUTO_TEST_CASE(encode_golden) { test::check_encode<Q5_1>(); }
BOOST_AUTO_TEST_CASE(flat_blocks) { test::check_flat_blocks<Q5_1>(); }
BOOST_AUTO_TEST_CASE(hostile_values) { test::check_hostile_values<Q5_1>(); }
BOOST_AUTO_TEST_CASE(round_trip_error) { test::check_round_trip_error<Q5_1>(0.5, 31, true); }

BOOST_AUTO_TEST_CASE(every_bit) {
  SingleBits<Q5_1> bits(BlockBytes<Q5_1>().one(0).one(2));
  for (int e = 0; e < 32; ++e) {
    for (int b = 0; b < 4; ++b) {
      bits.changes({8 + e % 16, e < 16 ? b : b + 4}, e, power_of_two(b));
    }
    bits.changes({4 + e / 8, e % 8}, e, 16.0f);
  }
  BOOST_TEST(bits.seen() == 8 * 20);
}

BOOST_AUTO_TEST_CASE(code_0_is_the_minimum) {
  float values[32];
  Q5_1::decode(BlockBytes<Q5_1>().one(2), values);
  for (const float value : values) BOOST_TEST(value == 1.0f);
}

BOOST_AUTO_TEST_CASE(nan_scale) {
  test::check_nan_scale<Q5_1>(0);
  test::check_nan_scale<Q5_1>(2);
}

BOOST_AUTO_TEST_SUITE_END()
