// Q6_K: codes and scales, bit by bit.
#include "lamina/quant/q6_k.h"

#include "quant/golden.h"
#include "quant/single_bits.h"

#include <boost/test/unit_test.hpp>

using namespace lamina;
using test::BlockBytes;
using test::power_of_two;
using test::SingleBits;

BOOST_AUTO_TEST_SUITE(q6_k)

BOOST_AUTO_TEST_CASE(decode_golden) { test::check_decode<Q6_K>(); }

BOOST_AUTO_TEST_CASE(every_code_bit) {
  SingleBits<Q6_K> bits(BlockBytes<Q6_K>().one(208).fill(192, 16, 1));
  for (int e = 0; e < 256; ++e) {
    for (int b = 0; b < 4; ++b) {
      bits.changes({e / 128 * 64 + e % 64, e % 128 < 64 ? b : b + 4}, e, power_of_two(b));
    }
    for (int b = 4; b < 6; ++b) {
      bits.changes({128 + e / 128 * 32 + e % 32, e % 128 / 32 * 2 + b - 4}, e, power_of_two(b));
    }
  }
  BOOST_TEST(bits.seen() == 8 * 192);
}

BOOST_AUTO_TEST_CASE(every_scale_bit) {
  // All codes 33, that is 1.
  SingleBits<Q6_K> bits(BlockBytes<Q6_K>().one(208).fill(0, 128, 0x11).fill(128, 64, 0b10101010));
  for (int s = 0; s < 16; ++s) {
    for (int b = 0; b < 7; ++b) bits.changes({192 + s, b}, {16 * s, 16}, power_of_two(b));
    bits.changes({192 + s, 7}, {16 * s, 16}, -128.0f);  // two's complement
  }
  BOOST_TEST(bits.seen() == 8 * 16);
}

BOOST_AUTO_TEST_CASE(code_0_is_minus_32) {
  float values[256];
  Q6_K::decode(BlockBytes<Q6_K>().one(208).fill(192, 16, 0xff), values);
  for (const float value : values) BOOST_TEST(value == -1.0f * -32.0f);
}

BOOST_AUTO_TEST_CASE(nan_scale) { test::check_nan_scale<Q6_K>(208); }

BOOST_AUTO_TEST_SUITE_END()
