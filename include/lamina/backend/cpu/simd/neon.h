// Simd in NEON with the dot products of ARMv8.2: vectors of 16 bytes, 32 registers.
#pragma once

#if defined(__aarch64__) && defined(__ARM_FEATURE_DOTPROD)

#include "lamina/backend/cpu/simd/lanes.h"

#include <arm_neon.h>
#include <string_view>

namespace lamina::isa_neon {

struct Simd : Lanes<16> {
  static constexpr std::string_view isa = "neon";
  static constexpr int dot_rows = 2;
  static constexpr int dot_tokens = 3;
  static constexpr int tile = 4;
  static constexpr int float_rows = 3;
  static constexpr int float_vectors = 2;
  static constexpr int phase_rows = 6;  // see float_rows/phases.h
  static constexpr int phase_parts = 4;
  static constexpr int dots_together = 2;
  static constexpr int panels_together = 8;
  static constexpr int direct_rows = 8;
  static constexpr bool has_tiles = false;
  static constexpr bool takes_pairs = false;
  static constexpr int unpacked_lines = 8;
  static constexpr bool signed_bytes = true;  // as the dot instruction takes both its operands
  static constexpr bool biased_sums = true;   // see panel/kernels.h
  template <int Bits>
  static constexpr int dot_bits = Bits < 8 ? 7 : 8;

  [[gnu::always_inline]] static Float load_half(const void* from) {
    const auto* halves = static_cast<const char*>(from);
    Float y;
#pragma GCC unroll 4
    for (int i = 0; i < parts; ++i) {
      const auto four = __builtin_bit_cast(float16x4_t, load<std::int64_t>(halves + 8 * i));
      y.part[i] = reinterpret_cast<FloatPart>(vcvt_f32_f16(four));
    }
    return y;
  }
  [[gnu::always_inline]] static float half(const void* from) {
    return static_cast<float>(load<__fp16>(from));
  }
  [[gnu::always_inline]] static Float half_to_float(Int x) {
    Float y;
#pragma GCC unroll 4
    for (int i = 0; i < parts; ++i) {
      const int16x4_t low = vmovn_s32(reinterpret_cast<int32x4_t>(x.part[i]));
      y.part[i] = reinterpret_cast<FloatPart>(vcvt_f32_f16(vreinterpret_f16_s16(low)));
    }
    return y;
  }
  /// 16 small numbers, signed or not as `Small` is.
  template <class Small>
  [[gnu::always_inline]] static Int widen(const void* from) {
    const auto* at = static_cast<const char*>(from);
    if constexpr (sizeof(Small) == 2) {
      return from_words(load<uint16x8_t>(at), load<uint16x8_t>(at + 16));
    } else if constexpr (Small(-1) < Small(0)) {
      const auto bytes = load<int8x16_t>(at);
      return from_words(vmovl_s8(vget_low_s8(bytes)), vmovl_high_s8(bytes));
    } else {
      const auto bytes = load<uint8x16_t>(at);
      return from_words(vmovl_u8(vget_low_u8(bytes)), vmovl_high_u8(bytes));
    }
  }
  /// a * b + c, rounded once.
  [[gnu::always_inline]] static FloatPart multiply_add(FloatPart a, FloatPart b, FloatPart c) {
    return reinterpret_cast<FloatPart>(vfmaq_f32(reinterpret_cast<float32x4_t>(c),
                                                 reinterpret_cast<float32x4_t>(a),
                                                 reinterpret_cast<float32x4_t>(b)));
  }
  [[gnu::always_inline]] static Float multiply_add(Float a, Float b, Float c) {
#pragma GCC unroll 4
    for (int i = 0; i < parts; ++i) c.part[i] = multiply_add(a.part[i], b.part[i], c.part[i]);
    return c;
  }
  /// c - a * b, rounded once.
  [[gnu::always_inline]] static Float multiply_subtract(Float a, Float b, Float c) {
    return multiply_add(-a, b, c);
  }
  /// sums += the dot products of codes with the activations of some rows, `stride` bytes apart:
  /// lane r of codes[j] has row r's codes for y[4 j], ..., y[4 j + 3]. Codes of less than 8 bits
  /// are as well signed as not.
  template <int Bits, int Lines, int Columns>
  [[gnu::always_inline]] static void dot(Int (&sums)[Columns], const Int* codes,
                                         const std::int8_t* y, int stride) {
    static_assert(Lines % 4 == 0);
#pragma GCC unroll 2
    for (int j = 0; j < Lines; j += 4) {
#pragma GCC unroll 4
      for (int c = 0; c < Columns; ++c) {
        const auto sixteen = load<int8x16_t>(y + c * stride + 4 * j);
#pragma GCC unroll 4
        for (int p = 0; p < parts; ++p) {
          sums[c].part[p] = dot_four(sums[c].part[p], codes + j, p, sixteen);
        }
      }
    }
  }
  /// One dot instruction on each part (peak.h).
  [[gnu::always_inline]] static Int add_products(Int sum, const Int& codes, const Int& y) {
#pragma GCC unroll 4
    for (int i = 0; i < parts; ++i) {
      sum.part[i] = reinterpret_cast<IntPart>(vdotq_s32(reinterpret_cast<int32x4_t>(sum.part[i]),
                                                        reinterpret_cast<int8x16_t>(codes.part[i]),
                                                        reinterpret_cast<int8x16_t>(y.part[i])));
    }
    return sum;
  }

 private:
  [[gnu::always_inline]] static Int from_words(uint16x8_t a, uint16x8_t b) {
    return {{reinterpret_cast<IntPart>(vmovl_u16(vget_low_u16(a))),
             reinterpret_cast<IntPart>(vmovl_high_u16(a)),
             reinterpret_cast<IntPart>(vmovl_u16(vget_low_u16(b))),
             reinterpret_cast<IntPart>(vmovl_high_u16(b))}};
  }
  [[gnu::always_inline]] static Int from_words(int16x8_t a, int16x8_t b) {
    return {{reinterpret_cast<IntPart>(vmovl_s16(vget_low_s16(a))),
             reinterpret_cast<IntPart>(vmovl_high_s16(a)),
             reinterpret_cast<IntPart>(vmovl_s16(vget_low_s16(b))),
             reinterpret_cast<IntPart>(vmovl_high_s16(b))}};
  }
  /// Part `p` of four lines of codes with 16 activations.
  [[gnu::always_inline]] static IntPart dot_four(IntPart sum, const Int* codes, int p,
                                                 int8x16_t y) {
    const auto code = [&](int j) __attribute__((always_inline)) {
      return reinterpret_cast<int8x16_t>(codes[j].part[p]);
    };
    auto x = reinterpret_cast<int32x4_t>(sum);
    x = vdotq_laneq_s32(x, code(0), y, 0);
    x = vdotq_laneq_s32(x, code(1), y, 1);
    x = vdotq_laneq_s32(x, code(2), y, 2);
    x = vdotq_laneq_s32(x, code(3), y, 3);
    return reinterpret_cast<IntPart>(x);
  }
};

}  // namespace lamina::isa_neon

#endif
