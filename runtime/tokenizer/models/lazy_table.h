// LazyTable: numbers that are found out when they are first asked for.
//
// Any number of threads may ask at once: whoever finds one unknown works it out, and all come to
// the same answer.
#pragma once

#include <atomic>
#include <cstddef>
#include <limits>
#include <vector>

namespace lamina {

template <class Value>
class LazyTable {
 public:
  explicit LazyTable(std::size_t count) : slots_(count) {}

  /// Number `i`; where it is not known yet, what `find_out()` says, which is not the lowest there
  /// is.
  template <class FindOut>
  Value get(std::size_t i, const FindOut& find_out) const {
    std::atomic<Value>& slot = slots_[i].value;
    const Value known = slot.load(std::memory_order_relaxed);
    if (known != unknown) return known;
    const Value found = find_out();
    slot.store(found, std::memory_order_relaxed);
    return found;
  }

 private:
  static constexpr Value unknown = std::numeric_limits<Value>::min();

  struct Slot {
    std::atomic<Value> value{unknown};
  };

  mutable std::vector<Slot> slots_;
};

}  // namespace lamina
