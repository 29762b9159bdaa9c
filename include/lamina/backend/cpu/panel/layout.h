// Panels: quantized weights laid out for vectors whose lanes are weight rows.
//
// A panel is 16 rows of a weight matrix. A unit of it is 16 blocks of the format (two each where a
// block has 32 weights and a scale of its own two bytes), transposed: first each block's lone
// two-byte field as [16 rows], then every other four bytes as a line of [16 rows]. So a line of
// codes holds 4 consecutive weights of each of 16 rows, which is what the dot instructions of all
// instruction sets take, and nothing is lost: the file's blocks can be written back. A row ends in
// whole units; missing weights and rows are zero bytes, which have a scale of zero.
#pragma once

#include "lamina/core/format_id.h"
#include "lamina/core/tensor.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace lamina {

inline constexpr int panel_rows = 16;
inline constexpr int panel_line = 64;  // bytes: four of each row

/// Where the parts of a format's blocks lie in a unit.
struct PanelLayout {
  int block_size = 0;   // weights
  int block_bytes = 0;  // of the file
  int blocks = 1;       // of each row in a unit
  int lone = -1;        // offset of a block's lone two-byte field; -1 where it has none
  int lines = 0;        // of a block

  constexpr int unit_size() const { return blocks * block_size; }  // weights of each row
  /// Offset of the first line.
  constexpr int first_line() const {
    return (lone_bytes() + panel_line - 1) / panel_line * panel_line;
  }
  constexpr int lone_bytes() const { return lone < 0 ? 0 : blocks * panel_rows * 2; }
  constexpr int unit_bytes() const { return first_line() + blocks * lines * panel_line; }
  constexpr std::int64_t units(std::int64_t cols) const {
    return (cols + unit_size() - 1) / unit_size();
  }
  constexpr std::int64_t panel_bytes(std::int64_t cols) const { return units(cols) * unit_bytes(); }
};

constexpr std::int64_t panels_of(std::int64_t rows) { return (rows + panel_rows - 1) / panel_rows; }

/// Whether weights of this format are kept in panels: those made of blocks with a scale.
constexpr bool has_panels(FormatId id) {
  switch (id) {
    case FormatId::q4_0:
    case FormatId::q4_1:
    case FormatId::q5_0:
    case FormatId::q5_1:
    case FormatId::q8_0:
    case FormatId::q2_k:
    case FormatId::q3_k:
    case FormatId::q4_k:
    case FormatId::q5_k:
    case FormatId::q6_k:
      return true;
    default:
      return false;
  }
}

/// The layout of a format that has panels.
constexpr PanelLayout panel_layout(FormatId id) {
  const FormatInfo& info = *find_format(id);
  PanelLayout layout{.block_size = info.block_size, .block_bytes = info.block_bytes};
  layout.lines = info.block_bytes / 4;
  if (info.block_bytes % 4 == 2) {
    // The one scale of blocks of 32 comes first, that of blocks of 256 last.
    layout.lone = info.block_size == 32 ? 0 : info.block_bytes - 2;
    layout.blocks = info.block_size == 32 ? 2 : 1;
  }
  return layout;
}

/// A weight matrix in panels, or some panels of it.
struct PanelMatrix {
  const std::byte* panels = nullptr;
  FormatId format = FormatId::q4_0;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t first = 0;  // number of the panel that `panels` begins with

  [[gnu::always_inline]] const std::byte* panel(std::int64_t number, std::int64_t bytes) const {
    return panels + (number - first) * bytes;
  }
};

/// The rows of a panel as they lie in a file.
struct PanelSource {
  PanelLayout layout;
  const std::byte* rows = nullptr;
  std::int64_t row_bytes = 0;
  std::int64_t cols = 0;
  int count = 0;                   // of rows, at most panel_rows
  const std::byte* end = nullptr;  // of what may be read
};

inline PanelSource panel_source(const TensorView& tensor, std::int64_t panel) {
  const std::int64_t first = panel * panel_rows;
  return {.layout = panel_layout(tensor.format),
          .rows = tensor.row(first).data(),
          .row_bytes = static_cast<std::int64_t>(tensor.row(first).size()),
          .cols = tensor.cols(),
          .count = static_cast<int>(std::min<std::int64_t>(panel_rows, tensor.rows() - first)),
          .end = tensor.bytes.data() + tensor.bytes.size()};
}

}  // namespace lamina
