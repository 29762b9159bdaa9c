// y = x W^T for some panels of W and all rows of x: which kernel takes which columns.
#pragma once

#include "lamina/backend/cpu/panel/kernels.h"
#include "lamina/backend/cpu/panel/tiles.h"

namespace lamina {

/// Steps that are unpacked at once, multiples of every unit's: for several tiles of rows, which
/// meet them in the second cache; for one tile, in the first.
inline constexpr int steps_together = 32;
inline constexpr int steps_of_one_tile = 8;

/// Calls `call.template operator()<Rows, P>()` for the kernel of a tile's width and a precision.
template <int Most, class Call>
[[gnu::always_inline]] inline void with_kernel(int width, Precision precision, const Call& call) {
  with_width<Most>(
      width, [&]<int Rows>() __attribute__((always_inline)) {
        if (precision == Precision::bits10) {
          call.template operator()<Rows, Precision::bits10>();
        } else {
          call.template operator()<Rows, Precision::bits8>();
        }
      });
}

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
    with_kernel<most>(x.width(t), x.precision, [&]<int Rows, Precision P>() {
      multiply_direct<S, F, Rows, P>(bytes, F::units(w.cols), x.of_tile(t), to);
    });
  }
}

/// Adds `steps` steps of the panels [first, end), unpacked, for all rows, from their step `done`
/// on, and fetches what is `wanted`. `width`: of the rows that tiles are made for now, where there
/// are tiles.
template <class S, class F>
void multiply_run(const PanelMatrix& w, const QuantizedRows& x, std::int64_t first,
                  std::int64_t end, const UnpackedStep<S, F::subs, F::has_min>* unpacked,
                  std::int64_t done, std::int64_t steps, const WantedLines& wanted, float* y,
                  [[maybe_unused]] int& width) {
  constexpr int bits = S::template dot_bits<F::bits>;
  [[maybe_unused]] constexpr int offset_bits = F::template offset_bits<S>;
  for (std::int64_t t = 0; t < x.tiles(); ++t) {
    if constexpr (S::has_tiles) {
      if (x.width(t) != width) S::begin_tiles(width = x.width(t), F::subs, x.precision);
    }
    const StepRecord* rows = x.of_tile(t) + done * x.width(t) * records_of(x.precision);
    const auto* panel = unpacked;
    for (std::int64_t p = first; p < end; ++p, panel += steps_together) {
      const TileTarget to = target_of_tile(w, x, t, p, y);
      with_kernel<S::tile>(x.width(t), x.precision, [&]<int Rows, Precision P>() {
        if constexpr (S::has_tiles) {
          multiply_tile<S, bits, F::subs, F::has_min, Rows, P>(panel, steps, rows, wanted, to,
                                                               done == 0);
        } else {
          multiply_bytes<S, bits, F::subs, F::has_min, Rows, P>(panel, steps, offset_bits, rows,
                                                                wanted, to, done == 0);
        }
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
      unpack_panel<S, F>(last, count, x.precision, {last + ahead, lines},
                         unpacked + (p - first) * steps_together);
    }
    const WantedLines rest{last + ahead + count * F::steps * lines * 64, lines_of_step<F> - lines};
    multiply_run<S, F>(w, x, first, end, unpacked, unit * F::steps, count * F::steps, rest, y,
                       width);
  }
}

/// The panels [first, end) of W; `y` is [x.rows, w.rows], `scratch` aligned to 64 bytes. Up to
/// S::direct_rows rows codes are unpacked again for each tile; beyond, once for all.
template <class S, class F>
void multiply_panels(const PanelMatrix& w, const QuantizedRows& x, std::int64_t first,
                     std::int64_t end, float* y, std::byte* scratch) {
  const bool few = x.rows * records_of(x.precision) <= 2 * S::tile;  // codes of 10 bits count twice
  if (x.rows <= S::direct_rows && few) {
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
