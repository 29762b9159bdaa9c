// vector_kernels<S>(): all that a unit of one instruction set compiles.
#pragma once

#include "lamina/backend/cpu/attention/kernels.h"
#include "lamina/backend/cpu/elementwise.h"
#include "lamina/backend/cpu/float_rows/multiply.h"
#include "lamina/backend/cpu/kernels.h"
#include "lamina/backend/cpu/panel/make_panel.h"
#include "lamina/backend/cpu/panel/multiply.h"
#include "lamina/backend/cpu/panel/quantize.h"
#include "lamina/quant/format.h"

namespace lamina {

/// The formats whose weights are kept in panels.
using PanelFormats = FormatList<Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q2_K, Q3_K, Q4_K, Q5_K, Q6_K>;

/// multiply_panels for the format that W has.
template <class S>
void multiply_any(const PanelMatrix& w, const QuantizedRows& x, std::int64_t first,
                  std::int64_t end, float* y, std::byte* scratch) {
  PanelFormats::visit(w.format, [&]<class Q>() {
    multiply_panels<S, PanelFormat<Q>>(w, x, first, end, y, scratch);
  });
}

template <class S>
constexpr PanelKernels panel_kernels() {
  return {.tile = S::tile,
          .direct_rows = S::direct_rows,
          .panels_together = S::panels_together,
          .quantize_row = quantize_row<S>,
          .make_panel = make_panel<S>,
          .multiply = multiply_any<S>,
          .scratch_bytes = scratch_bytes<S>(),
          .peaks = peak_kernels<S>()};
}

template <class S>
constexpr CpuKernels vector_kernels() {
  return {S::isa, panel_kernels<S>(), float_kernels<S>(), attention_kernels<S>(), row_kernels<S>()};
}

}  // namespace lamina
