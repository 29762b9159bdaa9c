// CpuKernels: what is compiled for each instruction set, chosen once when the backend is made.
#pragma once

#include "lamina/backend/cpu/attention/tile.h"
#include "lamina/backend/cpu/float_rows/product.h"
#include "lamina/backend/cpu/panel/activations.h"
#include "lamina/backend/cpu/panel/layout.h"
#include "lamina/backend/cpu/panel/peak.h"
#include "lamina/core/tensor.h"
#include "lamina/ops/activation.h"
#include "lamina/ops/rope.h"

#include <string_view>

namespace lamina {

/// Quantized weights times quantized activations.
struct PanelKernels {
  int tile = 0;             // rows of a tile of activations
  int direct_rows = 0;      // up to as many, a call may take any number of panels
  int panels_together = 1;  // beyond, a call should take as many, or fewer

  void (*quantize_row)(const float* values, std::int64_t cols, const QuantizedRows& to,
                       std::int64_t row);
  void (*make_panel)(const PanelSource& from, std::byte* out);
  /// See multiply_panels; W may have any of PanelFormats.
  void (*multiply)(const PanelMatrix& w, const QuantizedRows& x, std::int64_t first,
                   std::int64_t end, float* y, std::byte* scratch);
  std::int64_t scratch_bytes;
  PeakKernels peaks;  // what none of the above can pass
};

/// Operations on rows of `count` floats.
struct RowKernels {
  /// y = x / sqrt(mean(x^2) + eps) * weight; y may be x.
  void (*rms_norm)(float* y, const float* x, const float* weight, std::int64_t count, float eps);
  /// Turns one head in place; cosines and sines are [half].
  void (*rope)(float* head, const float* cosines, const float* sines, std::int64_t half,
               RopePairing pairing);
  /// y += x.
  void (*add)(float* y, const float* x, std::int64_t count);
  /// y = activation(y) * x.
  void (*silu)(float* y, const float* x, std::int64_t count);
  void (*gelu_tanh)(float* y, const float* x, std::int64_t count);

  template <Activation A>
  void gate(float* y, const float* x, std::int64_t count) const {
    if constexpr (A == Activation::silu) silu(y, x, count);
    if constexpr (A == Activation::gelu_tanh) gelu_tanh(y, x, count);
  }
};

struct CpuKernels {
  std::string_view isa;  // as --cpu-isa spells it
  PanelKernels panels;
  FloatKernels floats;
  AttentionKernels attention;
  RowKernels rows;
};

}  // namespace lamina
