// Q5_0: the 32 codes and the scale, bit by bit.
#include "lamina/quant/q5_0.h"

#include "quant/encoded.h"
#include "quant/golden.h"
#include "quant/single_bits.h"

#include <boost/test/unit_test.hpp>

using namespace lamina;
using test::BlockBytes;
using test::power_of_two;
using test::SingleBits;

BOOST_AUTO_TEST_SUITE(q5_0)

BOOST_AUTO_TEST_CASE(decode_golden) { test::check_decode<Q5_0>(); }
BOOST_AUTO_TEST_CASE(encode_golden) { test::check_encode<Q5_0>(); }
BOOST_AUTO_TEST_CASE(flat_blocks) { test::check_flat_blocks<Q5_0>(); }
BOOST_AUTO_TEST_CASE(hostile_values) { test::check_hostile_values<Q5_0>(); }
BOOST_AUTO_TEST_CASE(round_trip_error) { test::check_round_trip_error<Q5_0>(1.0, 32, false); }

BOOST_AUTO_TEST_CASE(every_bit) {
  SingleBits<Q5_0> bits(BlockBytes<Q5_0>().one(0));
  for (int e = 0; e < 32; ++e) {
    for (int b = 0; b < 4; ++b) {
      bits.changes({6 + e % 16, e < 16 ? b : b + 4}, e, power_of_two(b));
    }
    bits.changes({2 + e / 8, e % 8}, e, 16.0f);
  }
  BOOST_TEST(bits.seen() == 8 * 20);
}

BOOST_AUTO_TEST_CASE(code_16_is_zero) {
  float values[32];
  Q5_0::decode(BlockBytes<Q5_0>().one(0).fill(2, 4, 0xff), values);
  for (const float value : values) BOOST_TEST(value == 0.0f);
}

BOOST_AUTO_TEST_CASE(nan_scale) { test::check_nan_scale<Q5_0>(0); }

BOOST_AUTO_TEST_SUITE_END()
