// Views on tensors: of a file (any format, read-only) and of activations (float).
#pragma once

#include "lamina/core/format_id.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace lamina {

/// A tensor of a file, where it lies: nothing is owned, copied or decoded.
///
/// `extent[0]` is the innermost (contiguous) one, as GGUF orders them; a matrix that maps [cols] to
/// [rows] has extent {cols, rows, 1, 1}. A row is cols / block_size blocks.
struct TensorView {
  std::string_view name;
  FormatId format = FormatId::f32;
  std::int64_t extent[4] = {1, 1, 1, 1};
  std::span<const std::byte> bytes;  // all rows, row after row

  std::int64_t cols() const { return extent[0]; }
  std::int64_t rows() const { return extent[1] * extent[2] * extent[3]; }
  std::int64_t elements() const { return cols() * rows(); }

  /// The blocks of row `r`.
  std::span<const std::byte> row(std::int64_t r) const {
    const auto size = bytes.size() / static_cast<std::size_t>(rows());
    return bytes.subspan(static_cast<std::size_t>(r) * size, size);
  }
};

/// A view on [rows, cols] floats, row after row.
template <class T>
struct MatrixView {
  T* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t cols = 0;

  LAMINA_HD T* row(std::int64_t r) const { return data + r * cols; }
  std::span<T> row_span(std::int64_t r) const { return {row(r), static_cast<std::size_t>(cols)}; }
  operator MatrixView<const T>() const { return {data, rows, cols}; }
};

}  // namespace lamina
