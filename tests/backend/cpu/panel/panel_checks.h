// What every instruction set's panel kernels must fulfil; each checks one format.
#pragma once

#include "lamina/backend/cpu/panel_linear.h"
#include "lamina/backend/cpu/vector_kernels.h"
#include "lamina/verify/bounds.h"
#include "lamina/verify/compare.h"
#include "tests/backend/operands.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

namespace lamina::test {

inline HostMatrix multiply_in_panels(const PanelKernels& kernels, const RandomWeight& w,
                                     const HostMatrix& x, int threads = 1) {
  ThreadPool pool(threads);
  const CpuWeight weight = make_panels(pool, kernels, w.view);
  ReusedBuffer memory;
  HostMatrix y(x.rows(), w.view.rows());
  const WeightProduct product{&weight, y.view()};
  multiply(pool, kernels, quantize(pool, kernels, x.view(), memory), {{product}});
  return y;
}

/// Integers with the largest code in each step of 32: codes stand for them exactly. A fifth of the
/// steps is fine: they hold 508 once, which is above 6 times the root mean square of the rest.
inline HostMatrix exact_activations(std::int64_t rows, std::int64_t cols, std::uint32_t seed) {
  std::mt19937 random(seed);
  HostMatrix x(rows, cols);
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t c = 0; c < cols; ++c) {
      x.row(r)[c] = c % step_size == 5 ? 127.0f : static_cast<float>(random() % 31) - 15.0f;
    }
    for (std::int64_t step = 0; step < cols / step_size; ++step) {
      if (random() % 5 == 0) x.row(r)[step * step_size + 5] = 508.0f;
    }
  }
  return x;
}

/// Normal ones, of which some stand out, at steps that differ from row to row.
inline HostMatrix uneven_activations(std::int64_t rows, std::int64_t cols, std::uint32_t seed) {
  std::mt19937 random(seed);
  HostMatrix x = random_matrix(rows, cols, seed);
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t step = 0; step < cols / step_size; ++step) {
      const auto place = static_cast<std::int64_t>(random() % step_size);
      if (random() % 6 == 0) x.row(r)[step * step_size + place] = 30.0f;
    }
  }
  return x;
}

/// The part of the steps that are fine.
inline double fine_part(const PanelKernels& kernels, const HostMatrix& x) {
  ThreadPool pool(1);
  ReusedBuffer memory;
  const QuantizedRows rows = quantize(pool, kernels, x.view(), memory);
  double fine = 0;
  for (std::int64_t i = 0; i < rows.tiles() * rows.steps * step_flags; ++i) fine += rows.fine[i];
  return fine / static_cast<double>(x.rows() * rows.steps);
}

/// Against sums in double over the decoded weights, where activations lose nothing.
///
/// A kernel sums scale * codes and min apart: with codes as random as these both are at most 5
/// times the largest weight of their step. Each step meets at most 5 roundings.
inline Comparison compare_with_double(const HostMatrix& y, const RandomWeight& w,
                                      const HostMatrix& x) {
  std::vector<double> expected, bounds;
  for (std::int64_t t = 0; t < x.rows(); ++t) {
    for (std::int64_t r = 0; r < w.view.rows(); ++r) {
      double sum = 0, magnitude = 0;
      for (std::int64_t first = 0; first < x.cols(); first += step_size) {
        double largest = 0, activations = 0;
        for (std::int64_t c = first; c < std::min(first + step_size, x.cols()); ++c) {
          const double weight = w.decoded[static_cast<std::size_t>(r * x.cols() + c)];
          sum += weight * static_cast<double>(x.row(t)[c]);
          largest = std::max(largest, std::fabs(weight));
          activations += std::fabs(static_cast<double>(x.row(t)[c]));
        }
        magnitude += 10 * largest * activations;
      }
      expected.push_back(sum);
      bounds.push_back(dot_bound(5 * x.cols() / step_size, magnitude));
    }
  }
  return compare(std::span<const float>(y.row(0), expected.size()), expected, bounds);
}

template <class Q>
void check_products(const PanelKernels& kernels, std::string_view isa) {
  const std::int64_t cols = Q::block_size == 32 ? 32 * 9 : 512;
  for (const std::int64_t rows : {1, 16, 50}) {
    const RandomWeight w = random_weight(Q::id, cols, rows, static_cast<std::uint32_t>(rows));
    for (const std::int64_t tokens : {1, 3, 17}) {
      const HostMatrix x = exact_activations(tokens, cols, static_cast<std::uint32_t>(tokens));
      const Comparison result = compare_with_double(multiply_in_panels(kernels, w, x, 2), w, x);
      BOOST_TEST(result.passed(), isa << ' ' << Q::name << ' ' << rows << " rows, " << tokens
                                      << " tokens: " << result.report());
    }
  }
}

/// A row's bits are the same alone, in any company and on any number of threads.
template <class Q>
void check_bits_without_company(const PanelKernels& kernels, std::string_view isa) {
  const std::int64_t cols = 1280, rows = 39;  // longer than a run of steps
  const RandomWeight w = random_weight(Q::id, cols, rows, 5);
  const HostMatrix x = uneven_activations(29, cols, 6);
  const HostMatrix all = multiply_in_panels(kernels, w, x);
  for (const std::int64_t count : {1, 2, 3, 5, 6, 7, 12, 13, 28, 29}) {
    HostMatrix some(count, cols);
    std::copy_n(x.row(29 - count), count * cols, some.row(0));
    const HostMatrix y = multiply_in_panels(kernels, w, some, 3);
    BOOST_TEST(std::equal(y.row(0), y.row(0) + count * rows, all.row(29 - count)),
               isa << ' ' << Q::name << ' ' << count << " rows");
  }
}

}  // namespace lamina::test
