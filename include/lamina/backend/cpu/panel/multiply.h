// y = x W^T for some panels of W and all rows of x: which kernel takes which columns.
#pragma once

#include "lamina/backend/cpu/panel/kernels.h"

namespace lamina {

/// A weight matrix in panels.
struct PanelMatrix {
  const std::byte* panels = nullptr;
  FormatId format = FormatId::q4_0;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
};

/// Up to this many tiles of columns codes are unpacked again for each; beyond, once for all.
inline constexpr std::int64_t direct_tiles = 2;

/// Results of one tile: [columns, rows of the panels].
template <class S>
struct TileResult {
  static constexpr int rows = S::tile_panels * panel_rows;
  alignas(64) float values[S::tile * rows];

  /// Copies what exists to `y` [x.rows, w.rows]: rows of W from `first_row` on, of x those of tile
  /// `t`.
  [[gnu::always_inline]] void copy(const PanelMatrix& w, const QuantizedRows& x, std::int64_t t,
                                   std::int64_t first_row, int panels, float* y) const {
    const std::int64_t left = w.rows - first_row;
    const std::int64_t count = left < panels * panel_rows ? left : panels * panel_rows;
    const int parts = x.parts();
    const std::int64_t first = t * x.tile / parts;
    for (int c = 0; c < x.used(t) / parts; ++c) {
      __builtin_memcpy(y + (first + c) * w.rows + first_row, values + c * rows,
                       static_cast<std::size_t>(count) * sizeof(float));
    }
  }
};

/// Calls `call.template operator()<Columns, P>()` for the kernel of a tile's width.
template <class S, class Call>
[[gnu::always_inline]] inline void with_width(int width, Precision precision, const Call& call) {
  if (precision == Precision::bits15) {
    if (width == 2)
      call.template operator()<2, Precision::bits15>();
    else if (width == 4)
      call.template operator()<4, Precision::bits15>();
    else
      call.template operator()<S::tile, Precision::bits15>();
  } else {
    if (width == 1)
      call.template operator()<1, Precision::bits8>();
    else if (width == 2)
      call.template operator()<2, Precision::bits8>();
    else if (width == 4)
      call.template operator()<4, Precision::bits8>();
    else
      call.template operator()<S::tile, Precision::bits8>();
  }
}

/// Bytes of `scratch` that multiply_panels needs for rows of `steps` steps.
template <class S>
constexpr std::int64_t scratch_bytes(std::int64_t steps) {
  return steps * static_cast<std::int64_t>(sizeof(UnpackedStep<S, 2, true>));
}

template <class S, class F>
void multiply_direct_panel(const PanelMatrix& w, const QuantizedRows& x, std::int64_t panel,
                           float* y) {
  const std::byte* bytes = w.panels + panel * F::units(w.cols) * F::unit_bytes;
  for (std::int64_t t = 0; t < x.tiles(); ++t) {
    TileResult<S> result;
    with_width<S>(x.width(t), x.precision, [&]<int Columns, Precision P>() {
      multiply_direct<S, F, Columns, P>(bytes, F::units(w.cols), x.of_tile(t), result.values,
                                        TileResult<S>::rows);
    });
    result.copy(w, x, t, panel * panel_rows, 1, y);
  }
}

template <class S, class F>
void multiply_unpacked(const PanelMatrix& w, const QuantizedRows& x, std::int64_t panel, int panels,
                       float* y, std::byte* scratch) {
  constexpr int bits = S::template dot_bits<F::bits>;
  auto* steps = reinterpret_cast<UnpackedStep<S, F::subs, F::has_min>*>(scratch);
  for (int p = 0; p < S::tile_panels; ++p) {
    // Where the matrix ends before the tile does, its last panel stands in; nobody reads the
    // result.
    const std::int64_t from = panel + (p < panels ? p : panels - 1);
    unpack_panel<S, F>(w.panels + from * F::units(w.cols) * F::unit_bytes, F::units(w.cols), p,
                       steps);
  }
  for (std::int64_t t = 0; t < x.tiles(); ++t) {
    TileResult<S> result;
    with_width<S>(x.width(t), x.precision, [&]<int Columns, Precision P>() {
      multiply_bytes<S, bits, F::subs, F::has_min, Columns, P>(
          steps, F::units(w.cols) * F::steps, F::template offset_bits<S>, x.of_tile(t),
          result.values, TileResult<S>::rows);
    });
    result.copy(w, x, t, panel * panel_rows, panels, y);
  }
}

/// The panels [first, end) of W; `y` is [x.rows, w.rows], `scratch` aligned to 64 bytes.
template <class S, class F>
void multiply_panels(const PanelMatrix& w, const QuantizedRows& x, std::int64_t first,
                     std::int64_t end, float* y, std::byte* scratch) {
  if (x.tiles() <= direct_tiles) {
    for (std::int64_t p = first; p < end; ++p) multiply_direct_panel<S, F>(w, x, p, y);
    return;
  }
  for (std::int64_t p = first; p < end; p += S::tile_panels) {
    const int panels = end - p < S::tile_panels ? static_cast<int>(end - p) : S::tile_panels;
    multiply_unpacked<S, F>(w, x, p, panels, y, scratch);
  }
}

}  // namespace lamina
