// Codes are the nearest ones; what is no number stays visible.
// Covers lamina/backend/cpu/panel/activations.h.
#include "lamina/backend/cpu/panel/quantize.h"

#include "lamina/verify/inputs.h"

#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

using namespace lamina;

namespace {

/// Instruction sets that lay high and low parts out by so many.
template <int Run>
struct Tag {
  static constexpr int part_run = Run;
};

/// The parts of element i of a step of 10 bits.
template <int Run>
std::array<int, 2> parts_of(const StepRecord* records, int i) {
  const auto* codes = reinterpret_cast<const std::int8_t*>(records);
  const int at = i / Run * 2 * Run + i % Run;
  return {codes[at], codes[at + Run]};
}

template <Precision P, int Run>
int code(const StepRecord* records, int i) {
  if (P == Precision::bits8) return records->codes[i];
  return parts_of<Run>(records, i)[0] * 4 + parts_of<Run>(records, i)[1];
}

template <Precision P, int Run>
void check_nearest(InputKind kind) {
  std::vector<float> x(step_size);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    fill(x, kind, seed);
    StepRecord records[2] = {};
    quantize_step<Tag<Run>, P>(x.data(), records);
    const StepSums& beside = records[records_of(P) - 1].sums;
    const auto scale = static_cast<double>(beside.scale);
    double sum = 0;
    for (int i = 0; i < step_size; ++i) {
      const double value = scale * code<P, Run>(records, i);
      const double error = std::fabs(value - static_cast<double>(x[static_cast<std::size_t>(i)]));
      // Half a code, and what the rounding of scale and inverse moves it by.
      const double largest_code = P == Precision::bits8 ? 127 : 4 * 127;
      const double half = scale * (0.5 + largest_code * 0x1p-22);
      BOOST_TEST(error <= half + 1e-36);
      sum += value;
    }
    BOOST_TEST(std::fabs(sum - static_cast<double>(beside.scaled_sum)) <=
               std::fabs(sum) * 0x1p-22 + 1e-36);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(panel_quantize)

BOOST_AUTO_TEST_CASE(codes_are_the_nearest) {
  for (const InputKind kind : input_kinds) {
    check_nearest<Precision::bits8, 32>(kind);
    check_nearest<Precision::bits10, 32>(kind);
    check_nearest<Precision::bits10, 16>(kind);
  }
}

BOOST_AUTO_TEST_CASE(sums_are_those_of_the_codes) {
  std::vector<float> x(step_size);
  fill(x, InputKind::normal, 3);
  StepRecord one = {}, two[2] = {};
  quantize_step<Tag<32>, Precision::bits8>(x.data(), &one);
  quantize_step<Tag<16>, Precision::bits10>(x.data(), two);
  int halves[2] = {}, whole = 0;
  for (int i = 0; i < step_size; ++i) {
    halves[i / 16] += one.codes[i];
    const auto [high, low] = parts_of<16>(two, i);
    whole += high * 4 + low;
    BOOST_TEST((low >= -2 && low <= 1));
  }
  BOOST_TEST(one.sums.minus_sum == -(halves[0] + halves[1]));
  BOOST_TEST(one.sums.minus_sums[0] == -halves[0]);
  BOOST_TEST(one.sums.minus_sums[1] == -halves[1]);
  BOOST_TEST(two[1].sums.minus_sum == -whole);
}

BOOST_AUTO_TEST_CASE(halves_go_to_the_even_code) {
  std::vector<float> x(step_size, 0.0f);
  x[0] = 127.0f;
  x[1] = 2.5f;
  x[2] = -3.5f;
  StepRecord record = {};
  quantize_step<Tag<32>, Precision::bits8>(x.data(), &record);
  BOOST_TEST(record.sums.scale == 1.0f);
  BOOST_TEST(record.codes[1] == 2);
  BOOST_TEST(record.codes[2] == -4);
}

BOOST_AUTO_TEST_CASE(a_row_is_filled_up_with_zeros) {
  std::vector<float> x(step_size + 3, 1.0f);
  x.back() = -2.0f;
  StepRecord records[4] = {};
  const QuantizedRows row{{.rows = 1}, records, Precision::bits8, 4};
  quantize_row<Tag<32>>(x.data(), step_size + 3, row, 0);
  for (int i = 0; i < step_size; ++i) {
    const int last_step = i == 2 ? -127 : i < 2 ? 64 : 0;  // 63.5, to the even code
    BOOST_TEST(records[0].codes[i] == 127);
    BOOST_TEST(records[1].codes[i] == last_step);
    BOOST_TEST(records[2].codes[i] == 0);
  }
  BOOST_TEST(records[3].sums.scale == 0.0f);
}

BOOST_AUTO_TEST_CASE(what_is_no_number_makes_the_scale_nan) {
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
        -std::numeric_limits<float>::infinity()}) {
    std::vector<float> x(step_size, 1.0f);
    x[17] = bad;
    StepRecord record = {};
    quantize_step<Tag<32>, Precision::bits8>(x.data(), &record);
    BOOST_TEST(std::isnan(record.sums.scale));
    BOOST_TEST(std::isnan(record.sums.scaled_sum));
  }
}

BOOST_AUTO_TEST_SUITE_END()
