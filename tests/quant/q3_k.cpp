// Q3_K: codes and scales, bit by bit.
#include "lamina/quant/q3_k.h"

#include "quant/golden.h"
#include "quant/single_bits.h"

#include <boost/test/unit_test.hpp>

using namespace lamina;
using test::BlockBytes;
using test::power_of_two;
using test::SingleBits;

BOOST_AUTO_TEST_SUITE(q3_k)

BOOST_AUTO_TEST_CASE(decode_golden) { test::check_decode<Q3_K>(); }

BOOST_AUTO_TEST_CASE(every_code_bit) {
  // All scales 33, that is 1: low nibbles 1 in bytes 0..7, upper two bits 2 in bytes 8..11.
  SingleBits<Q3_K> bits(BlockBytes<Q3_K>().one(108).fill(96, 8, 0x11).fill(104, 4, 0b10101010));
  for (int e = 0; e < 256; ++e) {
    for (int b = 0; b < 2; ++b) {
      bits.changes({32 + e / 128 * 32 + e % 32, e % 128 / 32 * 2 + b}, e, power_of_two(b));
    }
    bits.changes({e % 32, e / 32}, e, 4.0f);
  }
  BOOST_TEST(bits.seen() == 8 * 96);
}

BOOST_AUTO_TEST_CASE(every_scale_bit) {
  // All codes 5, that is 1: third bits set, low two bits 1.
  SingleBits<Q3_K> bits(BlockBytes<Q3_K>().one(108).fill(0, 32, 0xff).fill(32, 64, 0b01010101));
  for (int s = 0; s < 16; ++s) {
    for (int b = 0; b < 4; ++b) {
      bits.changes({96 + (s & 7), s < 8 ? b : b + 4}, {16 * s, 16}, power_of_two(b));
    }
    for (int b = 4; b < 6; ++b) {
      bits.changes({104 + (s & 3), (s >> 2) * 2 + b - 4}, {16 * s, 16}, power_of_two(b));
    }
  }
  BOOST_TEST(bits.seen() == 8 * 12);
}

BOOST_AUTO_TEST_CASE(all_zero_bits) {
  float values[256];
  Q3_K::decode(BlockBytes<Q3_K>().one(108), values);
  for (const float value : values) BOOST_TEST(value == -32.0f * -4.0f);
}

BOOST_AUTO_TEST_CASE(nan_scale) { test::check_nan_scale<Q3_K>(108); }

BOOST_AUTO_TEST_SUITE_END()
