// F32: the bits of the file are the bits of the float.
#include "lamina/quant/f32.h"

#include <boost/test/unit_test.hpp>

#include <initializer_list>

using namespace lamina;

BOOST_AUTO_TEST_SUITE(f32)

BOOST_AUTO_TEST_CASE(bits_are_kept) {
  for (const std::uint32_t bits : {0u, 0x8000'0000u, 1u, 0x3f80'0000u, 0x7f7f'ffffu, 0x7f80'0000u,
                                   0xff80'0000u, 0x7fc0'1234u}) {
    float values[1];
    F32::decode({float_from_bits(bits)}, values);
    BOOST_TEST(float_bits(values[0]) == bits);
    BOOST_TEST(float_bits(F32::encode(values).value) == bits);
  }
}

BOOST_AUTO_TEST_SUITE_END()
