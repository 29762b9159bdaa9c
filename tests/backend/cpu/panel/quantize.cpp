// Codes are the nearest ones; what is no number stays visible.
// Covers lamina/backend/cpu/panel/activations.h.
#include "lamina/backend/cpu/panel/quantize.h"

#include "lamina/verify/inputs.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <vector>

using namespace lamina;

namespace {

struct Tag {};

/// The value that element i of a step stands for.
double value(const StepRecord* record, int i, Precision precision) {
  const int code = precision == Precision::bits8 ? record[0].codes[i]
                                                 : record[0].codes[i] * 128 + record[1].codes[i];
  return static_cast<double>(record[0].scale) * code;
}

template <Precision P>
void check_nearest(InputKind kind) {
  std::vector<float> x(step_size);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    fill(x, kind, seed);
    StepRecord records[2] = {};
    quantize_step<Tag, P>(x.data(), step_size, records);
    double sum = 0;
    for (int i = 0; i < step_size; ++i) {
      const double error =
          std::fabs(value(records, i, P) - static_cast<double>(x[static_cast<std::size_t>(i)]));
      // Half a code, and what the rounding of scale and inverse moves it by.
      const double largest_code = P == Precision::bits8 ? 127 : 127 * 128;
      const double half = static_cast<double>(records[0].scale) * (0.5 + largest_code * 0x1p-22);
      BOOST_TEST(error <= half + 1e-36);
      sum += value(records, i, P);
    }
    BOOST_TEST(std::fabs(sum - static_cast<double>(records[0].scaled_sum)) <=
               std::fabs(sum) * 0x1p-22 + 1e-36);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(panel_quantize)

BOOST_AUTO_TEST_CASE(codes_are_the_nearest) {
  for (const InputKind kind : input_kinds) {
    check_nearest<Precision::bits8>(kind);
    check_nearest<Precision::bits15>(kind);
  }
}

BOOST_AUTO_TEST_CASE(sums_are_those_of_the_codes) {
  std::vector<float> x(step_size);
  fill(x, InputKind::normal, 3);
  StepRecord one = {}, two[2] = {};
  quantize_step<Tag, Precision::bits8>(x.data(), step_size, &one);
  quantize_step<Tag, Precision::bits15>(x.data(), step_size, two);
  int halves[2] = {}, whole = 0;
  for (int i = 0; i < step_size; ++i) {
    halves[i / 16] += one.codes[i];
    whole += two[0].codes[i] * 128 + two[1].codes[i];
    BOOST_TEST((two[1].codes[i] >= -64 && two[1].codes[i] <= 63));
  }
  BOOST_TEST(one.minus_sum == -(halves[0] + halves[1]));
  BOOST_TEST(one.minus_sums[0] == -halves[0]);
  BOOST_TEST(one.minus_sums[1] == -halves[1]);
  BOOST_TEST(two[0].minus_sum == -whole);
}

BOOST_AUTO_TEST_CASE(halves_go_to_the_even_code) {
  std::vector<float> x(step_size, 0.0f);
  x[0] = 127.0f;
  x[1] = 2.5f;
  x[2] = -3.5f;
  StepRecord record = {};
  quantize_step<Tag, Precision::bits8>(x.data(), step_size, &record);
  BOOST_TEST(record.scale == 1.0f);
  BOOST_TEST(record.codes[1] == 2);
  BOOST_TEST(record.codes[2] == -4);
}

BOOST_AUTO_TEST_CASE(a_short_step_is_filled_up_with_zeros) {
  const float x[3] = {1.0f, -2.0f, 3.0f};
  StepRecord record = {};
  quantize_step<Tag, Precision::bits8>(x, 3, &record);
  BOOST_TEST(record.codes[2] == 127);
  for (int i = 3; i < step_size; ++i) BOOST_TEST(record.codes[i] == 0);
}

BOOST_AUTO_TEST_CASE(what_is_no_number_makes_the_scale_nan) {
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
        -std::numeric_limits<float>::infinity()}) {
    std::vector<float> x(step_size, 1.0f);
    x[17] = bad;
    StepRecord record = {};
    quantize_step<Tag, Precision::bits8>(x.data(), step_size, &record);
    BOOST_TEST(std::isnan(record.scale));
    BOOST_TEST(std::isnan(record.scaled_sum));
  }
}

BOOST_AUTO_TEST_SUITE_END()
