// Simd in AVX-512 with AMX: products of bytes in tiles, 16 weight rows times up to 16 rows of
// activations.
//
// A line of codes is a row of a tile as it lies, and so are the codes of an activation's step. For
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
  static constexpr int direct_rows = 4;
  static constexpr bool has_tiles = true;
  static constexpr int unpacked_lines = 16;
  static constexpr int panels_together = 16;
  template <int Bits>
  static constexpr int dot_bits = Bits <= 6 ? 6 : 8;

  /// Bytes less 1 << OffsetBits each.
  template <int OffsetBits>
  [[gnu::always_inline]] static Int without_offset(Int bytes) {
    if constexpr (OffsetBits < 0) return bytes;
    const auto offset = _mm512_set1_epi8(static_cast<char>(1 << (OffsetBits & 7)));
    const auto x = _mm512_sub_epi8(reinterpret_cast<__m512i>(bytes.part[0]), offset);
    return {{reinterpret_cast<IntPart>(x)}};
  }
  /// Bytes below 64 times 4, which carry nothing.
  [[gnu::always_inline]] static Int four_times(Int bytes) {
    return (bytes << 2) & static_cast<std::int32_t>(0xfcfcfcfc);
  }
  /// Whether low parts have products of their own: codes of 8 bits times 4 fit no byte.
  template <int Bits>
  static constexpr bool parts_apart = Bits > 6;
  /// The codes of a step as tiles take them: signed; then times 4, for high parts.
  template <int Bits, int OffsetBits>
  [[gnu::always_inline]] static void place_codes(const Int (&codes)[8], Int (&to)[unpacked_lines]) {
    for (int j = 0; j < 8; ++j) {
      to[j] = without_offset<OffsetBits>(codes[j]);
      if constexpr (!parts_apart<Bits>) to[8 + j] = four_times(to[j]);
    }
  }

  /// Makes tiles for `rows` rows of activations and 8 / subs lines of codes; the thread's own,
  /// until end_tiles.
  [[gnu::always_inline]] static void begin_tiles(int rows, int subs) { set_tiles(rows, 8 / subs); }
  [[gnu::always_inline]] static void end_tiles() { _tile_release(); }

  /// products[s][r]: lane l is the dot product of row l's codes with those of the activations' row
  /// r, in sub s; products[0] begin at `start` where they are `Biased`.
  template <int Subs, bool Biased>
  [[gnu::always_inline]] static void multiply_tiles(const Int& start,
                                                    const Int (&codes)[unpacked_lines],
                                                    const StepRecord* x,
                                                    std::int32_t (&products)[2][16][16]) {
    constexpr int lines = 8 / Subs;
    asm volatile("" ::: "memory");
    begin_products<Biased>(start);
    add_tile<0, 0>(codes, x->codes);
    if constexpr (Subs == 2) {
      _tile_zero(1);
      add_tile<1, 1>(codes + lines, x->codes + 4 * lines);
      _tile_stored(1, products[1], 64);
    }
    _tile_stored(0, products[0], 64);
    asm volatile("" ::: "memory");
  }
  /// The same with high parts counted four times and low parts; where they are apart, products[0]
  /// are those of the high parts, products[1] of the low ones.
  template <int Bits, int Subs, bool Biased>
  [[gnu::always_inline]] static void multiply_fine_tiles(const Int& start,
                                                         const Int (&codes)[unpacked_lines],
                                                         const TileSteps& x,
                                                         std::int32_t (&products)[2][16][16]) {
    constexpr int lines = 8 / Subs;
    static_assert(Subs == 1 || !parts_apart<Bits>);
    const std::int8_t *high = x.records->codes, *low = x.low->codes;
    asm volatile("" ::: "memory");
    begin_products<Biased>(start);
    if constexpr (parts_apart<Bits>) {
      _tile_zero(1);
      add_tile<0, 0>(codes, high);
      add_tile<1, 1>(codes, low);
    } else {
      add_tile<0, 0>(codes + 8, high);
      add_tile<0, 1>(codes, low);
    }
    if constexpr (Subs == 2) {
      _tile_zero(1);
      add_tile<1, 0>(codes + 8 + lines, high + 4 * lines);
      add_tile<1, 1>(codes + lines, low + 4 * lines);
    }
    if constexpr (Subs == 2 || parts_apart<Bits>) _tile_stored(1, products[1], 64);
    _tile_stored(0, products[0], 64);
    asm volatile("" ::: "memory");
  }

  /// Four sums of products of tiles and nothing else (panel/peak.h), tiles whose rows are all
  /// `codes` and `y`; adds the sums of each column to `sums`.
  static void tiles_at_peak(const std::int32_t (&codes)[16], const std::int32_t (&y)[16],
                            std::int32_t (&sums)[16], std::int64_t rounds) {
    set_tiles(16, 16);
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
  static constexpr int products_tile = 0, activations_tile = 2, codes_tile = 4;

  [[gnu::always_inline]] static void set_tiles(int rows, int lines) {
    struct alignas(64) {
      std::uint8_t palette = 1, start_row = 0, reserved[14] = {};
      std::uint16_t row_bytes[16] = {};
      std::uint8_t rows[16] = {};
    } shape;
    const auto set = [&](int number, int tile_rows, int bytes) {
      shape.rows[number] = static_cast<std::uint8_t>(tile_rows);
      shape.row_bytes[number] = static_cast<std::uint16_t>(bytes);
    };
    for (int half = 0; half < 2; ++half) {
      set(products_tile + half, rows, 64);
      set(activations_tile + half, rows, lines * 4);
      set(codes_tile + half, lines, 64);
    }
    asm volatile("" ::: "memory");
    _tile_loadconfig(&shape);
  }

  template <bool Biased>
  [[gnu::always_inline]] static void begin_products(const Int& start) {
    if constexpr (Biased) {
      _tile_loadd(0, &start, 0);  // the same line for every row
    } else {
      _tile_zero(0);
    }
  }
  /// Adds products to products_tile + Products, by way of the tiles of `Half`; the codes of rows of
  /// activations lie a record apart.
  template <int Products, int Half>
  [[gnu::always_inline]] static void add_tile(const Int* codes, const std::int8_t* x) {
    constexpr int stride = sizeof(StepRecord);
    if constexpr (Half == 0) {
      _tile_loadd(2, x, stride);
      _tile_loadd(4, codes, 64);
      if constexpr (Products == 0) _tile_dpbssd(0, 2, 4);
      if constexpr (Products == 1) _tile_dpbssd(1, 2, 4);
    } else {
      _tile_loadd(3, x, stride);
      _tile_loadd(5, codes, 64);
      if constexpr (Products == 0) _tile_dpbssd(0, 3, 5);
      if constexpr (Products == 1) _tile_dpbssd(1, 3, 5);
    }
  }
};

}  // namespace lamina::isa_amx

#endif
