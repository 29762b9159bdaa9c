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
  static constexpr int part_run = 16;
  static constexpr bool has_tiles = true;
  static constexpr int unpacked_lines = 20;
  static constexpr int panels_together = 16;
  template <int Bits>
  static constexpr int dot_bits = Bits <= 6 ? 6 : 8;

  /// Lines of a tile of codes. With activations of 10 bits a tile takes their high and low parts at
  /// once: it has each four lines of codes times 4, then as they are.
  static constexpr int tile_lines(int subs, Precision precision) {
    return (precision == Precision::bits10 ? 16 : 8) / subs;
  }
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
  /// The codes of a step as tiles take them: signed. Codes of 8 bits cannot be multiplied by 4:
  /// they lie between lines of zeros, so that a tile that begins with them meets the high parts,
  /// and one that begins four lines before the low ones.
  template <int Bits, int OffsetBits>
  [[gnu::always_inline]] static void place_codes(const Int (&codes)[8], Precision precision,
                                                 Int (&to)[unpacked_lines]) {
    Int code[8];
    for (int j = 0; j < 8; ++j) code[j] = without_offset<OffsetBits>(codes[j]);
    if (precision == Precision::bits8) {
      for (int j = 0; j < 8; ++j) to[j] = code[j];
      return;
    }
    for (int j = 0; j < 8; ++j) {
      const int at = j / 4 * 8 + j % 4;
      to[at] = Bits <= 6 ? four_times(code[j]) : set(0);
      to[at + 4] = code[j];
    }
    for (int j = 16; Bits > 6 && j < 20; ++j) to[j] = set(0);
  }

  /// Makes tiles for `rows` rows of activations and `lines` lines of codes; the thread's own, until
  /// end_tiles.
  [[gnu::always_inline]] static void begin_tiles(int rows, int subs, Precision precision) {
    struct alignas(64) {
      std::uint8_t palette = 1, start_row = 0, reserved[14] = {};
      std::uint16_t row_bytes[16] = {};
      std::uint8_t rows[16] = {};
    } shape;
    const auto set = [&](int number, int tile_rows, int bytes) {
      shape.rows[number] = static_cast<std::uint8_t>(tile_rows);
      shape.row_bytes[number] = static_cast<std::uint16_t>(bytes);
    };
    const int lines = tile_lines(subs, precision);
    for (int half = 0; half < 2; ++half) {
      set(products_tile + half, rows, 64);
      set(activations_tile + half, rows, lines * 4);
      set(codes_tile + half, lines, 64);
    }
    asm volatile("" ::: "memory");
    _tile_loadconfig(&shape);
  }
  [[gnu::always_inline]] static void end_tiles() { _tile_release(); }

  /// Whether high and low parts have products of their own.
  template <int Bits, Precision P>
  static constexpr bool parts_apart = P == Precision::bits10&& Bits > 6;

  /// products[s][r]: lane l is the dot product of row l's codes with those of the activations' row
  /// r, in sub s, or in part s (0: high) where parts are apart; `x` are the records of the rows.
  /// products[0] begin at `start` where they are `Biased`.
  template <int Bits, int Subs, Precision P, bool Biased>
  [[gnu::always_inline]] static void multiply_tiles(const Int& start,
                                                    const Int (&codes)[unpacked_lines],
                                                    const StepRecord* x,
                                                    std::int32_t (&products)[2][16][16]) {
    constexpr int lines = tile_lines(Subs, P);
    constexpr int stride = records_of(P) * static_cast<int>(sizeof(StepRecord));
    const auto* y = reinterpret_cast<const std::int8_t*>(x);
    asm volatile("" ::: "memory");
    if constexpr (Biased) {
      _tile_loadd(0, &start, 0);  // the same line for every row
    } else {
      _tile_zero(0);
    }
    if constexpr (parts_apart<Bits, P>) {
      dot_tile<0>(codes + 4, y, stride, products[0][0]);
      _tile_zero(1);
      dot_tile<1>(codes, y, stride, products[1][0]);
    } else {
      dot_tile<0>(codes, y, stride, products[0][0]);
      if constexpr (Subs == 2) {
        _tile_zero(1);
        dot_tile<1>(codes + lines, y + 4 * lines, stride, products[1][0]);
      }
    }
    asm volatile("" ::: "memory");
  }

  /// Four sums of products of tiles and nothing else (panel/peak.h), tiles whose rows are all
  /// `codes` and `y`; adds the sums of each column to `sums`.
  static void tiles_at_peak(const std::int32_t (&codes)[16], const std::int32_t (&y)[16],
                            std::int32_t (&sums)[16], std::int64_t rounds) {
    begin_tiles(16, 1, Precision::bits10);
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

  /// Adds to products_tile + Half and stores it.
  template <int Half>
  [[gnu::always_inline]] static void dot_tile(const Int* codes, const std::int8_t* x, int stride,
                                              std::int32_t* products) {
    if constexpr (Half == 0) {
      _tile_loadd(2, x, stride);
      _tile_loadd(4, codes, 64);
      _tile_dpbssd(0, 2, 4);
      _tile_stored(0, products, 64);
    } else {
      _tile_loadd(3, x, stride);
      _tile_loadd(5, codes, 64);
      _tile_dpbssd(1, 3, 5);
      _tile_stored(1, products, 64);
    }
  }
};

}  // namespace lamina::isa_amx

#endif
