// y = x W^T for some panels of W and all rows of x: which kernel takes which columns.
#pragma once

#include "lamina/backend/cpu/panel/kernels.h"
#include "lamina/backend/cpu/panel/tiles.h"

namespace lamina {

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

/// Calls `call.template operator()<Columns, P>()` for the kernel of a tile's width: 1, 2, 4 or
/// Most.
template <int Most, class Call>
[[gnu::always_inline]] inline void with_width(int width, Precision precision, const Call& call) {
  if (precision == Precision::bits15) {
    if (width == 2)
      call.template operator()<2, Precision::bits15>();
    else if (width == 4)
      call.template operator()<4, Precision::bits15>();
    else
      call.template operator()<Most, Precision::bits15>();
  } else {
    if (width == 1)
      call.template operator()<1, Precision::bits8>();
    else if (width == 2)
      call.template operator()<2, Precision::bits8>();
    else if (width == 4)
      call.template operator()<4, Precision::bits8>();
    else
      call.template operator()<Most, Precision::bits8>();
  }
}

/// Bytes of `scratch` that multiply_panels needs for rows of `steps` steps.
template <class S>
constexpr std::int64_t scratch_bytes(std::int64_t steps) {
  constexpr std::int64_t step_bytes = sizeof(UnpackedStep<S, 2, true>);
  return S::has_tiles ? S::panels_together * steps_together * step_bytes : steps * step_bytes;
}

template <class S, class F>
void multiply_direct_panel(const PanelMatrix& w, const QuantizedRows& x, std::int64_t panel,
                           float* y) {
  const std::byte* bytes = w.panel(panel, F::units(w.cols) * F::unit_bytes);
  constexpr int most = S::direct_columns < S::tile ? 4 : S::tile;
  for (std::int64_t t = 0; t < x.tiles(); ++t) {
    TileResult<S> result;
    with_width<most>(x.width(t), x.precision, [&]<int Columns, Precision P>() {
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
    unpack_panel<S, F>(w.panel(from, F::units(w.cols) * F::unit_bytes), F::units(w.cols), p, steps);
  }
  for (std::int64_t t = 0; t < x.tiles(); ++t) {
    TileResult<S> result;
    with_width<S::tile>(x.width(t), x.precision, [&]<int Columns, Precision P>() {
      multiply_bytes<S, bits, F::subs, F::has_min, Columns, P>(
          steps, F::units(w.cols) * F::steps, F::template offset_bits<S>, x.of_tile(t),
          result.values, TileResult<S>::rows);
    });
    result.copy(w, x, t, panel * panel_rows, panels, y);
  }
}

/// The panels [first, end) by tiles, at most S::panels_together.
template <class S, class F>
void multiply_by_tiles(const PanelMatrix& w, const QuantizedRows& x, std::int64_t first,
                       std::int64_t end, float* y, std::byte* scratch) {
  constexpr int bits = S::template dot_bits<F::bits>;
  constexpr std::int64_t units_together = steps_together / F::steps;
  const std::int64_t units = F::units(w.cols);
  auto* unpacked = reinterpret_cast<UnpackedStep<S, F::subs, F::has_min>*>(scratch);
  for (std::int64_t unit = 0; unit < units; unit += units_together) {
    const std::int64_t count = units - unit < units_together ? units - unit : units_together;
    for (std::int64_t p = first; p < end; ++p) {
      unpack_panel<S, F>(w.panel(p, units * F::unit_bytes) + unit * F::unit_bytes, count, 0,
                         unpacked + (p - first) * steps_together);
    }
    int width = 0;  // that tiles are made for
    for (std::int64_t t = 0; t < x.tiles(); ++t) {
      if (x.width(t) != width) S::begin_tiles(width = x.width(t), 8 / F::subs);
      const StepRecord* columns = x.of_tile(t) + unit * F::steps * width;
      const std::int64_t row = t * x.tile / x.parts();
      for (std::int64_t p = first; p < end; ++p) {
        const std::int64_t left = w.rows - p * panel_rows;
        const TileTarget to{y + row * w.rows + p * panel_rows, w.rows,
                            left < panel_rows ? static_cast<int>(left) : panel_rows,
                            x.used(t) / x.parts()};
        with_width<S::tile>(width, x.precision, [&]<int Columns, Precision P>() {
          multiply_tile<S, bits, F::subs, F::has_min, Columns, P>(
              unpacked + (p - first) * steps_together, count * F::steps, F::template offset_bits<S>,
              columns, to, unit == 0);
        });
      }
    }
  }
  S::end_tiles();
}

/// The panels [first, end) of W; `y` is [x.rows, w.rows], `scratch` aligned to 64 bytes. Up to
/// S::direct_columns columns codes are unpacked again for each tile; beyond, once for all.
template <class S, class F>
void multiply_panels(const PanelMatrix& w, const QuantizedRows& x, std::int64_t first,
                     std::int64_t end, float* y, std::byte* scratch) {
  if (x.columns() <= S::direct_columns) {
    for (std::int64_t p = first; p < end; ++p) multiply_direct_panel<S, F>(w, x, p, y);
  } else if constexpr (S::has_tiles) {
    for (std::int64_t p = first; p < end; p += S::panels_together) {
      const std::int64_t last = end - p < S::panels_together ? end : p + S::panels_together;
      multiply_by_tiles<S, F>(w, x, p, last, y, scratch);
    }
  } else {
    for (std::int64_t p = first; p < end; p += S::tile_panels) {
      const int panels = end - p < S::tile_panels ? static_cast<int>(end - p) : S::tile_panels;
      multiply_unpacked<S, F>(w, x, p, panels, y, scratch);
    }
  }
}

}  // namespace lamina
