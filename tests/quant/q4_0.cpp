// Q4_0: the 32 codes and the scale, bit by bit.
#include "lamina/quant/q4_0.h"

#include "quant/encoded.h"
#include "quant/golden.h"
#include "quant/single_bits.h"

#include <boost/test/unit_test.hpp>

using namespace lamina;
using test::BlockBytes;
using test::power_of_two;
using test::SingleBits;

BOOST_AUTO_TEST_SUITE(q4_0)

BOOST_AUTO_TEST_CASE(decode_golden) { test::check_decode<Q4_0>(); }
BOOST_AUTO_TEST_CASE(encode_golden) { test::check_encode<Q4_0>(); }
BOOST_AUTO_TEST_CASE(flat_blocks) { test::check_flat_blocks<Q4_0>(); }
BOOST_AUTO_TEST_CASE(hostile_values) { test::check_hostile_values<Q4_0>(); }
BOOST_AUTO_TEST_CASE(round_trip_error) { test::check_round_trip_error<Q4_0>(1.0, 16, false); }

BOOST_AUTO_TEST_CASE(every_bit) {
  SingleBits<Q4_0> bits(BlockBytes<Q4_0>().one(0));
  for (int e = 0; e < 32; ++e) {
    for (int b = 0; b < 4; ++b) {
      bits.changes({2 + e % 16, e < 16 ? b : b + 4}, e, power_of_two(b));
    }
  }
  BOOST_TEST(bits.seen() == 8 * 16);
}

BOOST_AUTO_TEST_CASE(code_8_is_zero) {
  float values[32];
  Q4_0::decode(BlockBytes<Q4_0>().one(0).fill(2, 16, 0x88), values);
  for (const float value : values) BOOST_TEST(value == 0.0f);
}

BOOST_AUTO_TEST_CASE(nan_scale) { test::check_nan_scale<Q4_0>(0); }

BOOST_AUTO_TEST_SUITE_END()
