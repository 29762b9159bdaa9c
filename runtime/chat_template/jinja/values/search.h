// Searching a text for another in a time that grows with both and not with their product.
//
// The failure function of Knuth, Morris and Pratt (Fast pattern matching in strings, 1977): behind
// each start of what is wanted, how long its longest border is.
#pragma once

#include "runtime/chat_template/jinja/values/heap.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace lamina::jinja {

class Search {
 public:
  /// `wanted` must outlive this. From the right, the places are found last to first.
  Search(Heap& heap, std::string_view wanted, bool from_right = false);

  /// Where `wanted` begins first in `all`, seen from the side of the search; npos where nowhere.
  std::size_t first(std::string_view all) const;

 private:
  template <class Iterator>
  Iterator end_of_match(Iterator begin, Iterator end, Iterator wanted) const;

  Heap& heap_;
  const std::string_view wanted_;
  const bool from_right_;
  const Held memory_;
  std::vector<std::uint32_t> borders_;
};

}  // namespace lamina::jinja
