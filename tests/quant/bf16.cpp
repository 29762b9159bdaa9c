// BF16: a block is one bfloat16.
#include "lamina/quant/bf16.h"

#include "quant/golden.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>

using namespace lamina;

BOOST_AUTO_TEST_SUITE(bf16)

BOOST_AUTO_TEST_CASE(decode_golden) { test::check_decode<BF16>(); }
BOOST_AUTO_TEST_CASE(encode_golden) { test::check_encode<BF16>(); }

BOOST_AUTO_TEST_CASE(closed_form) {
  float values[1];
  BF16::decode({{0x3f81}}, values);
  BOOST_TEST(values[0] == 1.0078125f);
  BOOST_TEST(BF16::encode(values).value.bits == 0x3f81);
}

BOOST_AUTO_TEST_CASE(nan_and_infinity_pass) {
  float values[1] = {std::numeric_limits<float>::quiet_NaN()};
  BF16::decode(BF16::encode(values), values);
  BOOST_TEST(std::isnan(values[0]));
  values[0] = -std::numeric_limits<float>::infinity();
  BF16::decode(BF16::encode(values), values);
  BOOST_TEST(values[0] == -std::numeric_limits<float>::infinity());
}

BOOST_AUTO_TEST_SUITE_END()
