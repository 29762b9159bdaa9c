// KvStore: what a sequence remembers of a group of layers. It places positions; kernels read and
// write them.
//
// Every operation is exact or refuses by throwing Error: `append` where the store is full,
// `rollback` where what a later query needs has been overwritten.
#pragma once

#include "lamina/core/buffer.h"
#include "lamina/core/error.h"
#include "lamina/kv/view.h"

#include <concepts>
#include <cstddef>
#include <cstring>
#include <limits>
#include <string>

namespace lamina {

template <class S>
concept KvStore = requires(S store, const S& past, int layer, Position position) {
  { past.length() } -> std::same_as<Position>;  // positions appended so far
  { past.view(layer) } -> std::same_as<KvView>;
  { store.append(position) } -> std::same_as<void>;    // makes room for that many more positions
  { store.rollback(position) } -> std::same_as<void>;  // forgets every position from there on
  { past.fork() } -> std::same_as<S>;                  // an exact copy
};

/// Copies positions [first, end) of every head from one store's view to another's of the same row.
inline void copy_positions(const KvView& to, const KvView& from, Position first, Position end) {
  for (int head = 0; head < from.row.kv_heads; ++head) {
    for (Position p = first; p < end; ++p) {
      std::memcpy(to.key(head, p), from.key(head, p), from.key_stride);
      std::memcpy(to.value(head, p), from.value(head, p), from.value_stride);
    }
  }
}

/// Memory for `layers` layers of one page each: what the contiguous and the ring store share.
class SinglePage {
 public:
  SinglePage() = default;
  SinglePage(const KvRow& row, int layers, Position capacity)
      : row_(row), layers_(layers), capacity_(capacity), memory_(bytes(row, layers, capacity)) {}

  /// Bytes of such a page; the largest number where the true one is larger still, so that asking
  /// for it fails.
  static std::size_t bytes(const KvRow& row, int layers, Position capacity) {
    std::size_t size = row.bytes();
    const bool fits = !__builtin_mul_overflow(size, static_cast<std::size_t>(layers), &size) &&
                      !__builtin_mul_overflow(size, static_cast<std::size_t>(capacity), &size);
    return fits ? size : std::numeric_limits<std::size_t>::max();
  }
  KvView view(int layer, Position first, Position end) const;
  const KvRow& row() const { return row_; }
  int layers() const { return layers_; }
  Position capacity() const { return capacity_; }
  /// A copy that holds positions [first, end) of every layer.
  SinglePage copy(Position first, Position end) const;

 private:
  static constexpr std::int32_t only_page = 0;
  KvRow row_;
  int layers_ = 0;
  Position capacity_ = 0;
  Buffer memory_;
};

inline KvView SinglePage::view(int layer, Position first, Position end) const {
  const std::size_t layer_bytes = bytes(row_, 1, capacity_);
  return {.memory = memory_.data() + static_cast<std::size_t>(layer) * layer_bytes,
          .pages = &only_page,
          .page_count = 1,
          .page_size = capacity_,
          .first = first,
          .end = end,
          .row = row_,
          .key_stride = row_.key_bytes(),
          .value_stride = row_.value_bytes()};
}

inline SinglePage SinglePage::copy(Position first, Position end) const {
  SinglePage twin(row_, layers_, capacity_);
  for (int l = 0; l < layers_; ++l) {
    copy_positions(twin.view(l, first, end), view(l, first, end), first, end);
  }
  return twin;
}

/// The refusal of an append that does not fit.
[[noreturn]] inline void refuse_append(Position length, Position count, Position capacity) {
  throw Error("the sequence holds " + std::to_string(length) + " of at most " +
              std::to_string(capacity) + " tokens; " + std::to_string(count) +
              " more do not fit: open it with a larger context");
}

/// The refusal of a rollback past the end.
[[noreturn]] inline void refuse_rollback(Position length, Position to) {
  throw Error("cannot roll back to " + std::to_string(to) + ": the sequence holds " +
              std::to_string(length) + " tokens");
}

}  // namespace lamina
