// A KvView laid out by hand: contiguous, a ring, pages in any order.
#pragma once

#include "lamina/kv/view.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lamina::test {

/// Where positions lie; page numbers index a pool of `pool` pages.
struct Layout {
  std::string name;
  int page_size = 0;
  std::vector<std::int32_t> pages;
  int pool = 1;
  Position first = 0, end = 0;
};

/// A view with memory of its own, between guards of 64 bytes; every byte is `filling` at first.
class Placed {
 public:
  Placed(const Layout& layout, const KvRow& row, std::byte filling = std::byte{0xee})
      : layout_(layout) {
    const auto positions = static_cast<std::size_t>(layout_.pool * layout_.page_size);
    bytes_.assign(64 + row.bytes() * positions + 64, filling);
    view_ = {.memory = bytes_.data() + 64,
             .pages = layout_.pages.data(),
             .page_count = static_cast<int>(layout_.pages.size()),
             .page_size = layout_.page_size,
             .first = layout_.first,
             .end = layout_.end,
             .row = row,
             .key_stride = row.key_bytes(),
             .value_stride = row.value_bytes()};
  }
  Placed(const Placed&) = delete;

  const KvView& view() const { return view_; }
  std::vector<std::byte>& bytes() { return bytes_; }
  std::size_t offset(const std::byte* at) const {
    return static_cast<std::size_t>(at - bytes_.data());
  }

 private:
  Layout layout_;
  std::vector<std::byte> bytes_;
  KvView view_;
};

}  // namespace lamina::test
