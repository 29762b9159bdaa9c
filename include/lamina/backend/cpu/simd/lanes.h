// What kernels compute with: 16 lanes (rows of a panel, keys, elements of a row) in as many vectors
// as an instruction set needs.
//
// The vectors are the types that g++ and clang share, so that one text serves every instruction
// set. A Simd adds what they cannot say: dot products of bytes, float16 and fused arithmetic.
// Everything is inlined and nothing is emitted under a shared name, for units compiled for several
// instruction sets are linked together.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lamina {

/// 16 lanes of `Lane` in vectors of `Bytes`.
template <class Lane, int Bytes>
struct LanesOf {
  static constexpr int parts = 64 / Bytes;
  using Part [[gnu::vector_size(Bytes)]] = Lane;
  Part part[parts];

  [[gnu::always_inline]] static LanesOf load(const void* from) {
    LanesOf x;
#pragma GCC unroll 4
    for (int i = 0; i < parts; ++i) {
      __builtin_memcpy(&x.part[i], static_cast<const char*>(from) + i * Bytes, Bytes);
    }
    return x;
  }
  [[gnu::always_inline]] void store(void* to) const {
#pragma GCC unroll 4
    for (int i = 0; i < parts; ++i) {
      __builtin_memcpy(static_cast<char*>(to) + i * Bytes, &part[i], Bytes);
    }
  }
  /// The first `count` lanes, or all.
  [[gnu::always_inline]] void store_first(int count, void* to) const {
    if (count >= 16) return store(to);
    Lane all[16];
    store(all);
    __builtin_memcpy(to, all, static_cast<std::size_t>(count) * sizeof(Lane));
  }
  /// Every lane the same.
  [[gnu::always_inline]] static LanesOf all(Lane value) {
    LanesOf x;
#pragma GCC unroll 4
    for (int i = 0; i < parts; ++i) x.part[i] = value - Part{};  // + would have to add: -0 + 0 = 0
    return x;
  }
  [[gnu::always_inline]] friend LanesOf operator&(LanesOf a, LanesOf b) {
#pragma GCC unroll 4
    for (int i = 0; i < parts; ++i) a.part[i] &= b.part[i];
    return a;
  }
  [[gnu::always_inline]] friend LanesOf operator|(LanesOf a, LanesOf b) {
#pragma GCC unroll 4
    for (int i = 0; i < parts; ++i) a.part[i] |= b.part[i];
    return a;
  }
  [[gnu::always_inline]] friend LanesOf operator^(LanesOf a, LanesOf b) {
#pragma GCC unroll 4
    for (int i = 0; i < parts; ++i) a.part[i] ^= b.part[i];
    return a;
  }
  [[gnu::always_inline]] friend LanesOf operator+(LanesOf a, LanesOf b) {
#pragma GCC unroll 4
    for (int i = 0; i < parts; ++i) a.part[i] += b.part[i];
    return a;
  }
  [[gnu::always_inline]] friend LanesOf operator-(LanesOf a, LanesOf b) {
#pragma GCC unroll 4
    for (int i = 0; i < parts; ++i) a.part[i] -= b.part[i];
    return a;
  }
  [[gnu::always_inline]] friend LanesOf operator*(LanesOf a, LanesOf b) {
#pragma GCC unroll 4
    for (int i = 0; i < parts; ++i) a.part[i] *= b.part[i];
    return a;
  }
  [[gnu::always_inline]] friend LanesOf operator/(LanesOf a, LanesOf b) {
#pragma GCC unroll 4
    for (int i = 0; i < parts; ++i) a.part[i] /= b.part[i];
    return a;
  }
  [[gnu::always_inline]] friend LanesOf operator<<(LanesOf x, int count) {
#pragma GCC unroll 4
    for (int i = 0; i < parts; ++i) x.part[i] <<= count;
    return x;
  }
  /// Fills up with the sign.
  [[gnu::always_inline]] friend LanesOf operator>>(LanesOf x, int count) {
#pragma GCC unroll 4
    for (int i = 0; i < parts; ++i) x.part[i] >>= count;
    return x;
  }
  [[gnu::always_inline]] friend LanesOf operator&(LanesOf a, Lane b) { return a & all(b); }
  [[gnu::always_inline]] friend LanesOf operator*(LanesOf a, Lane b) { return a * all(b); }
  [[gnu::always_inline]] friend LanesOf operator-(LanesOf a, Lane b) { return a - all(b); }
  [[gnu::always_inline]] friend LanesOf operator^(LanesOf a, Lane b) { return a ^ all(b); }
  [[gnu::always_inline]] LanesOf operator-() const {
    LanesOf x;
#pragma GCC unroll 4
    for (int i = 0; i < parts; ++i) x.part[i] = -part[i];
    return x;
  }
};

template <int Bytes>
struct Lanes {
  using Int = LanesOf<std::int32_t, Bytes>;  // a lane may stand for 4 bytes
  using Float = LanesOf<float, Bytes>;
  using IntPart = typename Int::Part;
  using FloatPart = typename Float::Part;
  using UnsignedPart = typename LanesOf<std::uint32_t, Bytes>::Part;
  static constexpr int parts = Int::parts;

  /// A number or vector that lies anywhere.
  template <class Vector>
  [[gnu::always_inline]] static Vector load(const void* from) {
    Vector x;
    __builtin_memcpy(&x, from, sizeof x);
    return x;
  }
  /// 32 bytes from each place; a set whose vectors hold more has its own.
  [[gnu::always_inline]] static Float load_two(const char* first, const char* second) {
    Float x;
#pragma GCC unroll 4
    for (int i = 0; i < parts; ++i) {
      const int at = i * Bytes;
      x.part[i] = load<FloatPart>(at < 32 ? first + at : second + at - 32);
    }
    return x;
  }
  /// x, where the compiler has to be told to keep it.
  [[gnu::always_inline]] static FloatPart in_register(FloatPart x) { return x; }
  [[gnu::always_inline]] static Int set(std::int32_t x) { return Int::all(x); }
  [[gnu::always_inline]] static Float set_float(float x) { return Float::all(x); }
  /// Fills up with zeros.
  [[gnu::always_inline]] static Int shift_right(Int x, int count) {
#pragma GCC unroll 4
    for (int i = 0; i < parts; ++i) {
      const auto bits = reinterpret_cast<UnsignedPart>(x.part[i]);
      x.part[i] = reinterpret_cast<IntPart>(bits >> static_cast<std::uint32_t>(count));
    }
    return x;
  }
  [[gnu::always_inline]] static Float to_float(Int x) {
    Float y;
#pragma GCC unroll 4
    for (int i = 0; i < parts; ++i) y.part[i] = __builtin_convertvector(x.part[i], FloatPart);
    return y;
  }
  [[gnu::always_inline]] static Int bits_of(Float x) { return __builtin_bit_cast(Int, x); }
  [[gnu::always_inline]] static Float float_of(Int bits) { return __builtin_bit_cast(Float, bits); }
  /// The larger of each two; `b` where one is NaN.
  [[gnu::always_inline]] static Float larger(Float a, Float b) {
#pragma GCC unroll 4
    for (int i = 0; i < parts; ++i) a.part[i] = a.part[i] > b.part[i] ? a.part[i] : b.part[i];
    return a;
  }
  /// The smaller of each two; `b` where one is NaN.
  [[gnu::always_inline]] static Float smaller(Float a, Float b) {
#pragma GCC unroll 4
    for (int i = 0; i < parts; ++i) a.part[i] = a.part[i] < b.part[i] ? a.part[i] : b.part[i];
    return a;
  }
};

}  // namespace lamina
