// Rows of keys and values to floats, 16 elements at once, and keys transposed on the way.
#pragma once

#include "lamina/backend/cpu/attention/tile.h"
#include "lamina/backend/cpu/simd/transpose.h"

namespace lamina {

/// Bytes of a row's first `count` elements, in the formats that attention reads by itself.
[[gnu::always_inline]] inline int stored_bytes(FormatId format, int count) {
  switch (format) {
    case FormatId::f32:
      return count * 4;
    case FormatId::f16:
    case FormatId::bf16:
      return count * 2;
    default:
      return 0;
  }
}

/// Elements [first, first + 16) of a row that is stored up to there; see quant/ for the formats.
template <class S, FormatId F>
[[gnu::always_inline]] inline typename S::Float load_elements(const std::byte* row, int first) {
  if constexpr (F == FormatId::f32) return S::Float::load(row + first * 4);
  if constexpr (F == FormatId::f16) return S::load_half(row + first * 2);
  if constexpr (F == FormatId::bf16) {
    return S::float_of(S::template widen<std::uint16_t>(row + first * 2) << 16);
  }
  if constexpr (F == FormatId::q8_0) {
    const std::byte* block = row + first / 32 * 34;
    const auto codes = S::template widen<std::int8_t>(block + 2 + first % 32);
    return S::to_float(codes) * S::half(block);
  }
  if constexpr (F == FormatId::q4_0) {
    const std::byte* block = row + first / 32 * 18;
    const auto pairs = S::template widen<std::uint8_t>(block + 2);
    const auto codes = first % 32 == 0 ? pairs & 15 : pairs >> 4;
    return S::to_float(codes - 8) * S::half(block);
  }
}

/// As load_elements, where the row may end before: what is missing is zero.
template <class S, FormatId F>
[[gnu::always_inline]] inline typename S::Float load_last(const StoredRows& rows, int slot,
                                                          int first) {
  const std::byte* row = rows.row[slot];
  if (row == nullptr) return S::Float::all(0.0f);
  const int begin = stored_bytes(F, first), end = stored_bytes(F, rows.elements);
  if (end - begin == 0 || end - begin >= stored_bytes(F, 16)) {
    return load_elements<S, F>(row, first);  // or blocks, which are stored whole
  }
  std::byte copy[64] = {};
  __builtin_memcpy(copy, row + begin, static_cast<std::size_t>(end - begin));
  return load_elements<S, F>(copy, 0);
}

template <class S, FormatId F>
void read_keys_of(const StoredRows& rows, float* keys) {
  for (int slot = 0; slot < key_chunk; slot += 16) {
    for (int first = 0; first < rows.elements; first += 16) {
      typename S::Float square[16];
      for (int i = 0; i < 16; ++i) square[i] = load_last<S, F>(rows, slot + i, first);
      transpose_lanes<S>(square);
      const int count = rows.elements - first < 16 ? rows.elements - first : 16;
      for (int i = 0; i < count; ++i) square[i].store(keys + (first + i) * key_chunk + slot);
    }
  }
}

template <class S, FormatId F>
void read_values_of(const StoredRows& rows, float* values) {
  const int stride = padded_width(rows.elements);
  for (int slot = 0; slot < key_chunk; ++slot, values += stride) {
    for (int first = 0; first < rows.elements; first += 16) {
      load_last<S, F>(rows, slot, first).store(values + first);
    }
  }
}

/// Calls `call.template operator()<F>()` for the format, if attention reads it by itself.
template <class Call>
[[gnu::always_inline]] inline bool with_stored_format(FormatId format, const Call& call) {
  switch (format) {
    case FormatId::f32:
      call.template operator()<FormatId::f32>();
      return true;
    case FormatId::f16:
      call.template operator()<FormatId::f16>();
      return true;
    case FormatId::bf16:
      call.template operator()<FormatId::bf16>();
      return true;
    case FormatId::q8_0:
      call.template operator()<FormatId::q8_0>();
      return true;
    case FormatId::q4_0:
      call.template operator()<FormatId::q4_0>();
      return true;
    default:
      return false;
  }
}

template <class S>
bool reads_format(FormatId format) {
  return with_stored_format(format, []<FormatId>() {});
}

template <class S>
void read_keys(const StoredRows& rows, float* keys) {
  with_stored_format(rows.format, [&]<FormatId F>() { read_keys_of<S, F>(rows, keys); });
}

template <class S>
void read_values(const StoredRows& rows, float* values) {
  with_stored_format(rows.format, [&]<FormatId F>() { read_values_of<S, F>(rows, values); });
}

}  // namespace lamina
