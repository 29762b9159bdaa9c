// Q2_K: codes, scales and minima, bit by bit.
#include "lamina/quant/q2_k.h"

#include "quant/golden.h"
#include "quant/single_bits.h"

#include <boost/test/unit_test.hpp>

using namespace lamina;
using test::BlockBytes;
using test::power_of_two;
using test::SingleBits;

BOOST_AUTO_TEST_SUITE(q2_k)

BOOST_AUTO_TEST_CASE(decode_golden) { test::check_decode<Q2_K>(); }

BOOST_AUTO_TEST_CASE(every_code_bit) {
  SingleBits<Q2_K> bits(BlockBytes<Q2_K>().one(80).one(82).fill(0, 16, 0x01));
  for (int e = 0; e < 256; ++e) {
    for (int b = 0; b < 2; ++b) {
      bits.changes({16 + e / 128 * 32 + e % 32, e % 128 / 32 * 2 + b}, e, power_of_two(b));
    }
  }
  BOOST_TEST(bits.seen() == 8 * 64);
}

BOOST_AUTO_TEST_CASE(every_scale_bit) {
  SingleBits<Q2_K> bits(BlockBytes<Q2_K>().one(80).one(82).fill(16, 64, 0b01010101));
  for (int s = 0; s < 16; ++s) {
    for (int b = 0; b < 4; ++b) {
      bits.changes({s, b}, {16 * s, 16}, power_of_two(b));
      bits.changes({s, b + 4}, {16 * s, 16}, -power_of_two(b));
    }
  }
  BOOST_TEST(bits.seen() == 8 * 16);
}

BOOST_AUTO_TEST_CASE(scales_and_minima_have_their_own_scale) {
  float values[256];
  Q2_K::decode(BlockBytes<Q2_K>().one(80).fill(0, 16, 0xff).fill(16, 64, 0xff), values);
  for (const float value : values) BOOST_TEST(value == 15.0f * 3.0f);
  Q2_K::decode(BlockBytes<Q2_K>().one(82).fill(0, 16, 0xff).fill(16, 64, 0xff), values);
  for (const float value : values) BOOST_TEST(value == -15.0f);
}

BOOST_AUTO_TEST_CASE(nan_scale) {
  test::check_nan_scale<Q2_K>(80);
  test::check_nan_scale<Q2_K>(82);
}

BOOST_AUTO_TEST_SUITE_END()
