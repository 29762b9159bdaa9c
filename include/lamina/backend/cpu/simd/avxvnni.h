// Simd in AVX2 with AVX-VNNI: as AVX2, with dot products of four bytes in one instruction.
#pragma once

#if defined(__AVXVNNI__)

#include "lamina/backend/cpu/simd/avx2.h"

namespace lamina::isa_avxvnni {

struct Simd : isa_avx2::Simd {
  static constexpr std::string_view isa = "avxvnni";
  static constexpr bool signed_bytes = false;
  template <int>
  static constexpr int dot_bits = 8;

  template <int Bits, int Lines, int Columns>
  [[gnu::always_inline]] static void dot(Int (&sums)[Columns], const Int* codes,
                                         const std::int8_t* y, int stride) {
#pragma GCC unroll 8
    for (int j = 0; j < Lines; ++j) {
#pragma GCC unroll 4
      for (int c = 0; c < Columns; ++c) {
        const __m256i four = _mm256_set1_epi32(load<std::int32_t>(y + c * stride + 4 * j));
#pragma GCC unroll 2
        for (int p = 0; p < parts; ++p) {
          sums[c].part[p] = reinterpret_cast<IntPart>(
              _mm256_dpbusd_avx_epi32(reinterpret_cast<__m256i>(sums[c].part[p]),
                                      reinterpret_cast<__m256i>(codes[j].part[p]), four));
        }
      }
    }
  }
  [[gnu::always_inline]] static Int add_products(Int sum, const Int& codes, const Int& y) {
#pragma GCC unroll 2
    for (int i = 0; i < parts; ++i) {
      sum.part[i] = reinterpret_cast<IntPart>(_mm256_dpbusd_avx_epi32(
          reinterpret_cast<__m256i>(sum.part[i]), reinterpret_cast<__m256i>(codes.part[i]),
          reinterpret_cast<__m256i>(y.part[i])));
    }
    return sum;
  }
};

}  // namespace lamina::isa_avxvnni

#endif
