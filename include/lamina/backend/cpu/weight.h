// CpuWeight: a weight as the CPU backend holds it: the file's tensor, and panels of it where its
// format has them.
#pragma once

#include "lamina/backend/cpu/panel/layout.h"
#include "lamina/backend/cpu/panel/memory.h"
#include "lamina/backend/thread_pool.h"

#include <memory>

namespace lamina {

struct CpuWeight {
  TensorView tensor;
  std::shared_ptr<const PanelMemory> memory;  // none where there are no panels

  bool in_panels() const { return memory != nullptr; }
  PanelMatrix panels() const {
    return {memory->data(), tensor.format, tensor.rows(), tensor.cols()};
  }
};

/// Lays a tensor out in panels, on all threads.
inline CpuWeight make_panels(ThreadPool& pool, const TensorView& tensor) {
  const std::int64_t bytes = panel_layout(tensor.format).panel_bytes(tensor.cols());
  const std::int64_t panels = panels_of(tensor.rows());
  const auto memory = std::make_shared<PanelMemory>(static_cast<std::size_t>(panels * bytes));
  pool.for_each(panels, [&](std::int64_t p) { make_panel(tensor, p, memory->data() + p * bytes); });
  return {tensor, memory};
}

}  // namespace lamina
