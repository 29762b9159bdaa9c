// RowTiles: rows of activations in tiles of a few, which kernels take together.
#pragma once

#include <cstdint>

namespace lamina {

/// `rows` rows in tiles of `tile`; the last may be narrower. Its members are inlined everywhere,
/// for units compiled for several instruction sets call them.
struct RowTiles {
  int tile = 1;  // rows of a tile
  std::int64_t rows = 0;

  [[gnu::always_inline]] std::int64_t tiles() const { return (rows + tile - 1) / tile; }
  /// Rows of tile `t` that hold something.
  [[gnu::always_inline]] int used(std::int64_t t) const {
    const std::int64_t left = rows - t * tile;
    return left < tile ? static_cast<int>(left) : tile;
  }
  /// Rows that tile `t` is laid out with: 1, 2, 4, 8 or the tile's, for which there are kernels.
  [[gnu::always_inline]] int width(std::int64_t t) const {
    const int some = used(t);
    if (some <= 2) return some;
    if (some <= 4) return 4;
    return some <= 8 && tile > 8 ? 8 : tile;
  }
};

/// Calls `call.template operator()<Rows>()` for the kernel of a tile's width, which is 1, 2, 4, 8
/// or Most.
template <int Most, class Call>
[[gnu::always_inline]] inline void with_width(int width, const Call& call) {
  if (width == 1) return call.template operator()<1>();
  if (width == 2) return call.template operator()<2>();
  if (width == 4) return call.template operator()<4>();
  if constexpr (Most > 8) {
    if (width == 8) return call.template operator()<8>();
  }
  call.template operator()<Most>();
}

}  // namespace lamina
