// Products of several quantized weights with one input, which is quantized once.
#pragma once

#include "lamina/backend/cpu/kernels.h"
#include "lamina/backend/cpu/reused_buffer.h"
#include "lamina/backend/cpu/weight.h"
#include "lamina/backend/thread_pool.h"

#include <algorithm>
#include <span>
#include <vector>

namespace lamina {

/// Lays a tensor out in panels, on all threads.
inline CpuWeight make_panels(ThreadPool& pool, const PanelKernels& kernels,
                             const TensorView& tensor) {
  const std::int64_t bytes = panel_layout(tensor.format).panel_bytes(tensor.cols());
  const std::int64_t panels = panels_of(tensor.rows());
  const auto memory = std::make_shared<PanelMemory>(static_cast<std::size_t>(panels * bytes));
  pool.for_each(panels, [&](std::int64_t p) {
    kernels.make_panel(panel_source(tensor, p), memory->data() + p * bytes);
  });
  return {.tensor = tensor, .memory = memory};
}

inline QuantizedRows quantize(ThreadPool& pool, const PanelKernels& kernels,
                              MatrixView<const float> x, ReusedBuffer& memory) {
  QuantizedRows rows{{.tile = kernels.tile, .rows = x.rows}};
  // Units of two blocks end at an even number of steps.
  rows.steps = (x.cols + 2 * step_size - 1) / (2 * step_size) * 2;
  const std::int64_t size = rows.size(), flags = rows.tiles() * rows.steps * step_flags;
  const auto bytes = 2 * size * static_cast<std::int64_t>(sizeof(StepRecord)) + flags;
  rows.records = reinterpret_cast<StepRecord*>(memory.of(static_cast<std::size_t>(bytes)));
  rows.low = reinterpret_cast<LowRecord*>(rows.records + size);
  rows.fine = reinterpret_cast<std::uint8_t*>(rows.low + size);
  const std::int64_t last = rows.tiles() - 1;
  if (last >= 0 && rows.used(last) != rows.width(last)) {  // places that no row fills
    const std::int64_t before = rows.before(last);
    std::fill_n(rows.records + before, size - before, StepRecord{});
    std::fill_n(rows.low + before, size - before, LowRecord{});
  }
  if (last >= 0) std::fill_n(rows.fine, flags, std::uint8_t{0});
  pool.for_each(x.rows, [&](std::int64_t r) { kernels.quantize_row(x.row(r), x.cols, rows, r); });
  return rows;
}

/// The panels [first, end) of a product.
struct PanelTask {
  const WeightProduct* product;
  std::int64_t first, end;
};

/// Panels of `bytes` each that make up for handing them out.
inline std::int64_t least_panels(std::int64_t bytes) {
  return std::max<std::int64_t>((64 << 10) / bytes, 1);
}

/// Panels of the next task, of `left` in all that no task has yet. A few rows are bound by reading
/// W. Many rows: as many panels as kernels take at once, for they read all rows for each task;
/// fewer where threads would have too few tasks to share them evenly, but an even number.
inline std::int64_t panels_of_task(const PanelKernels& kernels, const TensorView& tensor,
                                   std::int64_t rows, std::int64_t left, std::int64_t all,
                                   int threads) {
  constexpr std::int64_t tasks_of_thread = 4;
  if (rows <= kernels.direct_rows) {
    const std::int64_t bytes = panel_layout(tensor.format).panel_bytes(tensor.cols());
    return std::max(guided_share(left, threads), least_panels(bytes));
  }
  const std::int64_t share = all / (tasks_of_thread * threads);
  return std::min<std::int64_t>(std::max<std::int64_t>((share + 1) / 2 * 2, 2),
                                kernels.panels_together);
}

/// All products in tasks, of an input of so many rows.
inline std::vector<PanelTask> panel_tasks(const PanelKernels& kernels,
                                          std::span<const WeightProduct> products,
                                          std::int64_t rows, int threads) {
  std::int64_t all = 0;
  for (const WeightProduct& product : products) all += panels_of(product.weight->tensor.rows());
  std::int64_t left = all;
  std::vector<PanelTask> tasks;
  for (const WeightProduct& product : products) {
    const TensorView& tensor = product.weight->tensor;
    const std::int64_t panels = panels_of(tensor.rows());
    for (std::int64_t p = 0; p < panels;) {
      const std::int64_t size = panels_of_task(kernels, tensor, rows, left, all, threads);
      const std::int64_t end = std::min(p + size, panels);
      tasks.push_back({&product, p, end});
      left -= end - p;
      p = end;
    }
  }
  return tasks;
}

/// Computes a task with panels that are laid out now: for a few rows, some at a time, which stay in
/// a cache.
inline void multiply_repacking(const PanelKernels& kernels, const PanelTask& task,
                               const QuantizedRows& x, std::byte* scratch, ReusedBuffer& memory) {
  const TensorView& tensor = task.product->weight->tensor;
  const std::int64_t bytes = panel_layout(tensor.format).panel_bytes(tensor.cols());
  const std::int64_t together =
      x.rows <= kernels.direct_rows ? least_panels(bytes) : task.end - task.first;
  std::byte* panels = memory.of(static_cast<std::size_t>(together * bytes));
  for (std::int64_t first = task.first; first < task.end; first += together) {
    const std::int64_t end = std::min(first + together, task.end);
    for (std::int64_t p = first; p < end; ++p) {
      kernels.make_panel(panel_source(tensor, p), panels + (p - first) * bytes);
    }
    const PanelMatrix some{panels, tensor.format, tensor.rows(), tensor.cols(), first};
    kernels.multiply(some, x, first, end, task.product->y.data, scratch);
  }
}

inline void multiply(ThreadPool& pool, const PanelKernels& kernels, const QuantizedRows& x,
                     std::span<const WeightProduct> products) {
  if (x.rows == 0) return;
  const auto tasks = panel_tasks(kernels, products, x.rows, pool.threads());
  const auto bytes = static_cast<std::size_t>(kernels.scratch_bytes);
  pool.for_each(static_cast<std::int64_t>(tasks.size()), [&](std::int64_t i) {
    thread_local ReusedBuffer scratch, panels;
    const PanelTask& task = tasks[static_cast<std::size_t>(i)];
    const CpuWeight& weight = *task.product->weight;
    if (weight.in_panels()) {
      kernels.multiply(weight.panels(), x, task.first, task.end, task.product->y.data,
                       scratch.of(bytes));
    } else {
      multiply_repacking(kernels, task, x, scratch.of(bytes), panels);
    }
  });
}

}  // namespace lamina
