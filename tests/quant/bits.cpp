// Pieces of bytes: each found by division and remainder as well.
#include "lamina/quant/bits.h"

#include <boost/test/unit_test.hpp>

using namespace lamina;

BOOST_AUTO_TEST_SUITE(bits)

BOOST_AUTO_TEST_CASE(every_byte) {
  for (int value = 0; value < 256; ++value) {
    const auto byte = static_cast<std::uint8_t>(value);
    int power = 1;
    for (int i = 0; i < 8; ++i, power *= 2) BOOST_TEST(bit(byte, i) == value / power % 2);
    power = 1;
    for (int i = 0; i < 4; ++i, power *= 4) BOOST_TEST(crumb(byte, i) == value / power % 4);
    BOOST_TEST(nibble(byte, 0) == value % 16);
    BOOST_TEST(nibble(byte, 1) == value / 16);
    BOOST_TEST(pack_nibbles(value % 16, value / 16) == byte);
  }
}

BOOST_AUTO_TEST_CASE(packed_codes_are_found_again) {
  int codes[32];
  for (int i = 0; i < 32; ++i) codes[i] = (11 * i + 5) % 32;  // a permutation of 0..31
  std::uint8_t nibbles[16];
  std::uint8_t fifth[4] = {0xff, 0xff, 0xff, 0xff};
  pack_code5(codes, nibbles, fifth);
  for (int i = 0; i < 32; ++i) BOOST_TEST(code5(nibbles, fifth, i) == codes[i]);
  for (int i = 0; i < 32; ++i) BOOST_TEST(code4(nibbles, i) == codes[i] % 16);
  std::uint8_t low[16];
  pack_code4(codes, low);
  for (int j = 0; j < 16; ++j) BOOST_TEST(low[j] == nibbles[j]);
}

BOOST_AUTO_TEST_SUITE_END()
