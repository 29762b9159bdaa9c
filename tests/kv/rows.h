// Rows of keys and values for tests of stores: what to write, and what must be read back.
#pragma once

#include "lamina/kv/view.h"
#include "lamina/verify/inputs.h"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <vector>

namespace lamina::test {

inline constexpr FormatId kv_formats[] = {FormatId::f32, FormatId::f16, FormatId::bf16,
                                          FormatId::q8_0, FormatId::q4_0};

/// One head's key and value at one position.
struct HeadRow {
  std::vector<float> key, value;

  bool operator==(const HeadRow&) const = default;
};

/// Normal numbers that depend on the stamp alone.
inline HeadRow stamped(const KvRow& row, std::uint64_t stamp) {
  HeadRow result{std::vector<float>(static_cast<std::size_t>(row.key_dim)),
                 std::vector<float>(static_cast<std::size_t>(row.value_dim))};
  fill(result.key, InputKind::normal, 2 * stamp);
  fill(result.value, InputKind::normal, 2 * stamp + 1);
  return result;
}

/// encode, then decode, block by block: a short last block is filled up with zeros.
inline std::vector<float> rounded(FormatId format, const std::vector<float>& values) {
  std::vector<float> result;
  Formats::visit(format, [&]<class Q>() {
    if constexpr (EncodableFormat<Q>) {
      constexpr auto size = static_cast<std::size_t>(Q::block_size);
      for (std::size_t i = 0; i < values.size(); i += size) {
        float block[size] = {}, decoded[size];
        const std::size_t n = std::min(size, values.size() - i);
        std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(i), n, block);
        Q::decode(Q::encode(block), decoded);
        result.insert(result.end(), decoded, decoded + n);
      }
    }
  });
  return result;
}

inline HeadRow rounded(const KvRow& row, const HeadRow& head) {
  return {rounded(row.key_format, head.key), rounded(row.value_format, head.value)};
}

inline void write(const KvView& kv, int head, Position p, const HeadRow& row) {
  write_kv(kv, head, p, row.key.data(), row.value.data());
}

inline HeadRow read(const KvView& kv, int head, Position p) {
  HeadRow result{std::vector<float>(static_cast<std::size_t>(kv.row.key_dim)),
                 std::vector<float>(static_cast<std::size_t>(kv.row.value_dim))};
  read_key(kv, head, p, result.key.data());
  read_value(kv, head, p, result.value.data());
  return result;
}

/// Writes every head of [first, end); heads, positions and stamps all differ.
inline void write_stamped(const KvView& kv, Position first, Position end, std::uint64_t stamp) {
  for (Position p = first; p < end; ++p) {
    for (int head = 0; head < kv.row.kv_heads; ++head) {
      const auto own = (stamp * 1000 + static_cast<std::uint64_t>(p)) * 16;
      write(kv, head, p, stamped(kv.row, own + static_cast<std::uint64_t>(head)));
    }
  }
}

/// Whether [first, end) reads back as write_stamped wrote it.
inline bool holds_stamped(const KvView& kv, Position first, Position end, std::uint64_t stamp) {
  for (Position p = first; p < end; ++p) {
    for (int head = 0; head < kv.row.kv_heads; ++head) {
      const auto own = (stamp * 1000 + static_cast<std::uint64_t>(p)) * 16;
      const HeadRow row = stamped(kv.row, own + static_cast<std::uint64_t>(head));
      if (read(kv, head, p) != rounded(kv.row, row)) return false;
    }
  }
  return true;
}

}  // namespace lamina::test
