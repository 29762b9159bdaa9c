// RingKv: the newest positions of a sequence, for sliding-window attention.
//
// A query at position p sees the keys p - window + 1 .. p. Appending n positions at once overwrites
// the oldest, and the first of the n queries still needs window - 1 keys before it: hence capacity
// = window + longest append - 1. A rollback is exact while the keys that the next query needs are
// still there; one that leaves nothing to see, such as to 0, always is.
#pragma once

#include "lamina/kv/store.h"

#include <algorithm>
#include <cstdint>

namespace lamina {

class RingKv {
 public:
  RingKv() = default;
  RingKv(const KvRow& row, int layers, Position window, Position longest_append)
      : page_(row, layers, capacity(window, longest_append)),
        window_(window),
        longest_append_(longest_append) {}

  /// Positions that must be kept.
  static Position capacity(Position window, Position longest_append) {
    const auto positions = std::int64_t{window} + longest_append - 1;
    return static_cast<Position>(std::min<std::int64_t>(positions, last_position));
  }

  Position length() const { return length_; }
  KvView view(int layer) const { return page_.view(layer, first_, length_); }
  void append(Position count);
  void rollback(Position length);
  RingKv fork() const;

 private:
  SinglePage page_;
  Position window_ = 0;
  Position longest_append_ = 0;
  Position first_ = 0;  // the oldest position not overwritten
  Position length_ = 0;
};

static_assert(KvStore<RingKv>);

inline void RingKv::append(Position count) {
  if (count < 0 || count > longest_append_) {
    throw Error("a sliding-window store takes at most " + std::to_string(longest_append_) +
                " tokens at once, not " + std::to_string(count) + ": append them in parts");
  }
  length_ += count;
  first_ = std::max(first_, length_ - page_.capacity());
}

inline void RingKv::rollback(Position length) {
  if (length < 0 || length > length_) refuse_rollback(length_, length);
  const Position needed = std::max(0, length - window_ + 1);
  if (needed < first_ && needed < length) {
    throw Error("cannot roll back from " + std::to_string(length_) + " to " +
                std::to_string(length) + ": the sliding window needs position " +
                std::to_string(needed) + ", the oldest one kept is " + std::to_string(first_) +
                "; fork the sequence before going on");
  }
  length_ = length;
  first_ = std::min(first_, length);
}

inline RingKv RingKv::fork() const {
  RingKv twin;
  twin.page_ = page_.copy(first_, length_);
  twin.window_ = window_;
  twin.longest_append_ = longest_append_;
  twin.first_ = first_;
  twin.length_ = length_;
  return twin;
}

}  // namespace lamina
