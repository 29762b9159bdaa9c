// Simd without any instruction set of its own: what the compiler makes of vectors of 16 bytes.
#pragma once

#include "lamina/backend/cpu/simd/lanes.h"
#include "lamina/core/float16.h"

#include <string_view>

namespace lamina::isa_portable {

struct Simd : Lanes<16> {
  static constexpr std::string_view isa = "portable";
  static constexpr int dot_rows = 2;
  static constexpr int dot_tokens = 1;
  static constexpr int tile = 4;
  static constexpr int float_rows = 2;
  static constexpr int float_vectors = 1;
  static constexpr int phase_rows = 4;  // see float_rows/phases.h
  static constexpr int phase_parts = 2;
  static constexpr int dots_together = 1;
  static constexpr int panels_together = 8;
  static constexpr int direct_rows = 8;
  static constexpr bool has_tiles = false;
  static constexpr bool takes_pairs = false;
  static constexpr int unpacked_lines = 8;
  static constexpr bool signed_bytes = false;
  static constexpr bool biased_sums = false;
  template <int>
  static constexpr int dot_bits = 8;

  [[gnu::noinline]] static Float load_half(const void* from) {
    float16 halves[16];
    __builtin_memcpy(halves, from, sizeof halves);
    float floats[16];
    for (int i = 0; i < 16; ++i) floats[i] = lamina::to_float(halves[i]);
    return Float::load(floats);
  }
  static float half(const void* from) { return lamina::to_float(load<float16>(from)); }
  [[gnu::noinline]] static Float half_to_float(Int x) {
    std::uint32_t lanes[16];
    x.store(lanes);
    float floats[16];
    for (int i = 0; i < 16; ++i) {
      floats[i] = lamina::to_float(float16{static_cast<std::uint16_t>(lanes[i] & 0xffff)});
    }
    return Float::load(floats);
  }
  /// 16 small numbers, signed or not as `Small` is.
  template <class Small>
  static Int widen(const void* from) {
    using Narrow [[gnu::vector_size(4 * sizeof(Small))]] = Small;
    Int x;
#pragma GCC unroll 4
    for (int i = 0; i < parts; ++i) {
      const auto* at = static_cast<const char*>(from) + i * static_cast<int>(sizeof(Narrow));
      x.part[i] = __builtin_convertvector(load<Narrow>(at), IntPart);
    }
    return x;
  }
  /// Rounded twice: the result is this build's own, as every instruction set's is.
  static FloatPart multiply_add(FloatPart a, FloatPart b, FloatPart c) { return a * b + c; }
  static Float multiply_add(Float a, Float b, Float c) { return a * b + c; }
  static Float multiply_subtract(Float a, Float b, Float c) { return c - a * b; }

  // What is not inlined here would be compiled in hundreds of places.
  template <int Bits, int Lines, int Columns>
  [[gnu::noinline]] static void dot(Int (&sums)[Columns], const Int* codes, const std::int8_t* y,
                                    int stride) {
    for (int c = 0; c < Columns; ++c, y += stride) {
      for (int j = 0; j < Lines; ++j) {
        for (int b = 0; b < 4; ++b) {
          sums[c] = sums[c] + (shift_right(codes[j], 8 * b) & 255) * std::int32_t{y[4 * j + b]};
        }
      }
    }
  }
  static Int add_products(Int sum, const Int& codes, const Int& y) {
    Int sums[1] = {sum};
    dot<8, 1>(sums, &codes, reinterpret_cast<const std::int8_t*>(&y), 0);
    return sums[0];
  }
};

}  // namespace lamina::isa_portable
