// Lays rows of a file out as a panel: sixteen lines at a time are a square that is transposed in
// registers.
#pragma once

#include "lamina/backend/cpu/panel/layout.h"
#include "lamina/backend/cpu/simd/transpose.h"

namespace lamina {

/// `lines` times 4 bytes of 16 rows to `lines` lines; `wide`: 64 bytes of every row may be read.
template <class S>
[[gnu::always_inline]] inline void place_lines(const std::byte* const* rows, int lines, bool wide,
                                               std::byte* to) {
  for (int first = 0; first < lines; first += 16) {
    // The last square begins early enough to end with the block.
    const int at = lines >= 16 && first + 16 > lines ? lines - 16 : first;
    const int count = lines - at < 16 ? lines - at : 16;
    typename S::Float square[16];
    if (wide || count == 16) {
#pragma GCC unroll 16
      for (int r = 0; r < 16; ++r) square[r] = S::Float::load(rows[r] + at * 4);
    } else {
      for (int r = 0; r < 16; ++r) {
        std::byte copy[64] = {};
        __builtin_memcpy(copy, rows[r] + at * 4, static_cast<std::size_t>(count) * 4);
        square[r] = S::Float::load(copy);
      }
    }
    transpose_lanes<S>(square);
    if (count == 16) {
#pragma GCC unroll 16
      for (int line = 0; line < 16; ++line) square[line].store(to + (at + line) * panel_line);
    } else {
      for (int line = 0; line < count; ++line) square[line].store(to + (at + line) * panel_line);
    }
  }
}

/// As place_lines, of fewer rows; the lines of the others stay as they are.
[[gnu::always_inline]] inline void place_lines_of_some(const std::byte* const* rows, int count,
                                                       int lines, std::byte* to) {
  for (int r = 0; r < count; ++r) {
    for (int line = 0; line < lines; ++line) {
      __builtin_memcpy(to + line * panel_line + r * 4, rows[r] + line * 4, 4);
    }
  }
}

/// Lays out a panel in `out`, which has panel_bytes(cols) bytes.
template <class S>
void make_panel(const PanelSource& from, std::byte* out) {
  const PanelLayout& layout = from.layout;
  const std::int64_t blocks = (from.cols + layout.block_size - 1) / layout.block_size;
  const bool full = from.count == panel_rows && blocks % layout.blocks == 0 &&
                    layout.lone_bytes() == layout.first_line();
  if (!full) __builtin_memset(out, 0, static_cast<std::size_t>(layout.panel_bytes(from.cols)));
  for (std::int64_t b = 0; b < blocks; ++b) {
    std::byte* unit = out + b / layout.blocks * layout.unit_bytes();
    const auto index = static_cast<int>(b % layout.blocks);
    const std::byte* rows[panel_rows];
    for (int r = 0; r < from.count; ++r) {
      const std::byte* block = from.rows + r * from.row_bytes + b * layout.block_bytes;
      if (layout.lone >= 0) {
        __builtin_memcpy(unit + (index * panel_rows + r) * 2, block + layout.lone, 2);
      }
      rows[r] = block + (layout.lone == 0 ? 2 : 0);
    }
    std::byte* lines = unit + layout.first_line() + index * layout.lines * panel_line;
    if (from.count == panel_rows) {
      place_lines<S>(rows, layout.lines, from.end - rows[panel_rows - 1] >= 64, lines);
    } else {
      place_lines_of_some(rows, from.count, layout.lines, lines);
    }
  }
}

}  // namespace lamina
