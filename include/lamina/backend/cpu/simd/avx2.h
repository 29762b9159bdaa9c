// Simd in AVX2 with FMA: bytes are multiplied into sums of 16 bits, as many as cannot overflow,
// then widened.
#pragma once

#if defined(__AVX2__) && defined(__FMA__) && defined(__F16C__)

#include "lamina/backend/cpu/simd/lanes.h"

#include <immintrin.h>
#include <string_view>

namespace lamina::isa_avx2 {

struct Simd : Lanes<32> {
  static constexpr std::string_view isa = "avx2";
  static constexpr int dot_rows = 2;
  static constexpr int dot_tokens = 3;
  static constexpr int tile = 4;
  static constexpr int float_rows = 3;  // of sums at once in products of floats
  static constexpr int float_vectors = 2;
  static constexpr int phase_rows = 6;  // see float_rows/phases.h
  static constexpr int phase_parts = 2;
  static constexpr int dots_together = 1;
  static constexpr int panels_together = 8;
  static constexpr int direct_rows = 8;
  static constexpr bool has_tiles = false;
  static constexpr bool takes_pairs = false;
  static constexpr int unpacked_lines = 8;
  static constexpr bool signed_bytes = true;
  static constexpr bool biased_sums = false;
  template <int Bits>
  static constexpr int dot_bits = Bits <= 4 ? 4 : Bits;

  /// g++ would read what is used twice from memory each time.
  [[gnu::always_inline]] static FloatPart in_register(FloatPart x) {
    asm("" : "+x"(x));
    return x;
  }
  [[gnu::always_inline]] static Float load_half(const void* from) {
    const auto* halves = static_cast<const char*>(from);
    return {{_mm256_cvtph_ps(load<__m128i>(halves)), _mm256_cvtph_ps(load<__m128i>(halves + 16))}};
  }
  [[gnu::always_inline]] static float half(const void* from) {
    return _cvtsh_ss(load<std::uint16_t>(from));
  }
  [[gnu::always_inline]] static Float half_to_float(Int x) {
    Float y;
#pragma GCC unroll 4
    for (int i = 0; i < parts; ++i) {
      const auto low = reinterpret_cast<__m256i>(x.part[i] & 0xffff);
      const __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi32(low, low), 0xd8);
      y.part[i] = _mm256_cvtph_ps(_mm256_castsi256_si128(packed));
    }
    return y;
  }
  /// 16 small numbers: std::int8_t, std::uint8_t or std::uint16_t. (What g++ 12 makes of
  /// __builtin_convertvector takes them one by one.)
  template <class Small>
  [[gnu::always_inline]] static Int widen(const void* from) {
    Int x;
#pragma GCC unroll 2
    for (int i = 0; i < parts; ++i) {
      const char* at = static_cast<const char*>(from) + 8 * i * static_cast<int>(sizeof(Small));
      __m256i wide;
      if constexpr (sizeof(Small) == 2) {
        wide = _mm256_cvtepu16_epi32(load<__m128i>(at));
      } else {
        const __m128i bytes = _mm_cvtsi64_si128(load<std::int64_t>(at));
        wide = Small(-1) < Small(0) ? _mm256_cvtepi8_epi32(bytes) : _mm256_cvtepu8_epi32(bytes);
      }
      x.part[i] = reinterpret_cast<IntPart>(wide);
    }
    return x;
  }
  [[gnu::always_inline]] static FloatPart multiply_add(FloatPart a, FloatPart b, FloatPart c) {
    return _mm256_fmadd_ps(a, b, c);
  }
  [[gnu::always_inline]] static Float multiply_add(Float a, Float b, Float c) {
#pragma GCC unroll 4
    for (int i = 0; i < parts; ++i) c.part[i] = multiply_add(a.part[i], b.part[i], c.part[i]);
    return c;
  }
  [[gnu::always_inline]] static Float multiply_subtract(Float a, Float b, Float c) {
#pragma GCC unroll 4
    for (int i = 0; i < parts; ++i) c.part[i] = _mm256_fnmadd_ps(a.part[i], b.part[i], c.part[i]);
    return c;
  }

  /// Lines whose products fit 16 bits together: 2 * 127 * (2^Bits - 1) * lines <= 32767.
  template <int Bits>
  static constexpr int lines_together = Bits <= 4   ? 8
                                        : Bits == 5 ? 4
                                        : Bits == 6 ? 2
                                                    : 1;

  template <int Bits, int Lines, int Columns>
  [[gnu::always_inline]] static void dot(Int (&sums)[Columns], const Int* codes,
                                         const std::int8_t* y, int stride) {
#pragma GCC unroll 4
    for (int c = 0; c < Columns; ++c) add_dot<Bits, Lines>(sums[c], codes, y + c * stride);
  }
  /// One multiplication of bytes and one addition on each part (peak.h); sums are of 16 bits.
  [[gnu::always_inline]] static Int add_products(Int sum, const Int& codes, const Int& y) {
#pragma GCC unroll 2
    for (int i = 0; i < parts; ++i) {
      const __m256i products = _mm256_maddubs_epi16(reinterpret_cast<__m256i>(codes.part[i]),
                                                    reinterpret_cast<__m256i>(y.part[i]));
      sum.part[i] = reinterpret_cast<IntPart>(
          _mm256_add_epi16(reinterpret_cast<__m256i>(sum.part[i]), products));
    }
    return sum;
  }

 private:
  template <int Bits, int Lines>
  [[gnu::always_inline]] static void add_dot(Int& sum, const Int* codes, const std::int8_t* y) {
    constexpr int together = lines_together<Bits> < Lines ? lines_together<Bits> : Lines;
#pragma GCC unroll 8
    for (int j = 0; j < Lines; j += together) {
      __m256i sums[2] = {_mm256_setzero_si256(), _mm256_setzero_si256()};
#pragma GCC unroll 8
      for (int i = j; i < j + together; ++i) {
        const __m256i four = _mm256_set1_epi32(load<std::int32_t>(y + 4 * i));
#pragma GCC unroll 2
        for (int p = 0; p < 2; ++p) {
          const auto code = reinterpret_cast<__m256i>(codes[i].part[p]);
          sums[p] = _mm256_add_epi16(sums[p], products<Bits>(code, four));
        }
      }
#pragma GCC unroll 2
      for (int p = 0; p < 2; ++p) {
        const __m256i wide = _mm256_madd_epi16(sums[p], _mm256_set1_epi16(1));
        sum.part[p] += reinterpret_cast<IntPart>(wide);
      }
    }
  }

  /// Sums of two products each. Two products of unsigned codes of 8 bits may overflow: those are
  /// signed here, and give their sign to the activations.
  template <int Bits>
  [[gnu::always_inline]] static __m256i products(__m256i code, __m256i y) {
    if constexpr (Bits < 8) return _mm256_maddubs_epi16(code, y);
    return _mm256_maddubs_epi16(_mm256_abs_epi8(code), _mm256_sign_epi8(y, code));
  }
};

}  // namespace lamina::isa_avx2

#endif
