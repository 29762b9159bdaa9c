// PanelFormat<Q>: how a format's panels are read: 32 weights of each of 16 rows at a time.
//
// A weight is scale * (code - offset) - min, with an unsigned code of `bits` bits; a scale (and
// min) holds for 32 weights, or for each half of them (`subs` = 2). Codes come as 8 vectors, each
// with 4 consecutive weights of every row; they equal those of the format's `decode` in
// lamina/quant. S is an instruction set: see backend/cpu/simd/. Where `scales` is not inlined, its
// caller must know that it throws nothing: what handles exceptions is shared between units.
#pragma once

#include "lamina/backend/cpu/panel/layout.h"
#include "lamina/quant/q2_k.h"
#include "lamina/quant/q3_k.h"
#include "lamina/quant/q4_0.h"
#include "lamina/quant/q4_1.h"
#include "lamina/quant/q4_k.h"
#include "lamina/quant/q5_0.h"
#include "lamina/quant/q5_1.h"
#include "lamina/quant/q5_k.h"
#include "lamina/quant/q6_k.h"
#include "lamina/quant/q8_0.h"

namespace lamina {

/// What the traits of all formats share.
template <class Q, int Bits, int Subs, int OffsetBits, bool HasMin>
struct PanelTraits {
  static constexpr PanelLayout layout = panel_layout(Q::id);
  static constexpr int bits = Bits;
  static constexpr int subs = Subs;
  static constexpr bool has_min = HasMin;
  static constexpr int steps = layout.unit_size() / 32;  // of a unit
  static constexpr int unit_bytes = layout.unit_bytes();
  static constexpr int first_line = layout.first_line();
  static constexpr int lines = layout.lines;  // of a block

  [[gnu::always_inline]] static std::int64_t units(std::int64_t cols) {
    return (cols + 32 * steps - 1) / (32 * steps);
  }

  /// offset = 1 << offset_bits; -1 for none. Codes of 8 bits stay signed where S wants it so.
  template <class S>
  static constexpr int offset_bits = Bits == 8 && S::signed_bytes ? -1 : OffsetBits;

  /// Line `line` of the unit's block `block`.
  template <class S>
  [[gnu::always_inline]] static typename S::Int line(const std::byte* unit, int line,
                                                     int block = 0) {
    return S::Int::load(unit + layout.first_line() + (block * layout.lines + line) * panel_line);
  }
  /// The lone two-byte fields of the unit's block `block`, as float16.
  template <class S>
  [[gnu::always_inline]] static typename S::Float lone(const std::byte* unit, int block = 0) {
    return S::load_half(unit + block * panel_rows * 2);
  }
};

/// Scales of one unit: [steps * subs] vectors.
template <class S, class F>
struct UnitScales {
  typename S::Float scales[F::steps * F::subs];
  typename S::Float mins[F::has_min ? F::steps * F::subs : 1];
};

template <class Q>
struct PanelFormat;

namespace detail {

/// Four bits of each dword, at `shift`, as the lowest bits of its four bytes: x times (1 + 2^7 +
/// 2^14 + 2^21) puts bit i of a nibble at bit 8 i, and nothing carries.
template <class S>
[[gnu::always_inline]] inline typename S::Int spread_bits(typename S::Int x, int shift) {
  const auto nibbles = S::shift_right(x, shift) & 15;
  return ((nibbles * 0x00204081) & 0x01010101);
}

/// Codes whose low four bits are the nibbles of 4 lines, from `first` on: weights 0-15 low, 16-31
/// high.
template <class S, class F>
[[gnu::always_inline]] inline void nibble_codes(const std::byte* unit, int first, int block,
                                                typename S::Int (&codes)[8]) {
  const auto low = 0x0f0f0f0f;
#pragma GCC unroll 8
  for (int j = 0; j < 4; ++j) {
    const auto x = F::template line<S>(unit, first + j, block);
    codes[j] = x & low;
    codes[4 + j] = S::shift_right(x, 4) & low;
  }
}

/// Adds the fifth bits, of which each row has one dword.
template <class S>
[[gnu::always_inline]] inline void add_fifth_bits(typename S::Int fifth,
                                                  typename S::Int (&codes)[8]) {
#pragma GCC unroll 8
  for (int j = 0; j < 8; ++j) {
    codes[j] = codes[j] | (spread_bits<S>(fifth, 4 * j) << 4);
  }
}

/// The lone scales of two blocks of 32.
template <class S, class F>
[[gnu::always_inline]] inline void lone_scales(const std::byte* unit, UnitScales<S, F>& to) {
  for (int b = 0; b < 2; ++b) to.scales[b] = F::template lone<S>(unit, b);
}

/// Scale and min of a block of 32 that share its first line; the file holds the min negated.
template <class S, class F>
[[gnu::always_inline]] inline void scale_and_min(const std::byte* unit, UnitScales<S, F>& to) {
  const auto both = F::template line<S>(unit, 0);
  to.scales[0] = S::half_to_float(both);
  to.mins[0] = -S::half_to_float(S::shift_right(both, 16));
}

/// to[s] = factor * byte s of each dword, for bytes below 128: a byte is left where it stands, as a
/// number 2^(8 s) times as large, for which the factor makes up. No shift is needed, and the bits
/// are the same.
template <class S>
[[gnu::always_inline]] inline void scaled_bytes(typename S::Int bytes, typename S::Float factor,
                                                typename S::Float* to) {
#pragma GCC unroll 4
  for (int s = 0; s < 4; ++s) {
    to[s] = factor * S::to_float(bytes & (0x7f << (8 * s)));
    factor = factor * (1.0f / 256);
  }
}

/// Scales and mins of Q4_K and Q5_K: `packed` are the 12 bytes of scale_min.h as three lines, d and
/// dmin one more.
template <class S, class F>
[[gnu::always_inline]] inline void k_scales(const std::byte* unit, UnitScales<S, F>& to) {
  const auto both = F::template line<S>(unit, 0);
  const auto d = S::half_to_float(both), dmin = S::half_to_float(S::shift_right(both, 16));
  const auto a = F::template line<S>(unit, 1), b = F::template line<S>(unit, 2);
  const auto c = F::template line<S>(unit, 3);
  const auto low = 0x0f0f0f0f, high = 0x30303030;
  scaled_bytes<S>(a & (low | high), d, to.scales);
  scaled_bytes<S>(b & (low | high), dmin, to.mins);
  scaled_bytes<S>((c & low) | (S::shift_right(a, 2) & high), d, to.scales + 4);
  scaled_bytes<S>((S::shift_right(c, 4) & low) | (S::shift_right(b, 2) & high), dmin, to.mins + 4);
}

}  // namespace detail

template <>
struct PanelFormat<Q4_0> : PanelTraits<Q4_0, 4, 1, 3, false> {
  template <class S>
  [[gnu::nothrow]] static void scales(const std::byte* unit, UnitScales<S, PanelFormat>& to) {
    detail::lone_scales<S>(unit, to);
  }
  template <class S>
  static void codes(const std::byte* unit, int step, typename S::Int (&out)[8]) {
    detail::nibble_codes<S, PanelFormat>(unit, 0, step, out);
  }
};

template <>
struct PanelFormat<Q4_1> : PanelTraits<Q4_1, 4, 1, -1, true> {
  template <class S>
  [[gnu::nothrow]] static void scales(const std::byte* unit, UnitScales<S, PanelFormat>& to) {
    detail::scale_and_min<S>(unit, to);
  }
  template <class S>
  static void codes(const std::byte* unit, int, typename S::Int (&out)[8]) {
    detail::nibble_codes<S, PanelFormat>(unit, 1, 0, out);
  }
};

template <>
struct PanelFormat<Q5_0> : PanelTraits<Q5_0, 5, 1, 4, false> {
  template <class S>
  [[gnu::nothrow]] static void scales(const std::byte* unit, UnitScales<S, PanelFormat>& to) {
    detail::lone_scales<S>(unit, to);
  }
  template <class S>
  static void codes(const std::byte* unit, int step, typename S::Int (&out)[8]) {
    detail::nibble_codes<S, PanelFormat>(unit, 1, step, out);
    detail::add_fifth_bits<S>(PanelFormat::template line<S>(unit, 0, step), out);
  }
};

template <>
struct PanelFormat<Q5_1> : PanelTraits<Q5_1, 5, 1, -1, true> {
  template <class S>
  [[gnu::nothrow]] static void scales(const std::byte* unit, UnitScales<S, PanelFormat>& to) {
    detail::scale_and_min<S>(unit, to);
  }
  template <class S>
  static void codes(const std::byte* unit, int, typename S::Int (&out)[8]) {
    detail::nibble_codes<S, PanelFormat>(unit, 2, 0, out);
    detail::add_fifth_bits<S>(PanelFormat::template line<S>(unit, 1), out);
  }
};

/// Codes are stored signed; turning the top bit makes them unsigned with an offset of 128.
template <>
struct PanelFormat<Q8_0> : PanelTraits<Q8_0, 8, 1, 7, false> {
  template <class S>
  [[gnu::nothrow]] static void scales(const std::byte* unit, UnitScales<S, PanelFormat>& to) {
    detail::lone_scales<S>(unit, to);
  }
  template <class S>
  static void codes(const std::byte* unit, int step, typename S::Int (&out)[8]) {
    constexpr auto turn = S::signed_bytes ? 0 : static_cast<std::int32_t>(0x80808080);
#pragma GCC unroll 8
    for (int j = 0; j < 8; ++j) out[j] = PanelFormat::template line<S>(unit, j, step) ^ turn;
  }
};

template <>
struct PanelFormat<Q2_K> : PanelTraits<Q2_K, 2, 2, -1, true> {
  template <class S>
  [[gnu::nothrow]] static void scales(const std::byte* unit, UnitScales<S, PanelFormat>& to) {
    const auto both = PanelFormat::template line<S>(unit, 20);
    const auto d = S::half_to_float(both), dmin = S::half_to_float(S::shift_right(both, 16));
#pragma GCC unroll 16
    for (int s = 0; s < 16; ++s) {
      const auto byte = S::shift_right(PanelFormat::template line<S>(unit, s / 4), 8 * (s % 4));
      const auto scale = byte & 15;
      const auto min = S::shift_right(byte, 4) & 15;
      to.scales[s] = d * S::to_float(scale);
      to.mins[s] = dmin * S::to_float(min);
    }
  }
  template <class S>
  static void codes(const std::byte* unit, int step, typename S::Int (&out)[8]) {
#pragma GCC unroll 8
    for (int j = 0; j < 8; ++j) {
      const auto x = PanelFormat::template line<S>(unit, 4 + 8 * (step / 4) + j);
      out[j] = S::shift_right(x, 2 * (step % 4)) & 0x03030303;
    }
  }
};

template <>
struct PanelFormat<Q3_K> : PanelTraits<Q3_K, 3, 2, 2, false> {
  template <class S>
  [[gnu::nothrow]] static void scales(const std::byte* unit, UnitScales<S, PanelFormat>& to) {
    const auto d = PanelFormat::template lone<S>(unit);
    const auto top = PanelFormat::template line<S>(unit, 26);
#pragma GCC unroll 16
    for (int s = 0; s < 16; ++s) {
      const auto bytes = PanelFormat::template line<S>(unit, 24 + s % 8 / 4);
      const auto low = S::shift_right(bytes, 8 * (s % 4) + 4 * (s / 8)) & 15;
      const auto high = S::shift_right(top, 8 * (s % 4) + 2 * (s / 4)) & 3;
      const auto scale = (low | (high << 4)) - 32;
      to.scales[s] = d * S::to_float(scale);
    }
  }
  template <class S>
  static void codes(const std::byte* unit, int step, typename S::Int (&out)[8]) {
#pragma GCC unroll 8
    for (int j = 0; j < 8; ++j) {
      const auto x = PanelFormat::template line<S>(unit, 8 + 8 * (step / 4) + j);
      const auto third = S::shift_right(PanelFormat::template line<S>(unit, j), step);
      out[j] = (S::shift_right(x, 2 * (step % 4)) & 0x03030303) | ((third & 0x01010101) << 2);
    }
  }
};

template <>
struct PanelFormat<Q4_K> : PanelTraits<Q4_K, 4, 1, -1, true> {
  template <class S>
  [[gnu::nothrow]] static void scales(const std::byte* unit, UnitScales<S, PanelFormat>& to) {
    detail::k_scales<S>(unit, to);
  }
  template <class S>
  static void codes(const std::byte* unit, int step, typename S::Int (&out)[8]) {
#pragma GCC unroll 8
    for (int j = 0; j < 8; ++j) {
      const auto x = PanelFormat::template line<S>(unit, 4 + 8 * (step / 2) + j);
      out[j] = S::shift_right(x, 4 * (step % 2)) & 0x0f0f0f0f;
    }
  }
};

template <>
struct PanelFormat<Q5_K> : PanelTraits<Q5_K, 5, 1, -1, true> {
  template <class S>
  [[gnu::nothrow]] static void scales(const std::byte* unit, UnitScales<S, PanelFormat>& to) {
    detail::k_scales<S>(unit, to);
  }
  template <class S>
  static void codes(const std::byte* unit, int step, typename S::Int (&out)[8]) {
#pragma GCC unroll 8
    for (int j = 0; j < 8; ++j) {
      const auto x = PanelFormat::template line<S>(unit, 12 + 8 * (step / 2) + j);
      const auto fifth = S::shift_right(PanelFormat::template line<S>(unit, 4 + j), step);
      out[j] = (S::shift_right(x, 4 * (step % 2)) & 0x0f0f0f0f) | ((fifth & 0x01010101) << 4);
    }
  }
};

template <>
struct PanelFormat<Q6_K> : PanelTraits<Q6_K, 6, 2, 5, false> {
  /// Signed bytes, each moved to the top of its dword: 2^24 times as large.
  template <class S>
  [[gnu::nothrow]] static void scales(const std::byte* unit, UnitScales<S, PanelFormat>& to) {
    const auto d = PanelFormat::template lone<S>(unit) * (1.0f / (1 << 24));
    constexpr auto top = static_cast<std::int32_t>(0xff000000);
#pragma GCC unroll 16
    for (int s = 0; s < 16; ++s) {
      const auto bytes = PanelFormat::template line<S>(unit, 48 + s / 4);
      to.scales[s] = d * S::to_float((bytes << (24 - 8 * (s % 4))) & top);
    }
  }
  template <class S>
  static void codes(const std::byte* unit, int step, typename S::Int (&out)[8]) {
    const int half = step / 4, j = step % 4;
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i) {
      const auto low = PanelFormat::template line<S>(unit, 16 * half + 8 * (j % 2) + i);
      const auto high = PanelFormat::template line<S>(unit, 32 + 8 * half + i);
      out[i] = ((S::shift_right(low, 4 * (j / 2)) & 0x0f0f0f0f) |
                ((S::shift_right(high, 2 * j) & 0x03030303) << 4));
    }
  }
};

}  // namespace lamina
