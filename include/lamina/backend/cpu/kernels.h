// CpuKernels: what is compiled for each instruction set, chosen once when the backend is made.
#pragma once

#include "lamina/backend/cpu/attention/kernels.h"
#include "lamina/backend/cpu/elementwise.h"
#include "lamina/backend/cpu/panel/multiply.h"
#include "lamina/backend/cpu/panel/peak.h"
#include "lamina/backend/cpu/panel/quantize.h"
#include "lamina/core/tensor.h"
#include "lamina/quant/format.h"

#include <string_view>

namespace lamina {

class ThreadPool;

/// The formats whose weights are kept in panels.
using PanelFormats = FormatList<Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q2_K, Q3_K, Q4_K, Q5_K, Q6_K>;

/// Quantized weights times quantized activations.
struct PanelKernels {
  int tile = 0;             // columns of a tile of activations
  int panels_together = 1;  // that a call should take, or a multiple

  void (*quantize_row)(const float* values, std::int64_t cols, const QuantizedRows& to,
                       std::int64_t row);
  /// See multiply_panels; W may have any of PanelFormats.
  void (*multiply)(const PanelMatrix& w, const QuantizedRows& x, std::int64_t first,
                   std::int64_t end, float* y, std::byte* scratch);
  std::int64_t (*scratch_bytes)(std::int64_t steps);
  PeakKernels peaks;  // what none of the above can pass
};

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
          .panels_together = S::panels_together,
          .quantize_row = quantize_row<S>,
          .multiply = multiply_any<S>,
          .scratch_bytes = scratch_bytes<S>,
          .peaks = peak_kernels<S>()};
}

/// All that a unit of one instruction set compiles.
struct VectorKernels {
  PanelKernels panels;
  AttentionKernels attention;
  RowKernels rows;
};

template <class S>
constexpr VectorKernels vector_kernels() {
  return {panel_kernels<S>(), attention_kernels<S>(), row_kernels<S>()};
}

struct CpuKernels : VectorKernels {
  std::string_view isa;  // as --cpu-isa spells it

  /// y = x W^T for weights of any format by way of floats; `y` is [tokens, rows of W], `x` [tokens,
  /// cols of W].
  void (*linear)(ThreadPool& pool, MatrixView<float> y, const TensorView& w,
                 MatrixView<const float> x);
};

}  // namespace lamina
