// float16 and bfloat16: every code against ldexp, every rounding against a search in double.
#include "lamina/core/float16.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <initializer_list>
#include <limits>
#include <vector>

using namespace lamina;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

/// A binary floating-point layout of 16 bits: sign, exponent, fraction.
struct Layout {
  int exponent_bits;
  int fraction_bits;
  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  int infinity_bits() const { return ((1 << exponent_bits) - 1) << fraction_bits; }
};

constexpr Layout half{5, 10};
constexpr Layout brain{8, 7};

/// The value of a code without its sign; where the format has its infinity, the next power of two,
/// which is what rounding to nearest compares with.
double magnitude_of(const Layout& layout, int code) {
  const int exponent = code >> layout.fraction_bits;
  const int fraction = code & ((1 << layout.fraction_bits) - 1);
  const int unit = 1 - layout.bias() - layout.fraction_bits;  // of subnormal numbers
  if (exponent == 0) return std::ldexp(fraction, unit);
  return std::ldexp(fraction + (1 << layout.fraction_bits), unit + exponent - 1);
}

/// The code nearest to `value` (finite), ties to the even code.
int nearest_code(const Layout& layout, float value) {
  const double magnitude = std::fabs(double{value});
  int low = 0;
  int high = layout.infinity_bits();
  while (high - low > 1) {  // the last code not above
    const int middle = (low + high) / 2;
    (magnitude_of(layout, middle) <= magnitude ? low : high) = middle;
  }
  const double below = magnitude - magnitude_of(layout, low);
  const double above = magnitude_of(layout, high) - magnitude;
  const bool up = above < below || (above == below && high % 2 == 0);
  return (up ? high : low) | (std::signbit(value) ? 0x8000 : 0);
}

/// Each code, the midpoint above it, their float neighbours; both signs.
template <class F>
void for_each_hard_value(const Layout& layout, F&& f) {
  for (int code = 0; code < layout.infinity_bits(); ++code) {
    const double here = magnitude_of(layout, code);
    const double middle = (here + magnitude_of(layout, code + 1)) / 2;
    for (const double point : {here, middle}) {
      const auto x = static_cast<float>(point);  // exact: one more bit than the format has
      if (double{x} != point) throw std::logic_error("a midpoint is not a float");
      for (const float y : {std::nextafter(x, -infinity), x, std::nextafter(x, infinity)}) {
        f(y);
        f(-y);
      }
    }
  }
}

template <class T>
void check_every_code(const Layout& layout, T (*from_float)(float)) {
  int wrong = 0;
  for (int code = 0; code < 0x10000; ++code) {
    const float value = to_float(T{static_cast<std::uint16_t>(code)});
    const int magnitude = code & 0x7fff;
    if (magnitude > layout.infinity_bits()) {
      const T back = from_float(value);
      wrong += !std::isnan(value) || (back.bits & 0x7fff) <= layout.infinity_bits();
      continue;
    }
    const double expected =
        magnitude == layout.infinity_bits() ? infinity : magnitude_of(layout, magnitude);
    wrong += std::fabs(double{value}) != expected || std::signbit(value) != (code >= 0x8000);
    wrong += from_float(value).bits != code;
  }
  BOOST_TEST(wrong == 0);
}

template <class T>
void check_rounding(const Layout& layout, T (*from_float)(float)) {
  int wrong = 0;
  for_each_hard_value(layout, [&](float value) {
    if (std::isinf(value)) return;
    const int code = from_float(value).bits;
    if (code == nearest_code(layout, value) || ++wrong > 3) return;
    BOOST_TEST(false,
               value << " became code " << code << ", nearest is " << nearest_code(layout, value));
  });
  BOOST_TEST(wrong == 0);
}

/// Floats of every exponent, with fractions spread over all of them.
template <class T>
void check_spread(const Layout& layout, T (*from_float)(float)) {
  int wrong = 0;
  for (std::uint64_t bits = 0; bits < 0x7f80'0000u; bits += 9973) {
    const float value = float_from_bits(static_cast<std::uint32_t>(bits));
    wrong += from_float(value).bits != nearest_code(layout, value);
  }
  BOOST_TEST(wrong == 0);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(float16_conversions)

BOOST_AUTO_TEST_CASE(half_every_code) { check_every_code<float16>(half, to_float16); }
BOOST_AUTO_TEST_CASE(half_rounding) { check_rounding<float16>(half, to_float16); }
BOOST_AUTO_TEST_CASE(half_spread) { check_spread<float16>(half, to_float16); }
BOOST_AUTO_TEST_CASE(brain_every_code) { check_every_code<bfloat16>(brain, to_bfloat16); }
BOOST_AUTO_TEST_CASE(brain_rounding) { check_rounding<bfloat16>(brain, to_bfloat16); }
BOOST_AUTO_TEST_CASE(brain_spread) { check_spread<bfloat16>(brain, to_bfloat16); }

BOOST_AUTO_TEST_CASE(known_values) {
  BOOST_TEST(to_float16(1.0f).bits == 0x3c00);
  BOOST_TEST(to_float16(65504.0f).bits == 0x7bff);
  BOOST_TEST(to_float16(65519.996f).bits == 0x7bff);
  BOOST_TEST(to_float16(65520.0f).bits == 0x7c00);  // a tie: to infinity, the even one
  BOOST_TEST(to_float16(-1e30f).bits == 0xfc00);
  BOOST_TEST(to_float16(std::ldexp(1.0f, -25)).bits == 0);  // a tie: to zero
  BOOST_TEST(to_bfloat16(1.0f).bits == 0x3f80);
  BOOST_TEST(to_bfloat16(std::numeric_limits<float>::max()).bits == 0x7f80);
}

BOOST_AUTO_TEST_CASE(nan_is_made_quiet_and_keeps_sign_and_payload) {
  for (const std::uint32_t sign : {0u, 0x8000'0000u}) {
    for (const std::uint32_t payload : {0x0000'0001u, 0x0000'2000u, 0x0020'0000u, 0x007f'ffffu}) {
      const float value = float_from_bits(sign | 0x7f80'0000u | payload);
      const std::uint32_t high = sign >> 16;
      BOOST_TEST(to_float16(value).bits == (high | 0x7e00u | payload >> 13));
      BOOST_TEST(to_bfloat16(value).bits == (high | 0x7fc0u | payload >> 16));
    }
  }
  BOOST_TEST(float_bits(to_float(float16{0xfc01})) == 0xffc0'2000u);
}

BOOST_AUTO_TEST_SUITE_END()
