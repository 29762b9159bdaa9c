// linear: y[t, r] = sum over c of W[r, c] * x[t, c], for a weight of any format.
//
// The definition: weights are decoded to float, products and sums are double and run in the order
// of c, and the sum is rounded to float once. Eight tokens advance side by side so that their
// chains of additions overlap; each chain is the one it would be alone.
#pragma once

#include "lamina/core/config.h"
#include "lamina/core/tensor.h"
#include "lamina/quant/formats.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace lamina {

/// x as linear_rows reads it: [ceil(tokens / 8)][cols][8] doubles, missing tokens zero.
inline std::vector<double> interleave_tokens(MatrixView<const float> x) {
  const std::int64_t groups = (x.rows + 7) / 8;
  std::vector<double> lanes(static_cast<std::size_t>(groups * x.cols * 8));
  for (std::int64_t t = 0; t < x.rows; ++t) {
    double* lane = lanes.data() + (t / 8) * x.cols * 8 + t % 8;
    for (std::int64_t c = 0; c < x.cols; ++c) lane[c * 8] = static_cast<double>(x.row(t)[c]);
  }
  return lanes;
}

/// Rows [first, last) of W applied to every token of `lanes` (from interleave_tokens of x).
inline void linear_rows(MatrixView<float> y, const TensorView& w, const std::vector<double>& lanes,
                        std::int64_t first, std::int64_t last) {
  const std::int64_t cols = w.cols();
  std::vector<float> row(static_cast<std::size_t>(cols));
  for (std::int64_t r = first; r < last; ++r) {
    decode_row(w.format, w.row(r).data(), cols, row.data());
    for (std::int64_t t = 0; t < y.rows; t += 8) {
      const double* x = lanes.data() + t * cols;
      double sums[8] = {};
      for (std::int64_t c = 0; c < cols; ++c) {
        const double weight = static_cast<double>(row[static_cast<std::size_t>(c)]);
        for (int lane = 0; lane < 8; ++lane) sums[lane] += weight * x[c * 8 + lane];
      }
      const std::int64_t tokens = std::min<std::int64_t>(8, y.rows - t);
      for (std::int64_t lane = 0; lane < tokens; ++lane) {
        y.row(t + lane)[r] = static_cast<float>(sums[lane]);
      }
    }
  }
}

/// y = x W^T. `y` is [tokens, rows of W], `x` is [tokens, cols of W].
inline void linear(MatrixView<float> y, const TensorView& w, MatrixView<const float> x) {
  LAMINA_ASSERT(y.rows == x.rows && y.cols == w.rows() && x.cols == w.cols());
  linear_rows(y, w, interleave_tokens(x), 0, w.rows());
}

}  // namespace lamina
