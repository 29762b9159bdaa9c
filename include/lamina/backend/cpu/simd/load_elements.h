// Stored numbers to floats, 16 at once.
#pragma once

#include "lamina/backend/cpu/simd/lanes.h"
#include "lamina/core/format_id.h"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace lamina {

/// Elements [first, first + 16) of a row, whose bytes must reach as far; see quant/ for the
/// formats. `first` is a multiple of 16.
template <class S, FormatId F, class Index>
[[gnu::always_inline]] inline typename S::Float load_elements(const std::byte* row, Index first) {
  if constexpr (F == FormatId::f32) return S::Float::load(row + first * 4);
  if constexpr (F == FormatId::f16) return S::load_half(row + first * 2);
  if constexpr (F == FormatId::bf16) {
    return S::float_of(S::template widen<std::uint16_t>(row + first * 2) << 16);
  }
  const auto at = static_cast<std::make_unsigned_t<Index>>(first);  // whose quotients are shifts
  if constexpr (F == FormatId::q8_0) {
    const std::byte* block = row + at / 32 * 34;
    const auto codes = S::template widen<std::int8_t>(block + 2 + at % 32);
    return S::to_float(codes) * S::half(block);
  }
  if constexpr (F == FormatId::q4_0) {
    const std::byte* block = row + at / 32 * 18;
    const auto pairs = S::template widen<std::uint8_t>(block + 2);
    const auto codes = at % 32 == 0 ? pairs & 15 : pairs >> 4;
    return S::to_float(codes - 8) * S::half(block);
  }
}

}  // namespace lamina
