// Inputs have the properties their kinds promise, and guarded memory notices what it must.
#include "lamina/verify/inputs.h"

#include <boost/test/unit_test.hpp>

#include <limits>
#include <set>
#include <vector>

namespace {

using namespace lamina;

std::vector<float> made(InputKind kind, std::uint64_t seed, std::size_t n) {
  std::vector<float> x(n, std::numeric_limits<float>::quiet_NaN());
  fill(x, kind, seed);
  return x;
}

double mean_of(const std::vector<float>& x, int power) {
  double sum = 0;
  for (const float xi : x) sum += std::pow(static_cast<double>(xi), power);
  return sum / static_cast<double>(x.size());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(inputs)

BOOST_AUTO_TEST_CASE(any_element_is_made_again_alone) {
  for (const InputKind kind : input_kinds) {
    const auto x = made(kind, 5, 300);
    for (const std::size_t i : {0u, 1u, 63u, 64u, 299u}) {
      const float again = input_element({.kind = kind, .seed = 5}, i);
      BOOST_TEST(float_bits(again) == float_bits(x[i]), name(kind) << " " << i);
    }
    BOOST_TEST(same_bits(x, made(kind, 5, 300)), name(kind));
    if (kind != InputKind::cancelling) {
      BOOST_TEST(!same_bits(x, made(kind, 6, 300)), name(kind));
    }
  }
}

BOOST_AUTO_TEST_CASE(normal_has_the_moments_of_a_sum_of_eight_uniforms) {
  // Mean, variance and kurtosis 3 - 1.2 / 8 within five standard errors of n draws.
  const std::size_t n = 100000;
  const auto x = made(InputKind::normal, 1, n);
  const double error = 5 / std::sqrt(static_cast<double>(n));
  BOOST_TEST(std::fabs(mean_of(x, 1)) < error);
  BOOST_TEST(std::fabs(mean_of(x, 2) - 1) < error * std::sqrt(1.85));
  BOOST_TEST(std::fabs(mean_of(x, 3)) < error * std::sqrt(15.0));
  BOOST_TEST(std::fabs(mean_of(x, 4) - 2.85) < error * std::sqrt(90.0));
  const auto largest = static_cast<float>(8 * 32767.5 / std::sqrt(8 * (0x1p32 - 1) / 12));
  BOOST_TEST(bell_shaped({{0, 0, 0, 0}}) == -largest);
  BOOST_TEST(bell_shaped({{~0u, ~0u, ~0u, ~0u}}) == largest);
}

BOOST_AUTO_TEST_CASE(outliers_fill_one_channel) {
  std::vector<float> x(100 * 96);
  fill(x, InputSource{.kind = InputKind::outliers, .seed = 3, .cols = 96});
  std::set<std::size_t> channels;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::fabs(x[i]) > 5) channels.insert(i % 96);
  }
  BOOST_TEST(channels.size() == 1u);
  BOOST_TEST(*channels.begin() < 96u);
}

BOOST_AUTO_TEST_CASE(cancelling_sums_and_products_stay_near_zero) {
  const auto even = made(InputKind::cancelling, 2, 4096);
  const auto odd = made(InputKind::cancelling, 3, 4096);
  double even_sum = 0, odd_sum = 0, products = 0;
  for (std::size_t i = 0; i < even.size(); ++i) {
    even_sum += static_cast<double>(even[i]);
    odd_sum += static_cast<double>(odd[i]);
    products += static_cast<double>(even[i]) * static_cast<double>(odd[i]);
    BOOST_TEST(std::fabs(even[i]) >= 1.0f);
    BOOST_TEST(std::fabs(even[i]) <= 1.0f + 0x1p-8f);
  }
  for (const double sum : {even_sum, odd_sum, products}) BOOST_TEST(std::fabs(sum) < 4096 * 0.001);
}

BOOST_AUTO_TEST_CASE(the_other_kinds_are_what_they_say) {
  for (const float x : made(InputKind::subnormal, 1, 1000)) {
    BOOST_TEST(std::fpclassify(x) == FP_SUBNORMAL);
  }
  const auto constant = made(InputKind::constant, 1, 100);
  for (const float x : constant) BOOST_TEST(x == constant[0]);
  BOOST_TEST((constant[0] >= 0.5f && constant[0] < 1.0f));
  BOOST_TEST((float_bits(constant[0]) & 1u) == 1u);
  std::set<float> integers;
  for (const float x : made(InputKind::small_integers, 1, 1000)) integers.insert(x);
  BOOST_TEST(integers.size() == 17u);
  BOOST_TEST(*integers.begin() == -8.0f);
  BOOST_TEST(*integers.rbegin() == 8.0f);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(every_type_has_three_different_nans, T,
                              decltype(std::tuple<float, double, float16, bfloat16>{})) {
  using Bits = typename ElementTraits<T>::Bits;
  std::set<Bits> patterns;
  for (const Bits bits : ElementTraits<T>::poison) {
    patterns.insert(bits);
    BOOST_TEST(std::isnan(ElementTraits<T>::value(std::bit_cast<T>(bits))));
    BOOST_TEST(is_poison(std::bit_cast<T>(bits)));
  }
  patterns.insert(std::bit_cast<Bits>(unreadable<T>()));
  BOOST_TEST(std::isnan(ElementTraits<T>::value(unreadable<T>())));
  BOOST_TEST(!is_poison(unreadable<T>()));
  BOOST_TEST(patterns.size() == 3u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_guarded_buffer_is_nan_all_over, T,
                              decltype(std::tuple<float, double, float16, bfloat16>{})) {
  GuardedBuffer<T> buffer(10, {.misalign = 1});
  const auto address = reinterpret_cast<std::uintptr_t>(buffer.span().data());
  BOOST_TEST(address % 64 == sizeof(T));
  BOOST_TEST(buffer.unwritten() == 10u);
  BOOST_TEST(!buffer.damage().has_value());
  constexpr auto reach = static_cast<std::ptrdiff_t>(GuardedBuffer<T>::guard);
  for (std::ptrdiff_t i = -reach; i < 10 + reach; ++i) {
    BOOST_TEST(std::isnan(ElementTraits<T>::value(*(buffer.span().data() + i))));
  }
}

BOOST_AUTO_TEST_CASE(writes_outside_are_found_and_named) {
  for (const std::ptrdiff_t place : {-1, -256, 12, 13, 267}) {
    GuardedBuffer<float> buffer(12);
    *(buffer.span().data() + place) = 0;
    BOOST_TEST_REQUIRE(buffer.damage().has_value());
    BOOST_TEST(*buffer.damage() ==
               "output[" + std::to_string(place) + "] was written; the output has 12 elements");
  }
  GuardedBuffer<float> shifted(12);  // a guard moved by one element is damage as well
  std::memmove(shifted.span().data() + 12, shifted.span().data() + 13, 4);
  BOOST_TEST(shifted.damage().has_value());
}

BOOST_AUTO_TEST_CASE(refilling_uses_the_pattern_asked_for) {
  GuardedBuffer<float> buffer(3);
  const auto first = float_bits(buffer.span()[0]);
  for (float& x : buffer.span()) x = 1;
  BOOST_TEST(buffer.unwritten() == 0u);
  buffer.refill(1);
  BOOST_TEST(buffer.unwritten() == 3u);
  BOOST_TEST(float_bits(buffer.span()[0]) != first);
  BOOST_TEST(!buffer.damage().has_value());
}

BOOST_AUTO_TEST_CASE(poisoned_memory_is_nan_but_not_unwritten_output) {
  std::vector<float16> tail(5);
  poison(std::span(tail));
  for (const float16 x : tail) {
    BOOST_TEST(std::isnan(to_float(x)));
    BOOST_TEST(!is_poison(x));
  }
}

BOOST_AUTO_TEST_SUITE_END()
