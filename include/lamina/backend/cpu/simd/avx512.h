// Simd in AVX-512 with VNNI.
#pragma once

#if defined(__AVX512VNNI__) && defined(__AVX512BW__)

#include "lamina/backend/cpu/simd/lanes.h"

#include <immintrin.h>
#include <string_view>

namespace lamina::isa_avx512 {

struct Simd : Lanes<64> {
  static constexpr std::string_view isa = "avx512";
  static constexpr int dot_rows = 4;  // of sums at once where sums have 16 lanes
  static constexpr int dot_tokens = 6;
  static constexpr int tile = 12;  // rows of activations at once
  static constexpr int dots_together = 4;
  static constexpr int panels_together = 16;  // at most, that are unpacked at once
  static constexpr int direct_rows = 8;  // as many are multiplied without unpacking codes to memory
  static constexpr bool has_tiles = false;
  static constexpr bool takes_pairs = true;  // see panel/pairs.h
  static constexpr int unpacked_lines = 8;   // of a step
  static constexpr int float_rows = 6;       // of sums at once in products of floats
  static constexpr int float_vectors = 4;
  static constexpr int phase_rows = 12;  // see float_rows/phases.h
  static constexpr int phase_parts = 2;
  static constexpr bool signed_bytes = false;  // how `dot` takes codes of 8 bits
  static constexpr bool biased_sums = true;    // see panel/kernels.h
  /// Formats of as many bits share a kernel.
  template <int>
  static constexpr int dot_bits = 8;

  /// 16 float16 numbers.
  [[gnu::always_inline]] static Float load_half(const void* from) {
    return {{_mm512_maskz_cvtph_ps(0xffff, load<__m256i>(from))}};
  }
  /// 32 bytes from each place.
  [[gnu::always_inline]] static Float load_two(const char* first, const char* second) {
    using Half [[gnu::vector_size(32)]] = float;
    return {{__builtin_shufflevector(load<Half>(first), load<Half>(second), 0, 1, 2, 3, 4, 5, 6, 7,
                                     8, 9, 10, 11, 12, 13, 14, 15)}};
  }
  /// One float16 number.
  [[gnu::always_inline]] static float half(const void* from) {
    return _cvtsh_ss(load<std::uint16_t>(from));
  }
  /// The float16 numbers in the low halves of the lanes.
  [[gnu::always_inline]] static Float half_to_float(Int x) {
    const auto halves = _mm512_maskz_cvtepi32_epi16(0xffff, reinterpret_cast<__m512i>(x.part[0]));
    return {{_mm512_maskz_cvtph_ps(0xffff, halves)}};
  }
  /// 16 small numbers: std::int8_t, std::uint8_t or std::uint16_t.
  template <class Small>
  [[gnu::always_inline]] static Int widen(const void* from) {
    __m512i wide;
    if constexpr (sizeof(Small) == 2) {
      wide = _mm512_maskz_cvtepu16_epi32(0xffff, load<__m256i>(from));
    } else if constexpr (Small(-1) < Small(0)) {
      wide = _mm512_maskz_cvtepi8_epi32(0xffff, load<__m128i>(from));
    } else {
      wide = _mm512_maskz_cvtepu8_epi32(0xffff, load<__m128i>(from));
    }
    return {{reinterpret_cast<IntPart>(wide)}};
  }
  /// a * b + c, rounded once.
  [[gnu::always_inline]] static FloatPart multiply_add(FloatPart a, FloatPart b, FloatPart c) {
    return _mm512_fmadd_ps(a, b, c);
  }
  [[gnu::always_inline]] static Float multiply_add(Float a, Float b, Float c) {
    return {{multiply_add(a.part[0], b.part[0], c.part[0])}};
  }
  /// c - a * b, rounded once.
  [[gnu::always_inline]] static Float multiply_subtract(Float a, Float b, Float c) {
    return {{_mm512_fnmadd_ps(a.part[0], b.part[0], c.part[0])}};
  }
  /// sums += the dot products of unsigned codes of `Bits` bits with signed activations of some
  /// columns, `stride` bytes apart: lane r of codes[j] has row r's codes for y[4 j], ..., y[4 j +
  /// 3].
  template <int Bits, int Lines, int Columns>
  [[gnu::always_inline]] static void dot(Int (&sums)[Columns], const Int* codes,
                                         const std::int8_t* y, int stride) {
#pragma GCC unroll 8
    for (int j = 0; j < Lines; ++j) {
#pragma GCC unroll 4
      for (int c = 0; c < Columns; ++c) {
        const __m512i four = _mm512_set1_epi32(load<std::int32_t>(y + c * stride + 4 * j));
        sums[c].part[0] = reinterpret_cast<IntPart>(
            _mm512_dpbusd_epi32(reinterpret_cast<__m512i>(sums[c].part[0]),
                                reinterpret_cast<__m512i>(codes[j].part[0]), four));
      }
    }
  }
  /// The same with one line of each of two panels.
  template <int Columns>
  [[gnu::always_inline]] static void dot_two(Int (&one)[Columns], Int (&other)[Columns],
                                             const Int& first, const Int& second,
                                             const std::int8_t* y, int stride) {
#pragma GCC unroll 6
    for (int c = 0; c < Columns; ++c) {
      const Int four = set(load<std::int32_t>(y + c * stride));
      one[c] = add_products(one[c], first, four);
      other[c] = add_products(other[c], second, four);
    }
  }
  /// One dot instruction on each part (peak.h).
  [[gnu::always_inline]] static Int add_products(Int sum, const Int& codes, const Int& y) {
    return {{reinterpret_cast<IntPart>(_mm512_dpbusd_epi32(reinterpret_cast<__m512i>(sum.part[0]),
                                                           reinterpret_cast<__m512i>(codes.part[0]),
                                                           reinterpret_cast<__m512i>(y.part[0])))}};
  }
};

}  // namespace lamina::isa_avx512

#endif
