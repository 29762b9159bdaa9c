// Simd in AVX-512 with AMX: products of bytes in tiles, 16 weight rows times up to 16 columns.
//
// A line of codes is a row of a tile as it lies, and so are the codes of an activation record. For
// layout and instructions see Intel's Architecture Instruction Set Extensions Programming
// Reference, chapter 3 (AMX).
#pragma once

#if defined(__AMX_INT8__) || defined(__AMXINT8__)  // the latter in clang before 17

#include "lamina/backend/cpu/panel/activations.h"
#include "lamina/backend/cpu/simd/avx512.h"

namespace lamina::isa_amx {

struct Simd : isa_avx512::Simd {
  static constexpr std::string_view isa = "amx";
  static constexpr int tile = 16;
  static constexpr int direct_columns = 4;
  static constexpr bool has_tiles = true;
  static constexpr int panels_together = 16;

  /// Makes tiles for `columns` columns and `lines` lines of codes; the thread's own, until
  /// end_tiles.
  [[gnu::always_inline]] static void begin_tiles(int columns, int lines) {
    struct alignas(64) {
      std::uint8_t palette = 1, start_row = 0, reserved[14] = {};
      std::uint16_t row_bytes[16] = {};
      std::uint8_t rows[16] = {};
    } shape;
    const auto set = [&](int number, int rows, int bytes) {
      shape.rows[number] = static_cast<std::uint8_t>(rows);
      shape.row_bytes[number] = static_cast<std::uint16_t>(bytes);
    };
    for (int half = 0; half < 2; ++half) {
      set(products_tile + half, columns, 64);
      set(columns_tile + half, columns, lines * 4);
      set(codes_tile + half, lines, 64);
    }
    asm volatile("" ::: "memory");
    _tile_loadconfig(&shape);
  }
  [[gnu::always_inline]] static void end_tiles() { _tile_release(); }

  /// products[s][c]: lane r is the dot product of row r's codes with column c's, in sub s; `x` are
  /// the records of the columns, side by side.
  template <int Subs>
  [[gnu::always_inline]] static void multiply_tiles(const Int (&codes)[8], const StepRecord* x,
                                                    std::int32_t (&products)[Subs][16][16]) {
    asm volatile("" ::: "memory");
    dot_tile<0>(codes, x->codes, products[0][0]);
    if constexpr (Subs == 2) dot_tile<1>(codes + 4, x->codes + 16, products[1][0]);
    asm volatile("" ::: "memory");
  }

  /// Four sums of products of tiles and nothing else (panel/peak.h), tiles whose rows are all
  /// `codes` and `y`; adds the sums of each column to `sums`.
  static void tiles_at_peak(const std::int32_t (&codes)[16], const std::int32_t (&y)[16],
                            std::int32_t (&sums)[16], std::int64_t rounds) {
    begin_tiles(16, 16);
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
    _tile_loadd(4, y, 0);
    _tile_loadd(5, codes, 0);
    for (std::int64_t i = 0; i < rounds; ++i) {
      _tile_dpbsud(0, 4, 5);
      _tile_dpbsud(1, 4, 5);
      _tile_dpbsud(2, 4, 5);
      _tile_dpbsud(3, 4, 5);
    }
    alignas(64) std::int32_t products[4][16][16];
    _tile_stored(0, products[0], 64);
    _tile_stored(1, products[1], 64);
    _tile_stored(2, products[2], 64);
    _tile_stored(3, products[3], 64);
    end_tiles();
    asm volatile("" ::: "memory");
    for (const auto& tile : products) {
      for (const auto& row : tile) {
        for (int lane = 0; lane < 16; ++lane) sums[lane] += row[lane];
      }
    }
  }

 private:
  static constexpr int products_tile = 0, columns_tile = 2, codes_tile = 4;

  template <int Half>
  [[gnu::always_inline]] static void dot_tile(const Int* codes, const std::int8_t* x,
                                              std::int32_t* products) {
    if constexpr (Half == 0) {
      _tile_zero(0);
      _tile_loadd(2, x, sizeof(StepRecord));
      _tile_loadd(4, codes, 64);
      _tile_dpbsud(0, 2, 4);
      _tile_stored(0, products, 64);
    } else {
      _tile_zero(1);
      _tile_loadd(3, x, sizeof(StepRecord));
      _tile_loadd(5, codes, 64);
      _tile_dpbsud(1, 3, 5);
      _tile_stored(1, products, 64);
    }
  }
};

}  // namespace lamina::isa_amx

#endif
