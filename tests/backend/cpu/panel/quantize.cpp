// Codes are the nearest ones, finer where a value stands out; what is no number stays visible.
// Covers lamina/backend/cpu/panel/activations.h.
#include "lamina/backend/cpu/panel/quantize.h"

#include "lamina/backend/cpu/simd/portable.h"
#include "lamina/verify/inputs.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <vector>

using namespace lamina;

namespace {

using S = isa_portable::Simd;
constexpr float always = -1, never = std::numeric_limits<float>::infinity();

struct Step {
  StepRecord record = {};
  LowRecord low = {};
  std::uint8_t fine = 2;

  Step(const std::vector<float>& x, float square) {
    low.codes[3] = 1;  // of an input before
    quantize_step<S>(x.data(), square, {&record, &low, &fine});
  }
  int code(int i) const { return fine ? record.codes[i] * 4 + low.codes[i] : record.codes[i]; }
  double unit() const { return static_cast<double>(record.sums.scale) / (fine ? 4 : 1); }
};

/// One row of its own tile.
struct Row {
  std::vector<StepRecord> records;
  std::vector<LowRecord> low;
  std::vector<std::uint8_t> fine;

  explicit Row(const std::vector<float>& x, std::size_t steps)
      : records(steps), low(steps), fine(steps * step_flags) {
    const QuantizedRows to{
        {.rows = 1}, static_cast<std::int64_t>(steps), records.data(), low.data(), fine.data()};
    quantize_row<S>(x.data(), static_cast<std::int64_t>(x.size()), to, 0);
  }
};

void check_nearest(InputKind kind, float square) {
  std::vector<float> x(step_size);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    fill(x, kind, seed);
    const Step step(x, square);
    double sum = 0;
    for (int i = 0; i < step_size; ++i) {
      const double value = step.unit() * step.code(i);
      const double error = std::fabs(value - static_cast<double>(x[static_cast<std::size_t>(i)]));
      // Half a code, and what the rounding of scale and inverse moves it by.
      const double largest_code = step.fine ? 4 * 127 : 127;
      BOOST_TEST(error <= step.unit() * (0.5 + largest_code * 0x1p-22) + 1e-36);
      sum += value;
    }
    BOOST_TEST(std::fabs(sum - static_cast<double>(step.record.sums.scaled_sum)) <=
               std::fabs(sum) * 0x1p-22 + 1e-36);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(panel_quantize)

BOOST_AUTO_TEST_CASE(codes_are_the_nearest) {
  for (const InputKind kind : input_kinds) {
    check_nearest(kind, never);
    check_nearest(kind, always);
  }
}

BOOST_AUTO_TEST_CASE(sums_are_those_of_the_codes) {
  std::vector<float> x(step_size);
  fill(x, InputKind::normal, 3);
  for (const float square : {never, always}) {
    const Step step(x, square);
    BOOST_TEST(step.fine == (square == always));
    int halves[2] = {}, low_halves[2] = {};
    for (int i = 0; i < step_size; ++i) {
      halves[i / 16] += step.record.codes[i];
      low_halves[i / 16] += step.low.codes[i];
      BOOST_TEST((step.low.codes[i] >= -2 && step.low.codes[i] <= 1));
    }
    BOOST_TEST(step.record.sums.minus_sum == -(halves[0] + halves[1]));
    BOOST_TEST(step.low.minus_sum == -(low_halves[0] + low_halves[1]));
    double values = 0;
    for (int h = 0; h < 2; ++h) {
      BOOST_TEST(step.record.sums.minus_sums[h] == -halves[h]);
      BOOST_TEST(step.low.minus_sums[h] == -low_halves[h]);
      const double value = step.unit() * (step.fine ? 4 * halves[h] + low_halves[h] : halves[h]);
      BOOST_TEST(static_cast<double>(step.record.sums.scaled_sums[h]) == value,
                 boost::test_tools::tolerance(0x1p-22));
      values += value;
    }
    BOOST_TEST(static_cast<double>(step.record.sums.scaled_sum) == values,
               boost::test_tools::tolerance(0x1p-22));
  }
}

BOOST_AUTO_TEST_CASE(halves_go_to_the_even_code) {
  std::vector<float> x(step_size, 0.0f);
  x[0] = 127.0f;
  x[1] = 2.5f;
  x[2] = -3.5f;
  x[3] = 0.125f;
  const Step coarse(x, never), fine(x, always);
  BOOST_TEST(coarse.record.sums.scale == 1.0f);
  BOOST_TEST(coarse.code(1) == 2);
  BOOST_TEST(coarse.code(2) == -4);
  BOOST_TEST(fine.record.sums.scale == 1.0f);
  BOOST_TEST(fine.code(1) == 10);
  BOOST_TEST(fine.code(3) == 0);
}

BOOST_AUTO_TEST_CASE(steps_are_fine_whose_largest_is_above_six_times_the_root_mean_square) {
  for (const std::size_t count : {2048u, 2035u}) {  // whole vectors or not
    std::vector<float> x(count, 1.0f);
    for (const float largest : {5.9f, 6.1f, -6.1f}) {
      x[100] = largest;
      const Row row(x, 64);
      for (std::size_t step = 0; step < 64; ++step) {
        // A value of 6 makes the mean square 1.017.
        const bool fine = step == 3 && std::fabs(largest) > 6.06f;
        BOOST_TEST(row.fine[step * step_flags] == fine);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_row_is_filled_up_with_zeros) {
  std::vector<float> x(step_size + 3, 1.0f);
  x.back() = -2.0f;
  const Row row(x, 4);
  for (int i = 0; i < step_size; ++i) {
    const int last_step = i == 2 ? -127 : i < 2 ? 64 : 0;  // 63.5, to the even code
    BOOST_TEST(row.records[0].codes[i] == 127);
    BOOST_TEST(row.records[1].codes[i] == last_step);
    BOOST_TEST(row.records[2].codes[i] == 0);
  }
  BOOST_TEST(row.records[3].sums.scale == 0.0f);
}

BOOST_AUTO_TEST_CASE(what_is_no_number_makes_the_scale_nan) {
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
        -std::numeric_limits<float>::infinity()}) {
    std::vector<float> x(3 * step_size, 1.0f);
    x[17] = bad;
    const Row row(x, 4);
    BOOST_TEST(std::isnan(row.records[0].sums.scale));
    BOOST_TEST(std::isnan(row.records[0].sums.scaled_sum));
    BOOST_TEST(row.records[1].sums.scale == 1.0f / 127);
    for (const std::uint8_t fine : row.fine) BOOST_TEST(fine == 0);
  }
}

BOOST_AUTO_TEST_SUITE_END()
