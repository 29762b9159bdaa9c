// Products of F32, F16 and BF16 weights with one input, on all threads.
#pragma once

#include "lamina/backend/cpu/float_rows/product.h"
#include "lamina/backend/cpu/reused_buffer.h"
#include "lamina/backend/cpu/weight.h"
#include "lamina/backend/thread_pool.h"

#include <algorithm>
#include <span>
#include <vector>

namespace lamina {

/// `x` with rows of whole vectors: where they are not, they are copied to `memory` and filled up
/// with zeros.
inline MatrixView<const float> in_whole_vectors(MatrixView<const float> x, ReusedBuffer& memory) {
  constexpr std::int64_t lanes = 16;
  const std::int64_t stride = (x.cols + lanes - 1) / lanes * lanes;
  if (stride == x.cols) return x;
  float* copy = memory.floats(static_cast<std::size_t>(x.rows * stride));
  for (std::int64_t t = 0; t < x.rows; ++t) {
    std::copy_n(x.row(t), x.cols, copy + t * stride);
    std::fill_n(copy + t * stride + x.cols, stride - x.cols, 0.0f);
  }
  return {copy, x.rows, stride};
}

/// `x` as products of many tokens take it, in `memory`.
inline PhasedRows in_phases(ThreadPool& pool, const FloatKernels& kernels,
                            MatrixView<const float> x, ReusedBuffer& memory) {
  PhasedRows rows{{.tile = kernels.tile, .rows = x.rows}};
  rows.steps = steps_of_phase(x.cols);
  rows.data = memory.floats(static_cast<std::size_t>(rows.size()));
  pool.for_each(rows.tiles(),
                [&](std::int64_t t) { kernels.arrange_tile(x.data, x.cols, x.cols, rows, t); });
  return rows;
}

/// `x` as products take it; `memory` holds it where it has to be laid out anew.
inline FloatInput float_input(ThreadPool& pool, const FloatKernels& kernels,
                              MatrixView<const float> x, ReusedBuffer& memory) {
  if (x.rows > kernels.few_tokens) {
    return {.tokens = x.rows, .phased = in_phases(pool, kernels, x, memory)};
  }
  x = in_whole_vectors(x, memory);
  return {.tokens = x.rows, .x = x.data, .stride = x.cols};
}

inline FloatProduct float_product(const WeightProduct& product, const FloatInput& input) {
  const TensorView& w = product.weight->tensor;
  return {.input = input,
          .w = w.bytes.data(),
          .format = w.format,
          .row_bytes = static_cast<std::int64_t>(w.row(0).size()),
          .cols = w.cols(),
          .y = product.y.data,
          .y_stride = product.y.cols};
}

/// Some rows of a product.
struct FloatTask {
  FloatProduct product;
  std::int64_t first, end;
};

/// All products in tasks of whole blocks: one token in shares that shrink, many block by block.
inline std::vector<FloatTask> float_tasks(std::span<const WeightProduct> products,
                                          const FloatInput& input, int threads) {
  std::int64_t left = 0;
  for (const WeightProduct& product : products) left += product.weight->tensor.rows();
  std::vector<FloatTask> tasks;
  for (const WeightProduct& product : products) {
    const std::int64_t rows = product.weight->tensor.rows();
    for (std::int64_t row = 0; row < rows;) {
      const std::int64_t share = input.tokens == 1 ? guided_share(left, threads) : 1;
      const std::int64_t blocks = std::max<std::int64_t>(share / float_rows_together, 1);
      const std::int64_t end = std::min(row + blocks * float_rows_together, rows);
      tasks.push_back({float_product(product, input), row, end});
      left -= end - row;
      row = end;
    }
  }
  return tasks;
}

/// y = x W^T for each of `products`; `memory` holds x where it has to be laid out anew.
inline void multiply_floats(ThreadPool& pool, const FloatKernels& kernels,
                            MatrixView<const float> x, std::span<const WeightProduct> products,
                            ReusedBuffer& memory) {
  if (x.rows == 0 || products.empty()) return;
  const FloatInput input = float_input(pool, kernels, x, memory);
  const auto tasks = float_tasks(products, input, pool.threads());
  const auto scratch_floats = static_cast<std::size_t>(kernels.scratch_floats(x.cols));
  pool.for_each(static_cast<std::int64_t>(tasks.size()), [&](std::int64_t i) {
    thread_local ReusedBuffer scratch;
    float* memory_of_task = scratch.floats(scratch_floats);
    const FloatTask& task = tasks[static_cast<std::size_t>(i)];
    for (std::int64_t row = task.first; row < task.end; row += float_rows_together) {
      const std::int64_t end = std::min<std::int64_t>(row + float_rows_together, task.end);
      kernels.multiply(task.product, row, end, memory_of_task);
    }
  });
}

}  // namespace lamina
