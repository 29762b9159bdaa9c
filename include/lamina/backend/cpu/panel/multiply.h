// y = x W^T for some panels of W and all rows of x: which kernel takes which columns.
#pragma once

#include "lamina/backend/cpu/panel/kernels.h"
#include "lamina/backend/cpu/panel/pairs.h"
#include "lamina/backend/cpu/panel/tiles.h"

namespace lamina {

/// Steps that are unpacked at once, multiples of every unit's: for several tiles of rows, which
/// meet them in the second cache; for one tile, in the first.
inline constexpr int steps_together = 32;
inline constexpr int steps_of_one_tile = 8;

/// Bytes of `scratch` that multiply_panels needs.
template <class S>
constexpr std::int64_t scratch_bytes() {
  constexpr std::int64_t step_bytes = sizeof(UnpackedStep<S, 2, true>);
  return S::panels_together * steps_together * step_bytes;
}

/// The results of tile `t` with a panel.
[[gnu::always_inline]] inline TileTarget target_of_tile(const PanelMatrix& w,
                                                        const QuantizedRows& x, std::int64_t t,
                                                        std::int64_t panel, float* y) {
  const std::int64_t left = w.rows - panel * panel_rows;
  const std::int64_t row = t * x.tile;
  return {.y = y + row * w.rows + panel * panel_rows,
          .stride = w.rows,
          .rows = x.used(t),
          .count = static_cast<int>(left < panel_rows ? left : panel_rows)};
}

template <class S, class F>
void multiply_direct_panel(const PanelMatrix& w, const QuantizedRows& x, std::int64_t panel,
                           float* y) {
  const std::byte* bytes = w.panel(panel, F::units(w.cols) * F::unit_bytes);
  constexpr int most = S::direct_rows < S::tile ? S::direct_rows : S::tile;
  for (std::int64_t t = 0; t < x.tiles(); ++t) {
    const TileTarget to = target_of_tile(w, x, t, panel, y);
    with_width<most>(x.width(t), [&]<int Rows>() {
      multiply_direct<S, F, Rows>(bytes, F::units(w.cols), x.of_tile(t), to);
    });
  }
}

/// A run of steps of some panels, unpacked, and the rows that meet it.
template <class S, class F>
struct PanelRun {
  using Unpacked = UnpackedStep<S, F::subs, F::has_min>;

  const PanelMatrix& w;
  const QuantizedRows& x;
  float* y;
  std::int64_t first, end;   // panels
  const Unpacked* unpacked;  // steps_together for each panel
  std::int64_t done, steps;  // before the run, in it
  WantedLines wanted;        // is fetched meanwhile

  [[gnu::always_inline]] const Unpacked* panel(std::int64_t p) const {
    return unpacked + (p - first) * steps_together;
  }
};

/// Adds a run for the panel `p` and a tile of rows, or for two panels; the number of panels.
template <class S, class F, int Rows>
[[gnu::always_inline]] inline int multiply_tile_of_rows(const PanelRun<S, F>& run, std::int64_t t,
                                                        std::int64_t p) {
  constexpr int bits = S::template dot_bits<F::bits>;
  constexpr int rows_at_once = rows_of_pair<S, F::subs, Rows>();
  const TileSteps x = run.x.of_tile(t, run.done);
  const TileTarget to = target_of_tile(run.w, run.x, t, p, run.y);
  if constexpr (S::has_tiles) {
    multiply_tile<S, bits, F::subs, F::has_min, Rows>(run.panel(p), run.steps, x, run.wanted, to,
                                                      run.done == 0);
    return 1;
  } else if constexpr (rows_at_once != 0) {
    if (run.end - p >= 2) {
      const TileTarget both[] = {to, target_of_tile(run.w, run.x, t, p + 1, run.y)};
      const typename PanelRun<S, F>::Unpacked* const panels[] = {run.panel(p), run.panel(p + 1)};
      for (int row = 0; row < Rows; row += rows_at_once) {
        multiply_pair<S, bits, F::subs, F::has_min, Rows>(
            panels, run.steps, F::template offset_bits<S>, x, row, both, run.done == 0);
      }
      return 2;
    }
  }
  multiply_bytes<S, bits, F::subs, F::has_min, Rows>(
      run.panel(p), run.steps, F::template offset_bits<S>, x, run.wanted, to, run.done == 0);
  return 1;
}

/// Adds a run for all rows. `width`: of the rows that tiles are made for now, where there are
/// tiles.
template <class S, class F>
void multiply_run(const PanelRun<S, F>& run, [[maybe_unused]] int& width) {
  for (std::int64_t t = 0; t < run.x.tiles(); ++t) {
    if constexpr (S::has_tiles) {
      if (run.x.width(t) != width) S::begin_tiles(width = run.x.width(t), F::subs);
    }
    for (std::int64_t p = run.first; p < run.end;) {
      with_width<S::tile>(
          run.x.width(t), [&]<int Rows>() __attribute__((always_inline)) {
            p += multiply_tile_of_rows<S, F, Rows>(run, t, p);
          });
    }
  }
}

/// The panels [first, end), at most S::panels_together: a run of steps is unpacked, stays in the
/// second cache and meets every tile of rows, which stay in the first.
template <class S, class F>
void multiply_unpacked(const PanelMatrix& w, const QuantizedRows& x, std::int64_t first,
                       std::int64_t end, float* y, std::byte* scratch, int& width) {
  static_assert(steps_together % F::steps == 0 && steps_of_one_tile % F::steps == 0);
  const bool one = x.tiles() == 1;
  const std::int64_t units_together = (one ? steps_of_one_tile : steps_together) / F::steps;
  // Lines are fetched while codes are unpacked; a third of them while one tile is multiplied, so
  // that memory does not rest.
  const int lines = one ? lines_of_step<F> * 2 / 3 : lines_of_step<F>;
  const std::int64_t ahead = one ? units_together * F::unit_bytes + 1024 : fetch_ahead<F>;
  const std::int64_t units = F::units(w.cols);
  auto* unpacked = reinterpret_cast<UnpackedStep<S, F::subs, F::has_min>*>(scratch);
  for (std::int64_t unit = 0; unit < units; unit += units_together) {
    const std::int64_t count = units - unit < units_together ? units - unit : units_together;
    const std::byte* last = nullptr;
    for (std::int64_t p = first; p < end; ++p) {
      last = w.panel(p, units * F::unit_bytes) + unit * F::unit_bytes;
      unpack_panel<S, F>(last, count, {last + ahead, lines},
                         unpacked + (p - first) * steps_together);
    }
    const WantedLines rest{last + ahead + count * F::steps * lines * 64, lines_of_step<F> - lines};
    multiply_run<S, F>({w, x, y, first, end, unpacked, unit * F::steps, count * F::steps, rest},
                       width);
  }
}

/// The panels [first, end) of W; `y` is [x.rows, w.rows], `scratch` aligned to 64 bytes. Up to
/// S::direct_rows rows codes are unpacked again for each tile; beyond, once for all.
template <class S, class F>
void multiply_panels(const PanelMatrix& w, const QuantizedRows& x, std::int64_t first,
                     std::int64_t end, float* y, std::byte* scratch) {
  if (x.rows <= S::direct_rows) {
    for (std::int64_t p = first; p < end; ++p) multiply_direct_panel<S, F>(w, x, p, y);
    return;
  }
  // One tile of rows does not wait in a cache for the next panel: panels are read one by one then.
  const std::int64_t together = x.tiles() == 1 ? 1 : S::panels_together;
  int width = 0;
  for (std::int64_t p = first; p < end; p += together) {
    const std::int64_t last = end - p < together ? end : p + together;
    multiply_unpacked<S, F>(w, x, p, last, y, scratch, width);
  }
  if constexpr (S::has_tiles) S::end_tiles();
}

}  // namespace lamina
