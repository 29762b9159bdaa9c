// Rows of keys and values to floats, 16 elements at once, and keys transposed on the way.
#pragma once

#include "lamina/backend/cpu/attention/tile.h"
#include "lamina/backend/cpu/simd/load_elements.h"
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

/// 16 elements of 16 rows to `keys`, transposed; `load` gives those of one row.
template <class S, class Load>
[[gnu::always_inline]] inline void read_square(float* keys, int count, const Load& load) {
  typename S::Float square[16];
#pragma GCC unroll 16
  for (int i = 0; i < 16; ++i) square[i] = load(i);
  transpose_lanes<S>(square);
  if (count >= 16) {
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i) square[i].store(keys + i * key_chunk);
  } else {
    for (int i = 0; i < count; ++i) square[i].store(keys + i * key_chunk);
  }
}

/// 64 elements of 16 rows of Q8_0: codes are transposed four at a time, before they are floats.
template <class S>
[[gnu::always_inline]] inline void read_q8_0_keys(const std::byte* const* row, int first,
                                                  float* keys) {
  constexpr int block = 34;  // bytes: a float16 and 32 codes
  typename S::Float square[16];
  std::uint16_t halves[2][16];
#pragma GCC unroll 16
  for (int i = 0; i < 16; ++i) {
    const auto* at = reinterpret_cast<const char*>(row[i]) + first / 32 * block;
    square[i] = S::load_two(at + 2, at + block + 2);
    __builtin_memcpy(&halves[0][i], at, 2);
    __builtin_memcpy(&halves[1][i], at + block, 2);
  }
  transpose_lanes<S>(square);
  const typename S::Float scales[] = {S::load_half(halves[0]), S::load_half(halves[1])};
#pragma GCC unroll 16
  for (int i = 0; i < 16; ++i) {
#pragma GCC unroll 4
    for (int b = 0; b < 4; ++b) {
      const auto codes = (S::bits_of(square[i]) << (24 - 8 * b)) >> 24;
      (S::to_float(codes) * scales[i / 8]).store(keys + (4 * i + b) * key_chunk);
    }
  }
}

/// Asks for the rows of the next chunk that have the places of these: they lie right behind this
/// chunk's, in a page. So memory answers while this chunk is computed.
[[gnu::always_inline]] inline void fetch_next(const StoredRows& rows, int slot, int count) {
  const std::byte* row = rows.row[slot];
  if (row == nullptr) return;
  const std::byte* next = row + key_chunk * rows.stride;
  for (std::int64_t i = 0; i < count * rows.stride; i += 64) __builtin_prefetch(next + i, 0, 2);
}

template <class S, FormatId F>
void read_keys_of(const StoredRows& rows, float* keys) {
  for (int slot = 0; slot < key_chunk; slot += 16) {
    const std::byte* const* row = rows.row + slot;
    fetch_next(rows, slot, 16);
    bool all = true;
    for (int i = 0; i < 16; ++i) all = all && row[i] != nullptr;
    int first = 0;
    for (; F == FormatId::q8_0 && all && first + 64 <= rows.elements; first += 64) {
      read_q8_0_keys<S>(row, first, keys + first * key_chunk + slot);
    }
    for (; all && first + 16 <= rows.elements; first += 16) {
      read_square<S>(
          keys + first * key_chunk + slot, 16, [&](int i) __attribute__((always_inline)) {
            return load_elements<S, F>(row[i], first);
          });
    }
    for (; first < rows.elements; first += 16) {
      read_square<S>(
          keys + first * key_chunk + slot,
          rows.elements - first, [&](int i) __attribute__((always_inline)) {
            return load_last<S, F>(rows, slot + i, first);
          });
    }
  }
}

template <class S, FormatId F>
void read_values_of(const StoredRows& rows, float* values) {
  const int stride = padded_width(rows.elements);
  for (int slot = 0; slot < key_chunk; ++slot, values += stride) {
    const std::byte* row = rows.row[slot];
    if (slot % 4 == 0) fetch_next(rows, slot, 4);
    int first = 0;
    for (; row != nullptr && first + 16 <= rows.elements; first += 16) {
      load_elements<S, F>(row, first).store(values + first);
    }
    for (; first < rows.elements; first += 16) {
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
