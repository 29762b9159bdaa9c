// Q5_K: codes, scales and minima, bit by bit.
#include "lamina/quant/q5_k.h"

#include "quant/golden.h"
#include "quant/scale_min_places.h"
#include "quant/single_bits.h"

#include <boost/test/unit_test.hpp>

using namespace lamina;
using test::BlockBytes;
using test::power_of_two;
using test::SingleBits;

BOOST_AUTO_TEST_SUITE(q5_k)

BOOST_AUTO_TEST_CASE(decode_golden) { test::check_decode<Q5_K>(); }

BOOST_AUTO_TEST_CASE(every_code_bit) {
  BlockBytes<Q5_K> base;
  base.one(0).one(2).fill(4, 4, 1).fill(12, 4, 1);  // all scales 1, all minima 0
  SingleBits<Q5_K> bits(base);
  for (int e = 0; e < 256; ++e) {
    for (int b = 0; b < 4; ++b) {
      bits.changes({48 + e / 64 * 32 + e % 32, e % 64 < 32 ? b : b + 4}, e, power_of_two(b));
    }
    bits.changes({16 + e % 32, e / 32}, e, 16.0f);
  }
  BOOST_TEST(bits.seen() == 8 * 160);
}

BOOST_AUTO_TEST_CASE(every_scale_bit) {
  SingleBits<Q5_K> bits(BlockBytes<Q5_K>().one(0).one(2).fill(48, 128, 0x11));  // all codes 1
  for (int s = 0; s < 8; ++s) {
    for (int b = 0; b < 6; ++b) {
      const auto [scale, min] = test::scale_min_places(s, b);
      bits.changes({4 + scale.byte, scale.bit}, {32 * s, 32}, power_of_two(b));
      bits.changes({4 + min.byte, min.bit}, {32 * s, 32}, -power_of_two(b));
    }
  }
  BOOST_TEST(bits.seen() == 8 * 12);
}

BOOST_AUTO_TEST_CASE(scales_and_minima_have_their_own_scale) {
  float values[256];
  Q5_K::decode(BlockBytes<Q5_K>().one(0).fill(4, 172, 0xff), values);
  for (const float value : values) BOOST_TEST(value == 63.0f * 31.0f);
  Q5_K::decode(BlockBytes<Q5_K>().one(2).fill(4, 172, 0xff), values);
  for (const float value : values) BOOST_TEST(value == -63.0f);
}

BOOST_AUTO_TEST_CASE(nan_scale) {
  test::check_nan_scale<Q5_K>(0);
  test::check_nan_scale<Q5_K>(2);
}

BOOST_AUTO_TEST_SUITE_END()
