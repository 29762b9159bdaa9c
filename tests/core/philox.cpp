// Philox against the known answers of Random123 (tests/kat_vectors, "philox4x32 10"), and its
// uniform numbers.
#include "lamina/core/philox.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <set>

namespace {

using namespace lamina;

std::array<std::uint32_t, 4> words(const PhiloxBlock& block) {
  return {block.word[0], block.word[1], block.word[2], block.word[3]};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(philox_numbers)

BOOST_AUTO_TEST_CASE(known_answers) {
  constexpr std::uint32_t f = 0xffff'ffffu;
  const struct {
    PhiloxBlock counter;
    PhiloxKey key;
    std::array<std::uint32_t, 4> answer;
  } known[] = {{{{0, 0, 0, 0}}, {{0, 0}}, {0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}},
               {{{f, f, f, f}}, {{f, f}}, {0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu}},
               {{{0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u}},
                {{0xa4093822u, 0x299f31d0u}},
                {0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u}}};
  for (const auto& [counter, key, answer] : known) {
    BOOST_TEST(words(philox(counter, key)) == answer, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(an_address_is_a_key_and_a_counter) {
  const RandomAddress address{
      .seed = 0x1111'2222'3333'4444u, .position = 0x5555'6666'7777'8888u, .stream = 9};
  const PhiloxBlock expected = philox(PhiloxBlock{{0x7777'8888u, 0x5555'6666u, 9, 0}},
                                      PhiloxKey{{0x3333'4444u, 0x1111'2222u}});
  BOOST_TEST(words(philox(address)) == words(expected), boost::test_tools::per_element());
  std::set<std::array<std::uint32_t, 4>> seen;
  for (const std::uint64_t seed : {0ull, 1ull, 1ull << 32, ~0ull}) {
    for (const std::uint64_t position : {0ull, 1ull, 1ull << 32, ~0ull}) {
      for (const std::uint32_t stream : {0u, 1u, ~0u}) {
        seen.insert(words(philox(RandomAddress{seed, position, stream})));
      }
    }
  }
  BOOST_TEST(seen.size() == 48u);
}

BOOST_AUTO_TEST_CASE(uniform_numbers_reach_0_and_not_1) {
  BOOST_TEST(uniform_double({{0, 0, 7, 7}}) == 0.0);
  BOOST_TEST(uniform_double({{~0u, ~0u, 0, 0}}) == 1 - 0x1p-53);
  BOOST_TEST(uniform_double({{0, 0x8000'0000u, 0, 0}}) == 0.5);
  BOOST_TEST(uniform_double({{1u << 11, 0, 0, 0}}) == 0x1p-53);
  BOOST_TEST(uniform_float(0) == 0.0f);
  BOOST_TEST(uniform_float(~0u) == 1 - 0x1p-24f);
  BOOST_TEST(uniform_float(1u << 8) == 0x1p-24f);
  static_assert(uniform_float(0x8000'0000u) == 0.5f);
}

BOOST_AUTO_TEST_CASE(uniform_numbers_of_consecutive_positions_fill_the_interval_evenly) {
  // Kolmogorov-Smirnov: sqrt(n) D > 2.5 has probability 2 exp(-2 * 2.5^2) = 7e-6.
  constexpr int n = 20000;
  for (const bool wide : {true, false}) {
    std::array<double, n> u{};
    for (int i = 0; i < n; ++i) {
      const PhiloxBlock bits =
          philox(RandomAddress{.seed = 42, .position = static_cast<std::uint64_t>(i)});
      u[static_cast<std::size_t>(i)] =
          wide ? uniform_double(bits) : static_cast<double>(uniform_float(bits.word[2]));
    }
    std::sort(u.begin(), u.end());
    double worst = 0;
    for (int i = 0; i < n; ++i) {
      worst = std::max(worst, std::abs(u[static_cast<std::size_t>(i)] - (i + 0.5) / n));
    }
    BOOST_TEST(worst * 141.42 < 2.5);
  }
}

BOOST_AUTO_TEST_SUITE_END()
