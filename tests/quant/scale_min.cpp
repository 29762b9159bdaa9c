// The six-bit pairs: every value of every pair is found again, whatever the others are.
#include "lamina/quant/scale_min.h"

#include "quant/scale_min_places.h"

#include <boost/test/unit_test.hpp>

using namespace lamina;

BOOST_AUTO_TEST_SUITE(scale_min_pairs)

namespace {

void set_bit(std::uint8_t (&packed)[12], test::BitPlace place, bool on) {
  const int mask = 1 << place.bit;
  const int byte = packed[place.byte];
  packed[place.byte] = static_cast<std::uint8_t>(on ? byte | mask : byte & ~mask);
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_value_of_every_pair) {
  for (const std::uint8_t others : {std::uint8_t{0x00}, std::uint8_t{0xff}}) {
    const int other = others & 63;
    for (int s = 0; s < 8; ++s) {
      for (int value = 0; value < 64; ++value) {
        std::uint8_t packed[12];
        for (std::uint8_t& byte : packed) byte = others;
        for (int b = 0; b < 6; ++b) {
          const auto [scale, min] = test::scale_min_places(s, b);
          set_bit(packed, scale, (value >> b & 1) != 0);
          set_bit(packed, min, (~value >> b & 1) != 0);
        }
        for (int t = 0; t < 8; ++t) {
          const ScaleMin pair = scale_min(packed, t);
          BOOST_TEST(pair.scale == (t == s ? value : other));
          BOOST_TEST(pair.min == (t == s ? 63 - value : other));
        }
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
