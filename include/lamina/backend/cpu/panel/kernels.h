// The kernels on panels: a few rows of activations times 16 weight rows.
//
// For every pair of rows, whatever the kernel, tile and thread: steps of 32 in order, each with
// whole numbers summed exactly (4 high + low of fine activations), then
//   t = S scale  (or S0 scale0 + S1 scale1);  y += t scale_x;  y -= min sum_x  (for each min).
// S may begin at `sum_bias`, the bits of 1.5 2^23: as a float it is 1.5 2^23 + S then, for |S| is
// below 2^22 (32 codes of 8 bits times 508). One multiply-add gives S scale of it, with the bits of
// a conversion and a product: 1.5 2^23 scale is a float, since no scale has more than 19 bits.
// Two ways to get there: `multiply_direct` unpacks codes in registers, for few rows;
// `multiply_bytes` reads codes that `unpack_panel` has laid out as bytes, for many, some steps at a
// time.
#pragma once

#include "lamina/backend/cpu/panel/activations.h"
#include "lamina/backend/cpu/panel/formats.h"

#include <cstddef>
#include <cstdint>

namespace lamina {

/// The bits of 1.5 * 2^23.
inline constexpr std::int32_t sum_bias = 0x4b400000;

/// What a biased sum needs once it has been counted four times.
inline constexpr std::int32_t sum_bias_again =
    static_cast<std::int32_t>(0u - 3u * static_cast<std::uint32_t>(sum_bias));

/// S scale of a sum that begins at sum_bias or at 0.
template <class S, bool Biased>
[[gnu::always_inline]] inline typename S::Float scaled(typename S::Int sum,
                                                       typename S::Float scale) {
  if constexpr (Biased) {  // the product of scale and bias is one for all rows of a tile
    return S::multiply_add(S::float_of(sum), scale, scale * S::set_float(-12582912.0f));
  } else {
    return S::to_float(sum) * scale;
  }
}

/// What a step's sums of whole numbers, one for each sub, add to y: see above. The first of them
/// may be biased.
template <class S, int Subs, bool HasMin, bool Biased>
[[gnu::always_inline]] inline typename S::Float add_step(typename S::Float y,
                                                         const typename S::Int (&sums)[Subs],
                                                         const typename S::Float* scales,
                                                         const typename S::Float* mins,
                                                         const StepSums& x) {
  typename S::Float t = scaled<S, Biased>(sums[0], scales[0]);
  if constexpr (Subs == 2) t = S::multiply_add(S::to_float(sums[1]), scales[1], t);
  y = S::multiply_add(t, S::set_float(x.scale), y);
  if constexpr (HasMin && Subs == 1) {
    y = S::multiply_subtract(mins[0], S::set_float(x.scaled_sum), y);
  }
  if constexpr (HasMin && Subs == 2) {
    y = S::multiply_subtract(mins[0], S::set_float(x.scaled_sums[0]), y);
    y = S::multiply_subtract(mins[1], S::set_float(x.scaled_sums[1]), y);
  }
  return y;
}

/// Whether codes of so many bits have an offset: those of formats without a min do, but for signed
/// ones.
template <class S, int Bits, bool HasMin>
inline constexpr bool has_offset = !HasMin && !(Bits == 8 && S::signed_bytes);

/// How many of `Rows` rows are multiplied together, so that one's dot product need not wait for its
/// own last instruction: a divisor, at most S::dots_together.
template <class S, int Rows>
constexpr int rows_together() {
  int together = S::dots_together < Rows ? S::dots_together : Rows;
  while (Rows % together != 0) --together;
  return together;
}

/// sums += the dot products of a step's codes, or of their low parts, for each row.
template <class S, int Bits, int Subs, int Rows, class Record>
[[gnu::always_inline]] inline void dot_codes(typename S::Int (&sums)[Subs][Rows],
                                             const typename S::Int* codes, const Record* x) {
  constexpr int lines = 8 / Subs;
#pragma GCC unroll 2
  for (int s = 0; s < Subs; ++s) {
    S::template dot<Bits, lines>(sums[s], codes + s * lines, x->codes + s * 16, sizeof(Record));
  }
}

/// What takes the offset of weights off a sum: `from` holds those of the codes it is made of.
template <int Subs, class Sums>
[[gnu::always_inline]] inline std::int32_t minus_offset(const Sums& from, int s, int offset_bits) {
  return (Subs == 1 ? from.minus_sum : from.minus_sums[s]) * (1 << offset_bits);
}

/// The whole-number sums of one step and some rows, side by side, as add_step takes them.
template <class S, int Bits, int Subs, bool HasMin, int Rows>
[[gnu::always_inline]] inline void dot_step(typename S::Int (&sums)[Subs][Rows],
                                            const typename S::Int* codes, const StepRecord* x,
                                            int offset_bits) {
#pragma GCC unroll 2
  for (int s = 0; s < Subs; ++s) {
#pragma GCC unroll 12
    for (int r = 0; r < Rows; ++r) {
      std::int32_t start = S::biased_sums && s == 0 ? sum_bias : 0;
      if constexpr (has_offset<S, Bits, HasMin>) {
        start += minus_offset<Subs>(x[r].sums, s, offset_bits);
      }
      sums[s][r] = S::set(start);
    }
  }
  dot_codes<S, Bits, Subs>(sums, codes, x);
}

/// Counts sums four times and adds those of the low parts.
template <class S, int Bits, int Subs, bool HasMin, int Rows>
[[gnu::always_inline]] inline void add_low_parts(typename S::Int (&sums)[Subs][Rows],
                                                 const typename S::Int* codes, const LowRecord* x,
                                                 int offset_bits) {
#pragma GCC unroll 2
  for (int s = 0; s < Subs; ++s) {
#pragma GCC unroll 12
    for (int r = 0; r < Rows; ++r) {
      std::int32_t more = S::biased_sums && s == 0 ? sum_bias_again : 0;
      if constexpr (has_offset<S, Bits, HasMin>) {
        more += minus_offset<Subs>(x[r], s, offset_bits);
      }
      sums[s][r] = (sums[s][r] << 2) + S::set(more);
    }
  }
  dot_codes<S, Bits, Subs>(sums, codes, x);
}

/// Scales of sums that were counted four times. A row that is not fine gets the same bits with
/// them, for a power of two is exact.
template <class S, int Subs>
struct Quarters {
  typename S::Float scales[Subs];

  [[gnu::always_inline]] explicit Quarters(const typename S::Float* from) {
#pragma GCC unroll 2
    for (int s = 0; s < Subs; ++s) scales[s] = from[s] * S::set_float(0.25f);
  }
};

/// add_step for some rows.
template <class S, int Subs, bool HasMin, int Rows>
[[gnu::always_inline]] inline void add_sums(typename S::Float* y,
                                            const typename S::Int (&sums)[Subs][Rows],
                                            const typename S::Float* scales,
                                            const typename S::Float* mins, const StepRecord* x) {
#pragma GCC unroll 12
  for (int r = 0; r < Rows; ++r) {
    typename S::Int of_row[Subs];
#pragma GCC unroll 2
    for (int s = 0; s < Subs; ++s) of_row[s] = sums[s][r];
    y[r] = add_step<S, Subs, HasMin, S::biased_sums>(y[r], of_row, scales, mins, x[r].sums);
  }
}

/// A step's codes for low parts: those that are there, or unpacked again. One row unpacks them
/// again where they would leave the registers to be kept for it: few of its steps are fine.
template <class S>
struct KeptCodes {
  const typename S::Int* codes;

  [[gnu::always_inline]] const typename S::Int* again(typename S::Int (&)[8]) const {
    return codes;
  }
};
template <class S, class F>
struct CodesUnpackedAgain {
  const std::byte* unit;
  int step;

  [[gnu::always_inline]] const typename S::Int* again(typename S::Int (&room)[8]) const {
    const std::byte* same = unit;
    asm("" : "+r"(same));  // or the compiler would keep them
    F::template codes<S>(same, step, room);
    return room;
  }
};

/// Adds one step of one panel for all rows of a tile.
template <class S, int Bits, int Subs, bool HasMin, int Rows, class LowCodes>
[[gnu::always_inline]] inline void add_rows(typename S::Float (&sums)[Rows],
                                            const typename S::Int* codes, const LowCodes& low_codes,
                                            const typename S::Float* scales,
                                            const typename S::Float* mins, const TileSteps& x,
                                            int offset_bits) {
  constexpr int together = rows_together<S, Rows>();
#pragma GCC unroll 12
  for (int r = 0; r < Rows; r += together) {
    typename S::Int dots[Subs][together];
    dot_step<S, Bits, Subs, HasMin>(dots, codes, x.records + r, offset_bits);
    if (any_fine<together>(x.fine + r)) {
      typename S::Int room[8];
      add_low_parts<S, Bits, Subs, HasMin>(dots, low_codes.again(room), x.low + r, offset_bits);
      const Quarters<S, Subs> quarters(scales);
      add_sums<S, Subs, HasMin>(sums + r, dots, quarters.scales, mins, x.records + r);
    } else {
      add_sums<S, Subs, HasMin>(sums + r, dots, scales, mins, x.records + r);
    }
  }
}

/// Where a tile's results lie: `y` is [rows, stride].
struct TileTarget {
  float* y = nullptr;
  std::int64_t stride = 0;
  int rows = 0;   // of x
  int count = 0;  // rows of W, at most panel_rows
};

/// One row's results so far; zeros where there is nothing.
template <class S>
[[gnu::always_inline]] inline typename S::Float load_sums(const TileTarget& from, int row) {
  const float* at = from.y + row * from.stride;
  if (row >= from.rows) return S::set_float(0);
  if (from.count == panel_rows) return S::Float::load(at);
  float some[panel_rows] = {};
  __builtin_memcpy(some, at, static_cast<std::size_t>(from.count) * sizeof(float));
  return S::Float::load(some);
}

/// Stores what exists.
template <class S>
[[gnu::always_inline]] inline void store_sums(typename S::Float sums, const TileTarget& to,
                                              int row) {
  if (row < to.rows) sums.store_first(to.count, to.y + row * to.stride);
}

/// Lines of 64 bytes that are wanted soon, some for each step, in the second cache: asked for all
/// at once, they would wait for each other, and the loads after them too.
struct WantedLines {
  const std::byte* from = nullptr;
  int lines = 0;  // for a step

  [[gnu::always_inline]] void fetch(std::int64_t step) const {
    const std::byte* at = from + step * lines * 64;
    for (int i = 0; i < lines; ++i) __builtin_prefetch(at + i * 64, 0, 2);
  }
};

/// Lines that a step of a unit has, the scales' share among them.
template <class F>
inline constexpr int lines_of_step = (F::unit_bytes / 64 + F::steps - 1) / F::steps;

/// Whether the rows of one tile can be more than are multiplied without unpacking.
template <class S>
inline constexpr bool unpacks_for_one_tile = S::tile > S::direct_rows;

/// How far ahead of a unit, in bytes: what memory takes to answer, and the scales at a unit's end,
/// which are read first.
template <class F>
inline constexpr int fetch_ahead = F::unit_bytes + 1024 > 3072 ? F::unit_bytes + 1024 : 3072;

/// Asks for a step's lines of what follows a unit.
template <class F>
[[gnu::always_inline]] inline void fetch_step(const std::byte* unit, int step) {
#pragma GCC unroll 16
  for (int i = 0; i < lines_of_step<F>; ++i) {
    __builtin_prefetch(unit + fetch_ahead<F> + (step * lines_of_step<F> + i) * 64, 0, 2);
  }
}

/// One panel times `Rows` rows.
template <class S, class F, int Rows>
void multiply_direct(const std::byte* panel, std::int64_t units, TileSteps x,
                     const TileTarget& to) {
  typename S::Float sums[Rows];
  for (auto& sum : sums) sum = S::set_float(0);
  for (std::int64_t u = 0; u < units; ++u, panel += F::unit_bytes) {
    UnitScales<S, F> scales;
    F::template scales<S>(panel, scales);
    for (int step = 0; step < F::steps; ++step) {
      fetch_step<F>(panel, step);
      typename S::Int codes[8];
      F::template codes<S>(panel, step, codes);
      const typename S::Float* of_step = scales.scales + step * F::subs;
      const typename S::Float* mins = scales.mins + step * F::subs;
      constexpr int offset_bits = F::template offset_bits<S>;
      if constexpr (Rows == 1 && S::parts > 1) {
        const CodesUnpackedAgain<S, F> low{panel, step};
        add_rows<S, F::bits, F::subs, F::has_min>(sums, codes, low, of_step, mins, x, offset_bits);
      } else {
        const KeptCodes<S> low{codes};
        add_rows<S, F::bits, F::subs, F::has_min>(sums, codes, low, of_step, mins, x, offset_bits);
      }
      x.advance(1, Rows);
    }
  }
#pragma GCC unroll 12
  for (int r = 0; r < Rows; ++r) store_sums<S>(sums[r], to, r);
}

/// One step of a panel with its codes unpacked.
template <class S, int Subs, bool HasMin>
struct UnpackedStep {
  typename S::Int codes[S::unpacked_lines];
  typename S::Float scales[Subs];
  typename S::Float mins[HasMin ? Subs : 1];
};

/// Fetches what is `wanted`.
template <class S, class F>
void unpack_panel(const std::byte* panel, std::int64_t units, const WantedLines& wanted,
                  UnpackedStep<S, F::subs, F::has_min>* to) {
  for (std::int64_t u = 0; u < units; ++u, panel += F::unit_bytes) {
    UnitScales<S, F> scales;
    F::template scales<S>(panel, scales);
    for (int step = 0; step < F::steps; ++step, ++to) {
      if constexpr (unpacks_for_one_tile<S>) {
        wanted.fetch(u * F::steps + step);
      } else {
        fetch_step<F>(panel, step);
      }
      typename S::Int codes[8];
      F::template codes<S>(panel, step, codes);
      if constexpr (S::has_tiles) {
        S::template place_codes<F::bits, F::template offset_bits<S>>(codes, to->codes);
      } else {
        for (int j = 0; j < 8; ++j) to->codes[j] = codes[j];
      }
      for (int s = 0; s < F::subs; ++s) {
        to->scales[s] = scales.scales[step * F::subs + s];
        if (F::has_min) to->mins[s] = scales.mins[step * F::subs + s];
      }
    }
  }
}

/// Adds `steps` steps of an unpacked panel for a tile of rows; the first ones overwrite.
template <class S, int Bits, int Subs, bool HasMin, int Rows>
void multiply_bytes(const UnpackedStep<S, Subs, HasMin>* w, std::int64_t steps, int offset_bits,
                    TileSteps x, const WantedLines& wanted, const TileTarget& to, bool first) {
  typename S::Float sums[Rows];
#pragma GCC unroll 12
  for (int r = 0; r < Rows; ++r) sums[r] = first ? S::set_float(0) : load_sums<S>(to, r);
  for (std::int64_t step = 0; step < steps; ++step, ++w) {
    if constexpr (unpacks_for_one_tile<S>) wanted.fetch(step);
    const KeptCodes<S> low{w->codes};
    add_rows<S, Bits, Subs, HasMin>(sums, w->codes, low, w->scales, w->mins, x, offset_bits);
    x.advance(1, Rows);
  }
#pragma GCC unroll 12
  for (int r = 0; r < Rows; ++r) store_sums<S>(sums[r], to, r);
}

}  // namespace lamina
