// QuantFormat: what it means to be a weight format, and how a list of formats is dispatched.
//
// A row of a tensor is a run of blocks; a block is `block_size` weights packed into sizeof(Block)
// bytes. `decode` is the definition of the format. Anything faster is a separate function that must
// give the same values for every code. The products inside a decode (an 11-bit float16 scale, a
// sub-block's scale of at most 7 bits, a code of at most 5) fit the 24 bits of a float: they are
// exact, only a final sum rounds, and a compiler that fuses product and sum cannot change a value.
#pragma once

#include "lamina/core/float16.h"
#include "lamina/core/format_id.h"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace lamina {

/// A weight format: bytes to floats.
template <class Q>
concept QuantFormat = std::is_trivially_copyable_v<typename Q::Block> &&
    requires(const typename Q::Block& block, float (&values)[Q::block_size]) {
  { Q::id } -> std::convertible_to<FormatId>;
  { Q::name } -> std::convertible_to<std::string_view>;
  { Q::decode(block, values) } -> std::same_as<void>;
};

/// A format that can also be written: `decode(encode(x))` is the format's best approximation of x.
template <class Q>
concept EncodableFormat = QuantFormat<Q> && requires(const float (&values)[Q::block_size]) {
  { Q::encode(values) } -> std::same_as<typename Q::Block>;
};

/// Whether the format agrees with the table of the container; each format asserts it beside its
/// definition.
template <QuantFormat Q>
constexpr bool matches_container() {
  // Not by find_format: g++ 12 with -fsanitize=undefined takes no comparison with null for a
  // constant.
  for (const FormatInfo& info : known_formats) {
    if (info.id != Q::id) continue;
    return info.name == Q::name && info.block_size == Q::block_size &&
           info.block_bytes == static_cast<int>(sizeof(typename Q::Block));
  }
  return false;
}

/// A set of formats, dispatched by the number in the file.
template <QuantFormat... Qs>
struct FormatList {
  /// Calls `f.template operator()<Q>()` for the format numbered `id`; false where the list has
  /// none.
  template <class F>
  static constexpr bool visit(FormatId id, F&& f) {
    return ((id == Qs::id && (f.template operator()<Qs>(), true)) || ...);
  }
  static constexpr bool contains(FormatId id) { return ((id == Qs::id) || ...); }

  /// Calls `f.template operator()<Q>()` for each format, in the order of the list.
  template <class F>
  static constexpr void for_each(F&& f) {
    (f.template operator()<Qs>(), ...);
  }
};

/// Bytes of a row of `cols` weights; a short last block counts whole.
template <QuantFormat Q>
LAMINA_HD constexpr std::int64_t bytes_of_row(std::int64_t cols) {
  const auto block_bytes = static_cast<std::int64_t>(sizeof(typename Q::Block));
  return (cols + Q::block_size - 1) / Q::block_size * block_bytes;
}

/// Decodes the first `count` weights of a row into `values`; the last block may be used in part.
///
/// Blocks are copied before they are read: rows of a file are aligned to no more than two bytes.
template <QuantFormat Q>
LAMINA_HD void decode_row(const std::byte* blocks, std::int64_t count, float* values) {
  using Values = float[Q::block_size];
  typename Q::Block block;
  std::int64_t i = 0;
  for (; i + Q::block_size <= count; i += Q::block_size, blocks += sizeof block) {
    std::memcpy(&block, blocks, sizeof block);
    Q::decode(block, *reinterpret_cast<Values*>(values + i));
  }
  if (i == count) return;
  Values last;
  std::memcpy(&block, blocks, sizeof block);
  Q::decode(block, last);
  for (std::int64_t j = 0; i + j < count; ++j) values[i + j] = last[j];
}

/// Encodes `count` floats into whole blocks; a short last block is filled up with zeros.
template <EncodableFormat Q>
LAMINA_HD void encode_row(const float* values, std::int64_t count, std::byte* blocks) {
  for (std::int64_t i = 0; i < count; i += Q::block_size, blocks += sizeof(typename Q::Block)) {
    float block_values[Q::block_size] = {};
    const std::int64_t n = count - i < Q::block_size ? count - i : Q::block_size;
    for (std::int64_t j = 0; j < n; ++j) block_values[j] = values[i + j];
    const typename Q::Block block = Q::encode(block_values);
    std::memcpy(blocks, &block, sizeof block);
  }
}

}  // namespace lamina
