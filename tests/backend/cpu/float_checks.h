// What products of float weights must satisfy with the kernels of any instruction set: the derived
// bound, on shapes that are no multiples, and bits without company.
#pragma once

#include "lamina/backend/cpu/float_linear.h"
#include "lamina/verify/bounds.h"
#include "lamina/verify/compare.h"
#include "tests/backend/operands.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <string>

namespace lamina::test {

inline HostMatrix multiply_floats(const FloatKernels& kernels, const RandomWeight& w,
                                  const HostMatrix& x, int threads = 1) {
  ThreadPool pool(threads);
  ReusedBuffer memory;
  HostMatrix y(x.rows(), w.view.rows());
  const CpuWeight weight{.tensor = w.view};
  const WeightProduct product{&weight, y.view()};
  multiply_floats(pool, kernels, x.view(), std::span(&product, 1), memory);
  return y;
}

/// Compares with sums in double over the decoded weights.
inline Comparison compare_floats(const HostMatrix& y, const RandomWeight& w, const HostMatrix& x) {
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

inline constexpr FormatId float_formats[] = {FormatId::f32, FormatId::f16, FormatId::bf16};

/// Few and many, with a tile of every width.
inline std::vector<std::int64_t> numbers_of_tokens(const FloatKernels& kernels) {
  std::vector<std::int64_t> tokens = {1, 2, 3, 5, 6, kernels.few_tokens};
  for (const int width : {1, 2, 3, 5, 8, kernels.tile}) {
    const int tiles = kernels.few_tokens / kernels.tile + 1;
    tokens.push_back(tiles * kernels.tile + width);
  }
  return tokens;
}

inline void check_float_products(const FloatKernels& kernels, std::string_view isa) {
  for (const FormatId format : float_formats) {
    for (const std::int64_t cols : {1, 15, 16, 257, 512, 1100}) {
      for (const std::int64_t rows : {1, 2, 31, 32, 67}) {
        const RandomWeight w = random_weight(format, cols, rows, static_cast<std::uint32_t>(rows));
        for (const std::int64_t tokens : numbers_of_tokens(kernels)) {
          const HostMatrix x = random_matrix(tokens, cols, static_cast<std::uint64_t>(tokens));
          const Comparison result = compare_floats(multiply_floats(kernels, w, x, 2), w, x);
          BOOST_TEST(result.passed(), isa << ": " << result.report(format_name(format)));
        }
      }
    }
  }
}

/// Small integers have no rounding: every element must meet its own, in long batches too.
inline void check_float_products_of_integers(const FloatKernels& kernels, std::string_view isa) {
  RandomWeight w = random_weight(FormatId::f32, 1030, 70, 1);
  fill(w.decoded, InputKind::small_integers, 5);
  std::memcpy(w.bytes.data(), w.decoded.data(), w.bytes.size());
  const HostMatrix x = random_matrix(230, 1030, 6, InputKind::small_integers);
  const HostMatrix y = multiply_floats(kernels, w, x, 3);
  int wrong = 0;
  for (std::int64_t t = 0; t < x.rows(); ++t) {
    for (std::int64_t r = 0; r < 70; ++r) {
      double sum = 0;
      for (std::int64_t c = 0; c < x.cols(); ++c) {
        sum += static_cast<double>(x.row(t)[c]) *
               static_cast<double>(w.decoded[static_cast<std::size_t>(r * x.cols() + c)]);
      }
      wrong += static_cast<double>(y.row(t)[r]) != sum ? 1 : 0;
    }
  }
  BOOST_TEST(wrong == 0, isa << ": " << wrong << " elements differ");
}

inline void check_float_bits_without_company(const FloatKernels& kernels, std::string_view isa) {
  for (const FormatId format : float_formats) {
    for (const std::int64_t cols : {768, 1100}) {
      const RandomWeight w = random_weight(format, cols, 131, 3);
      const HostMatrix x = random_matrix(107, cols, 4);
      const HostMatrix all = multiply_floats(kernels, w, x);
      for (const int threads : {2, 3, 7}) {
        const HostMatrix again = multiply_floats(kernels, w, x, threads);
        BOOST_TEST(same_bits(std::span(again.row(0), 107 * 131), std::span(all.row(0), 107 * 131)),
                   isa);
      }
      for (std::int64_t t = 0; t < x.rows(); t += 7) {
        const HostMatrix alone = multiply_floats(kernels, w, one_row(x, t));
        BOOST_TEST(same_bits(row_of(alone, 0), row_of(all, t)), isa << " token " << t);
      }
    }
  }
}

inline void check_that_a_nan_stays_in_its_row(const FloatKernels& kernels, std::string_view isa) {
  const RandomWeight w = random_weight(FormatId::f16, 40, 9, 8);
  for (const std::int64_t tokens : {5, kernels.few_tokens + 5}) {
    HostMatrix x = random_matrix(tokens, 40, 9);
    const HostMatrix clean = multiply_floats(kernels, w, x);
    x.row(2)[37] = std::nanf("");
    const HostMatrix y = multiply_floats(kernels, w, x);
    for (std::int64_t t = 0; t < tokens; ++t) {
      if (t == 2) {
        for (const float value : row_of(y, t)) BOOST_TEST(std::isnan(value), isa);
      } else {
        BOOST_TEST(same_bits(row_of(y, t), row_of(clean, t)), isa);
      }
    }
  }
}

}  // namespace lamina::test
