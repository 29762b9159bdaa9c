// linear: against long double sums of decoded weights for every format, exact where numbers allow,
// and the same bits for a token whoever stands beside it.
#include "lamina/ops/linear.h"

#include "lamina/verify/bounds.h"
#include "lamina/verify/compare.h"
#include "lamina/verify/inputs.h"
#include "ops/weight_matrix.h"

#include <boost/test/unit_test.hpp>
#include <Eigen/Core>

#include <cmath>
#include <limits>
#include <vector>

using namespace lamina;
using test::WeightMatrix;

BOOST_AUTO_TEST_SUITE(linear_)

namespace {

using Doubles = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

std::vector<float> random_input(std::int64_t tokens, std::int64_t cols, InputKind kind,
                                std::uint64_t seed) {
  std::vector<float> x(static_cast<std::size_t>(tokens * cols));
  fill(x, InputSource{kind, seed, static_cast<std::uint64_t>(cols)});
  return x;
}

std::vector<float> outputs_of(const WeightMatrix& w, const std::vector<float>& x) {
  const auto tokens = static_cast<std::int64_t>(x.size()) / w.cols;
  GuardedBuffer<float> y(static_cast<std::size_t>(tokens * w.rows));
  linear(MatrixView<float>{y.span().data(), tokens, w.rows}, w.view(),
         MatrixView<const float>{x.data(), tokens, w.cols});
  BOOST_TEST(y.damage().value_or("") == "");
  BOOST_TEST(y.unwritten() == 0u);
  return {y.span().begin(), y.span().end()};
}

/// y and its bound by the definition: exact products of decoded weights, sums in long double.
struct Expected {
  std::vector<double> y, bound;

  Expected(const WeightMatrix& w, const std::vector<float>& x) {
    const auto cols = static_cast<std::size_t>(w.cols);
    for (std::size_t t = 0; t < x.size() / cols; ++t) {
      for (std::size_t r = 0; r < static_cast<std::size_t>(w.rows); ++r) {
        long double sum = 0, magnitude = 0;
        for (std::size_t c = 0; c < cols; ++c) {
          const long double product = static_cast<long double>(w.values[r * cols + c]) *
                                      static_cast<long double>(x[t * cols + c]);
          sum += product;
          magnitude += std::fabs(product);
        }
        y.push_back(static_cast<double>(sum));
        const double error = dot_bound(w.cols, static_cast<double>(magnitude), float64_rounding);
        bound.push_back(store_bound(y.back(), error, float32_rounding));
      }
    }
  }
};

void check(const WeightMatrix& w, const std::vector<float>& x) {
  const Expected expected(w, x);
  const std::vector<float> y = outputs_of(w, x);
  const Comparison result = compare(std::span<const float>(y), std::span<const double>(expected.y),
                                    expected.bound, {.cols = static_cast<std::size_t>(w.rows)});
  BOOST_TEST(result.passed(), result.report(format_name(w.format)));
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_format_and_ragged_token_counts) {
  int formats = 0;
  Formats::for_each([&]<class Q>() {
    ++formats;
    const WeightMatrix w = test::random_weight<Q>(5, Q::block_size == 1 ? 37 : 3, 11);
    for (const std::int64_t tokens : {1, 3, 8, 11}) {
      check(w, random_input(tokens, w.cols, InputKind::normal, 12));
    }
  });
  BOOST_TEST(formats == 13);
}

BOOST_AUTO_TEST_CASE(every_kind_of_input) {
  for (const InputKind kind : input_kinds) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      BOOST_TEST_CONTEXT(name(kind) << ", seed " << seed) {
        const WeightMatrix w = test::f32_weight(7, 129, random_input(7, 129, kind, seed));
        check(w, random_input(9, 129, kind, seed + 100));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(eigen_in_double_agrees) {
  const WeightMatrix w = test::f32_weight(13, 40, random_input(13, 40, InputKind::normal, 1));
  const std::vector<float> x = random_input(10, 40, InputKind::normal, 2);
  const Doubles weights =
      Eigen::Map<const Eigen::Matrix<float, -1, -1, Eigen::RowMajor>>(w.values.data(), 13, 40)
          .cast<double>();
  const Doubles inputs =
      Eigen::Map<const Eigen::Matrix<float, -1, -1, Eigen::RowMajor>>(x.data(), 10, 40)
          .cast<double>();
  const Doubles expected = inputs * weights.transpose();
  const Doubles magnitude = inputs.cwiseAbs() * weights.cwiseAbs().transpose();
  const std::vector<float> y = outputs_of(w, x);
  const Comparison result = compare(
      std::span<const float>(y), std::span<const double>(expected.data(), 130), [&](std::size_t i) {
        return store_bound(expected.data()[i], dot_bound(40, magnitude.data()[i], float64_rounding),
                           float32_rounding);
      });
  BOOST_TEST(result.passed(), result.report());
}

BOOST_AUTO_TEST_CASE(small_integers_are_exact) {
  const WeightMatrix w =
      test::f32_weight(6, 300, random_input(6, 300, InputKind::small_integers, 3));
  const std::vector<float> x = random_input(9, 300, InputKind::small_integers, 4);
  const std::vector<float> y = outputs_of(w, x);
  for (std::size_t t = 0; t < 9; ++t) {
    for (std::size_t r = 0; r < 6; ++r) {
      int sum = 0;
      for (std::size_t c = 0; c < 300; ++c) {
        sum += static_cast<int>(w.values[r * 300 + c]) * static_cast<int>(x[t * 300 + c]);
      }
      BOOST_TEST(y[t * 6 + r] == static_cast<float>(sum));
    }
  }
}

// 2^53 + 1 rounds to 2^53 in double: the sum is 0 from the front, 1 from the back.
BOOST_AUTO_TEST_CASE(sums_run_in_the_order_of_columns) {
  const std::vector<float> ones{1, 1, 1};
  BOOST_TEST(outputs_of(test::f32_weight(1, 3, {0x1p53f, 1, -0x1p53f}), ones)[0] == 0.0f);
  BOOST_TEST(outputs_of(test::f32_weight(1, 3, {0x1p53f, -0x1p53f, 1}), ones)[0] == 1.0f);
}

// The sum of double products rounds to 1 + 2^-23; float products, or a float sum, lose the halves.
BOOST_AUTO_TEST_CASE(the_sum_is_rounded_once) {
  const std::vector<float> x{1, 0x1p-24f, 0x1p-24f};
  BOOST_TEST(outputs_of(test::f32_weight(1, 3, {1, 1, 1}), x)[0] == 1.0f + 0x1p-23f);
}

BOOST_AUTO_TEST_CASE(a_token_does_not_depend_on_its_company) {
  const WeightMatrix w = test::random_weight<Q4_K>(3, 2, 21);
  const std::vector<float> x = random_input(19, w.cols, InputKind::outliers, 22);
  const std::vector<float> together = outputs_of(w, x);
  for (std::int64_t first = 0; first < 19; ++first) {
    for (std::int64_t last = first + 1; last <= std::min<std::int64_t>(19, first + 10); last += 3) {
      const std::vector<float> part(x.begin() + first * w.cols, x.begin() + last * w.cols);
      const std::span<const float> whole(together.data() + first * w.rows,
                                         static_cast<std::size_t>((last - first) * w.rows));
      BOOST_TEST(same_bits(outputs_of(w, part), whole));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_damaged_token_keeps_its_damage_to_itself) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const WeightMatrix w = test::f32_weight(2, 3, {1, 2, 3, infinity, 5, 6});
  std::vector<float> x = random_input(11, 3, InputKind::normal, 31);
  x[3 * 3] = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> y = outputs_of(w, x);
  for (std::size_t t = 0; t < 11; ++t) {
    BOOST_TEST(std::isnan(y[2 * t]) == (t == 3));
    if (t != 3) BOOST_TEST(y[2 * t + 1] == std::copysign(infinity, x[3 * t]));
  }
}

BOOST_AUTO_TEST_CASE(rows_may_be_split_at_will) {
  const WeightMatrix w = test::random_weight<Q6_K>(10, 1, 41);
  const std::vector<float> x = random_input(5, w.cols, InputKind::normal, 42);
  const std::vector<float> whole = outputs_of(w, x);
  GuardedBuffer<float> y(whole.size());
  const std::vector<double> lanes = interleave_tokens(MatrixView<const float>{x.data(), 5, w.cols});
  const std::int64_t cuts[] = {0, 1, 4, 4, 9, 10};
  for (int i = 4; i >= 0; --i) {
    linear_rows(MatrixView<float>{y.span().data(), 5, w.rows}, w.view(), lanes, cuts[i],
                cuts[i + 1]);
  }
  BOOST_TEST(same_bits(y.span(), whole));
  BOOST_TEST(y.damage().value_or("") == "");
}

BOOST_AUTO_TEST_CASE(interleaved_tokens_lie_as_documented) {
  std::vector<float> x(11 * 3);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i + 1);
  const std::vector<double> lanes = interleave_tokens(MatrixView<const float>{x.data(), 11, 3});
  BOOST_REQUIRE(lanes.size() == 2u * 3u * 8u);
  for (std::size_t group = 0; group < 2; ++group) {
    for (std::size_t c = 0; c < 3; ++c) {
      for (std::size_t lane = 0; lane < 8; ++lane) {
        const std::size_t t = group * 8 + lane;
        const double expected = t < 11 ? static_cast<double>(t * 3 + c + 1) : 0.0;
        BOOST_TEST(lanes[(group * 3 + c) * 8 + lane] == expected);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(no_tokens_no_work) {
  const WeightMatrix w = test::f32_weight(2, 3, {1, 2, 3, 4, 5, 6});
  BOOST_TEST(interleave_tokens(MatrixView<const float>{nullptr, 0, 3}).empty());
  linear(MatrixView<float>{nullptr, 0, 2}, w.view(), MatrixView<const float>{nullptr, 0, 3});
}

BOOST_AUTO_TEST_SUITE_END()
