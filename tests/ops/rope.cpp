// rope: complex rotation in long double, the properties that make it a position embedding, and
// accuracy far from the start.
#include "lamina/ops/rope.h"

#include "lamina/verify/bounds.h"
#include "lamina/verify/compare.h"
#include "lamina/verify/inputs.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <complex>
#include <string>
#include <vector>

using namespace lamina;

BOOST_AUTO_TEST_SUITE(rope_)

namespace {

using Floats = std::vector<float>;

Floats random_head(std::size_t size, std::uint64_t seed) {
  Floats head(size);
  fill(head, InputKind::normal, seed);
  return head;
}

Floats turned(Floats head, const RopeSettings& settings, Position position) {
  const std::vector<double> frequencies = rope_frequencies(settings);
  Floats cosines(frequencies.size()), sines(frequencies.size());
  rope_angles(frequencies, position, cosines, sines);
  rope(head, cosines, sines, settings.pairing);
  return head;
}

/// The angle of pair `i` at `position` by the definition.
long double exact_angle(const RopeSettings& settings, std::size_t i, Position position) {
  const long double exponent = -2.0L * static_cast<long double>(i) / settings.rotated;
  const long double divisor = settings.divisors.empty() ? 1.0L : settings.divisors[i];
  return position * std::pow(static_cast<long double>(settings.base), exponent) /
         (divisor * settings.factor);
}

/// How far a double angle may be off: the exponent's rounding is multiplied by ln(base), a power
/// and three products and quotients add one ulp or rounding each.
double angle_bound(const RopeSettings& settings, std::size_t i, Position position) {
  const double relative =
      gamma(6, 0x1p-53) + std::log(static_cast<double>(settings.base)) * 0x1p-53;
  return std::fabs(static_cast<double>(exact_angle(settings, i, position))) * relative;
}

/// Which elements pair `i` consists of.
std::pair<std::size_t, std::size_t> pair_of(const RopeSettings& settings, std::size_t i) {
  const std::size_t half = static_cast<std::size_t>(settings.rotated) / 2;
  if (settings.pairing == RopePairing::interleaved) return {2 * i, 2 * i + 1};
  return {i, i + half};
}

/// Every pair times exp(i angle); what is not rotated, unchanged.
void check(const Floats& head, const RopeSettings& settings, Position position) {
  std::vector<double> expected(head.begin(), head.end()), bound(head.size(), 0.0);
  for (std::size_t i = 0; i < static_cast<std::size_t>(settings.rotated) / 2; ++i) {
    const auto [first, second] = pair_of(settings, i);
    const std::complex<long double> before(head[first], head[second]);
    const auto after = before * std::polar(1.0L, exact_angle(settings, i, position));
    const double norm = static_cast<double>(std::abs(before));
    // The cosine and the sine are stored as floats: one rounding more.
    const double error =
        rope_bound(norm, 0x1p-24 + angle_bound(settings, i, position), float64_rounding);
    expected[first] = static_cast<double>(after.real());
    expected[second] = static_cast<double>(after.imag());
    bound[first] = store_bound(expected[first], error, float32_rounding);
    bound[second] = store_bound(expected[second], error, float32_rounding);
  }
  const Floats got = turned(head, settings, position);
  const Comparison result =
      compare(std::span<const float>(got), std::span<const double>(expected), bound);
  BOOST_TEST(result.passed(), result.report("position " + std::to_string(position)));
}

double dot(const Floats& a, const Floats& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  }
  return sum;
}

constexpr RopePairing pairings[] = {RopePairing::halves, RopePairing::interleaved};

}  // namespace

BOOST_AUTO_TEST_CASE(pairs_turn_as_complex_numbers) {
  for (const RopePairing pairing : pairings) {
    for (const int rotated : {2, 6, 64, 80}) {
      for (const std::size_t rest : {0u, 2u, 16u}) {
        const Floats head = random_head(static_cast<std::size_t>(rotated) + rest, 3);
        const RopeSettings settings{.rotated = rotated, .pairing = pairing};
        for (const Position position : {0, 1, 2, 17, 4095}) check(head, settings, position);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(closed_form_of_a_quarter_turn) {
  const float cosine = 0, sine = 1;
  Floats head{1, 2, 3};
  rope(head, std::span(&cosine, 1), std::span(&sine, 1), RopePairing::halves);
  BOOST_TEST(head == Floats({-2, 1, 3}), boost::test_tools::per_element());
  const Floats quarter{0, 0}, turn{1, 1};
  Floats halves{1, 2, 3, 4}, interleaved{1, 2, 3, 4};
  rope(halves, quarter, turn, RopePairing::halves);
  rope(interleaved, quarter, turn, RopePairing::interleaved);
  BOOST_TEST(halves == Floats({-3, -4, 1, 2}), boost::test_tools::per_element());
  BOOST_TEST(interleaved == Floats({-2, 1, -4, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(pairings_differ_by_a_permutation_only) {
  const Floats head = random_head(16, 4);
  Floats shuffled(16);
  for (std::size_t i = 0; i < 8; ++i) {
    shuffled[2 * i] = head[i];
    shuffled[2 * i + 1] = head[i + 8];
  }
  const Floats halves = turned(head, {.rotated = 16}, 77);
  const Floats interleaved =
      turned(shuffled, {.rotated = 16, .pairing = RopePairing::interleaved}, 77);
  for (std::size_t i = 0; i < 8; ++i) {
    BOOST_TEST(interleaved[2 * i] == halves[i]);
    BOOST_TEST(interleaved[2 * i + 1] == halves[i + 8]);
  }
}

BOOST_AUTO_TEST_CASE(position_zero_changes_nothing) {
  const Floats head = random_head(64, 5);
  for (const RopePairing pairing : pairings) {
    BOOST_TEST(same_bits(turned(head, {.rotated = 64, .pairing = pairing}, 0), head));
  }
}

BOOST_AUTO_TEST_CASE(what_is_not_rotated_passes_bit_for_bit) {
  const Floats head = random_head(48, 6);
  for (const RopePairing pairing : pairings) {
    const Floats got = turned(head, {.rotated = 20, .pairing = pairing}, 9);
    BOOST_TEST(same_bits(std::span(got).subspan(20), std::span(head).subspan(20)));
    for (std::size_t i = 0; i < 20; ++i) BOOST_TEST(got[i] != head[i]);
  }
}

// Each element moves by at most (1 + 1) u of its pair's norm (cosine, result), so that a head moves
// by at most sqrt(2) (2 u) of its own.
BOOST_AUTO_TEST_CASE(norms_are_kept) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const Floats head = random_head(64, seed);
    const double norm = std::sqrt(dot(head, head));
    const Floats got = turned(head, {.rotated = 64}, static_cast<Position>(1000 * seed + 3));
    BOOST_TEST(std::fabs(std::sqrt(dot(got, got)) - norm) <=
               norm * std::sqrt(2.0) * 2.01 * 0x1p-24);
  }
}

BOOST_AUTO_TEST_CASE(scores_depend_on_distance_alone) {
  const Floats q = random_head(64, 7), k = random_head(64, 8);
  const double norms = std::sqrt(dot(q, q) * dot(k, k));
  for (const RopePairing pairing : pairings) {
    const RopeSettings settings{.rotated = 64, .pairing = pairing};
    const auto score = [&](Position m, Position n) {
      return dot(turned(q, settings, m), turned(k, settings, n));
    };
    // Two heads of relative error sqrt(2) 2 u (see above), two scores; angles add their own error.
    const double bound =
        norms * 2 * 2 * (std::sqrt(2.0) * 2.01 * 0x1p-24 + angle_bound(settings, 0, 9000));
    for (const Position distance : {0, 1, 5, 100}) {
      const double near = score(distance, 0);
      for (const Position shift : {1, 64, 999, 8000}) {
        BOOST_TEST(std::fabs(score(distance + shift, shift) - near) <= bound);
      }
      BOOST_TEST(std::fabs(score(distance + 1, 0) - near) > 100 * bound);
    }
  }
}

BOOST_AUTO_TEST_CASE(far_positions_are_accurate) {
  for (const float base : {10000.0f, 500000.0f, 1000000.0f}) {
    const RopeSettings settings{.rotated = 128, .base = base};
    const std::vector<double> frequencies = rope_frequencies(settings);
    for (const Position position : {100'000, 1'000'003}) {
      Floats cosines(64), sines(64);
      rope_angles(frequencies, position, cosines, sines);
      std::vector<double> cos_expected, sin_expected, bound;
      for (std::size_t i = 0; i < 64; ++i) {
        const long double angle = exact_angle(settings, i, position);
        cos_expected.push_back(static_cast<double>(std::cos(angle)));
        sin_expected.push_back(static_cast<double>(std::sin(angle)));
        bound.push_back(
            store_bound(1, angle_bound(settings, i, position) + 0x1p-52, float32_rounding));
      }
      const auto cos_result =
          compare(std::span<const float>(cosines), std::span<const double>(cos_expected), bound);
      const auto sin_result =
          compare(std::span<const float>(sines), std::span<const double>(sin_expected), bound);
      BOOST_TEST(cos_result.passed(), cos_result.report("cosines"));
      BOOST_TEST(sin_result.passed(), sin_result.report("sines"));
    }
    check(random_head(128, 9), settings, 100'000);
  }
}

BOOST_AUTO_TEST_CASE(divisors_divide_their_own_frequency) {
  const RopeSettings plain{.rotated = 8, .base = 500000.0f};
  RopeSettings scaled = plain;
  scaled.divisors = {1, 2, 8, 0.5f};
  const std::vector<double> before = rope_frequencies(plain), after = rope_frequencies(scaled);
  for (std::size_t i = 0; i < 4; ++i) {
    BOOST_TEST(after[i] == before[i] / static_cast<double>(scaled.divisors[i]));
  }
  scaled.divisors = {1, 1.25f, 7.3f, 32};
  check(random_head(8, 10), scaled, 12345);
}

BOOST_AUTO_TEST_CASE(a_linear_factor_divides_positions) {
  const Floats head = random_head(32, 11);
  const RopeSettings plain{.rotated = 32};
  RopeSettings scaled = plain;
  scaled.factor = 8;
  BOOST_TEST(same_bits(turned(head, scaled, 8 * 55), turned(head, plain, 55)));
  scaled.factor = 2.5f;
  check(head, scaled, 4321);
}

BOOST_AUTO_TEST_CASE(frequencies_fall_from_one) {
  const std::vector<double> frequencies = rope_frequencies({.rotated = 4, .base = 10000});
  BOOST_REQUIRE(frequencies.size() == 2u);
  BOOST_TEST(frequencies[0] == 1.0);
  BOOST_TEST(std::fabs(frequencies[1] - 0.01) <= 0.01 * 8 * 0x1p-53);
  BOOST_TEST(rope_frequencies({.rotated = 0}).empty());
}

BOOST_AUTO_TEST_SUITE_END()
