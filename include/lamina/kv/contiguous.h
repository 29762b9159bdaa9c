// ContiguousKv: every position of a sequence, in order, up to a fixed capacity. For full attention.
#pragma once

#include "lamina/kv/store.h"

namespace lamina {

class ContiguousKv {
 public:
  ContiguousKv() = default;
  ContiguousKv(const KvRow& row, int layers, Position capacity) : page_(row, layers, capacity) {}

  Position length() const { return length_; }
  KvView view(int layer) const { return page_.view(layer, 0, length_); }
  void append(Position count);
  void rollback(Position length);
  ContiguousKv fork() const;

 private:
  SinglePage page_;
  Position length_ = 0;
};

static_assert(KvStore<ContiguousKv>);

inline void ContiguousKv::append(Position count) {
  if (count < 0 || count > page_.capacity() - length_)
    refuse_append(length_, count, page_.capacity());
  length_ += count;
}

inline void ContiguousKv::rollback(Position length) {
  if (length < 0 || length > length_) refuse_rollback(length_, length);
  length_ = length;
}

inline ContiguousKv ContiguousKv::fork() const {
  ContiguousKv twin;
  twin.page_ = page_.copy(0, length_);
  twin.length_ = length_;
  return twin;
}

}  // namespace lamina
