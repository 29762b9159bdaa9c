// KvView: where the keys and values of one layer of one sequence lie. All that kernels know of a KV
// store.
//
// Memory is cut into pages of `page_size` positions. Position p lies in slot p % page_size of page
// pages[(p / page_size) % page_count]: a contiguous store is one page that never wraps, a ring is
// one that does, and a paged store has a table. A page holds the keys as [kv_heads][page_size]
// rows, then the values likewise; a row is one head at one position, in whole blocks of its format
// (the last may be used in part).
#pragma once

#include "lamina/core/types.h"
#include "lamina/quant/formats.h"

#include <cstddef>
#include <cstdint>

namespace lamina {

/// What one position of one layer stores.
struct KvRow {
  int kv_heads = 0;
  int key_dim = 0;    // elements of a key head
  int value_dim = 0;  // elements of a value head
  FormatId key_format = FormatId::f32;
  FormatId value_format = FormatId::f32;

  std::size_t key_bytes() const { return row_bytes(key_format, key_dim); }
  std::size_t value_bytes() const { return row_bytes(value_format, value_dim); }
  /// Bytes of one position of one layer.
  std::size_t bytes() const {
    return static_cast<std::size_t>(kv_heads) * (key_bytes() + value_bytes());
  }
  static std::size_t row_bytes(FormatId format, int count) {
    return static_cast<std::size_t>(bytes_of_row(format, count));
  }
};

struct KvView {
  std::byte* memory = nullptr;
  const std::int32_t* pages = nullptr;  // [page_count]
  int page_count = 0;
  int page_size = 0;   // positions
  Position first = 0;  // positions [first, end) may be read
  Position end = 0;
  KvRow row = {};
  std::size_t key_stride = 0;    // bytes of a key row
  std::size_t value_stride = 0;  // bytes of a value row

  std::byte* page(Position p) const {
    const auto index = static_cast<std::size_t>(pages[(p / page_size) % page_count]);
    const auto rows = static_cast<std::size_t>(row.kv_heads) * static_cast<std::size_t>(page_size);
    return memory + index * rows * (key_stride + value_stride);
  }
  std::byte* key(int head, Position p) const { return page(p) + slot(head, p) * key_stride; }
  std::byte* value(int head, Position p) const {
    const auto keys = static_cast<std::size_t>(row.kv_heads) * static_cast<std::size_t>(page_size);
    return page(p) + keys * key_stride + slot(head, p) * value_stride;
  }

 private:
  std::size_t slot(int head, Position p) const {
    return static_cast<std::size_t>(head) * static_cast<std::size_t>(page_size) +
           static_cast<std::size_t>(p % page_size);
  }
};

/// Stores one head's key and value at position `p`, rounded to the store's formats.
inline void write_kv(const KvView& kv, int head, Position p, const float* key, const float* value) {
  encode_row(kv.row.key_format, key, kv.row.key_dim, kv.key(head, p));
  encode_row(kv.row.value_format, value, kv.row.value_dim, kv.value(head, p));
}

/// One head's key at position `p` as every attention sees it: after rounding. `key` is [key_dim].
inline void read_key(const KvView& kv, int head, Position p, float* key) {
  decode_row(kv.row.key_format, kv.key(head, p), kv.row.key_dim, key);
}

/// The value, likewise; `value` is [value_dim].
inline void read_value(const KvView& kv, int head, Position p, float* value) {
  decode_row(kv.row.value_format, kv.value(head, p), kv.row.value_dim, value);
}

}  // namespace lamina
