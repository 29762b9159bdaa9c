// F16: a block is one float16.
#include "lamina/quant/f16.h"

#include "quant/golden.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>

using namespace lamina;

BOOST_AUTO_TEST_SUITE(f16)

BOOST_AUTO_TEST_CASE(decode_golden) { test::check_decode<F16>(); }
BOOST_AUTO_TEST_CASE(encode_golden) { test::check_encode<F16>(); }

BOOST_AUTO_TEST_CASE(closed_form) {
  float values[1];
  F16::decode({{0x3c01}}, values);
  BOOST_TEST(values[0] == 1.0009765625f);
  BOOST_TEST(F16::encode(values).value.bits == 0x3c01);
}

BOOST_AUTO_TEST_CASE(nan_and_infinity_pass) {
  float values[1] = {std::numeric_limits<float>::quiet_NaN()};
  F16::decode(F16::encode(values), values);
  BOOST_TEST(std::isnan(values[0]));
  values[0] = -std::numeric_limits<float>::infinity();
  F16::decode(F16::encode(values), values);
  BOOST_TEST(values[0] == -std::numeric_limits<float>::infinity());
}

BOOST_AUTO_TEST_SUITE_END()
