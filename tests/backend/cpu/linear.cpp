// linear on the CPU: every format, shapes that are no multiples, the derived bound, and bits
// Covers lamina/backend/cpu/kernels.h.
// without company.
#include "lamina/backend/cpu/eigen_gemm.h"
#include "lamina/backend/cpu/linear.h"

#include "lamina/verify/bounds.h"
#include "lamina/verify/compare.h"
#include "tests/backend/operands.h"

#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace lamina;
using namespace lamina::test;

namespace {

/// Compares with sums in double over the decoded weights.
Comparison compare_with_double(const HostMatrix& y, const RandomWeight& w, const HostMatrix& x) {
  std::vector<double> expected, bounds;
  for (std::int64_t t = 0; t < x.rows(); ++t) {
    for (std::int64_t r = 0; r < w.view.rows(); ++r) {
      double sum = 0, magnitude = 0;
      for (std::int64_t c = 0; c < x.cols(); ++c) {
        const double product =
            static_cast<double>(x.row(t)[c]) *
            static_cast<double>(w.decoded[static_cast<std::size_t>(r * x.cols() + c)]);
        sum += product;
        magnitude += std::fabs(product);
      }
      expected.push_back(sum);
      bounds.push_back(dot_bound(x.cols(), magnitude));
    }
  }
  const std::span<const float> got(y.row(0), expected.size());
  return compare(got, expected, bounds);
}

HostMatrix multiply(const RandomWeight& w, const HostMatrix& x, int threads) {
  ThreadPool pool(threads);
  HostMatrix y(x.rows(), w.view.rows());
  linear_cpu<multiply_tile>(pool, y.view(), w.view, x.view());
  return y;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cpu_linear)

BOOST_AUTO_TEST_CASE(every_format_within_the_bound) {
  Formats::for_each([]<class Q>() {
    const std::int64_t cols =
        Q::block_size == 1 ? 257 : 2 * Q::block_size * (256 / Q::block_size) + Q::block_size % 256;
    for (const std::int64_t rows : {1, 63, 64, 65, 130}) {
      const RandomWeight w = random_weight(Q::id, cols, rows, static_cast<std::uint32_t>(rows));
      for (const std::int64_t tokens : {1, 3, 8, 9, 17}) {
        const HostMatrix x = random_matrix(tokens, cols, static_cast<std::uint64_t>(tokens));
        const Comparison result = compare_with_double(multiply(w, x, 2), w, x);
        BOOST_TEST(result.passed(), result.report(std::string(Q::name)));
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(small_integers_are_exact) {
  RandomWeight w = random_weight(FormatId::f32, 300, 70, 1);
  fill(w.decoded, InputKind::small_integers, 5);
  std::memcpy(w.bytes.data(), w.decoded.data(), w.bytes.size());
  const HostMatrix x = random_matrix(11, 300, 6, InputKind::small_integers);
  const HostMatrix y = multiply(w, x, 3);
  for (std::int64_t t = 0; t < 11; ++t) {
    for (std::int64_t r = 0; r < 70; ++r) {
      double sum = 0;
      for (std::int64_t c = 0; c < 300; ++c) {
        sum += static_cast<double>(x.row(t)[c]) *
               static_cast<double>(w.decoded[static_cast<std::size_t>(r * 300 + c)]);
      }
      BOOST_TEST(static_cast<double>(y.row(t)[r]) == sum);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_row_has_the_same_bits_in_any_company) {
  for (const FormatId format : {FormatId::f32, FormatId::q4_1, FormatId::q6_k}) {
    const std::int64_t cols = 768;
    const RandomWeight w = random_weight(format, cols, 131, 3);
    const HostMatrix x = random_matrix(37, cols, 4);
    const HostMatrix all = multiply(w, x, 1);
    for (const int threads : {2, 3, 7}) {
      const HostMatrix again = multiply(w, x, threads);
      BOOST_TEST(same_bits(std::span(again.row(0), 37 * 131), std::span(all.row(0), 37 * 131)));
    }
    for (std::int64_t t = 0; t < x.rows(); ++t) {
      const HostMatrix alone = multiply(w, one_row(x, t), 2);
      BOOST_TEST(same_bits(row_of(alone, 0), row_of(all, t)), "token " << t);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_nan_stays_in_its_row) {
  const RandomWeight w = random_weight(FormatId::f32, 40, 9, 8);
  HostMatrix x = random_matrix(5, 40, 9);
  const HostMatrix clean = multiply(w, x, 1);
  x.row(2)[7] = std::nanf("");
  const HostMatrix y = multiply(w, x, 1);
  for (std::int64_t t = 0; t < 5; ++t) {
    if (t == 2) {
      for (const float value : row_of(y, t)) BOOST_TEST(std::isnan(value));
    } else {
      BOOST_TEST(same_bits(row_of(y, t), row_of(clean, t)));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
