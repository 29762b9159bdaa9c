// PanelMemory: where panels lie: large, aligned, and in huge pages where the system gives them.
#pragma once

#include "lamina/core/buffer.h"

#include <cstddef>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace lamina {

class PanelMemory {
 public:
  PanelMemory() = default;
  /// Throws std::bad_alloc where the system has no such memory.
  explicit PanelMemory(std::size_t bytes) : memory_(bytes + huge_page) {
    const auto at = reinterpret_cast<std::uintptr_t>(memory_.data());
    start_ = memory_.data() + (huge_page - at % huge_page) % huge_page;
#if defined(__linux__)
    // Best effort: without it the panels are as right, and a little slower to read.
    if (bytes >= huge_page) madvise(start_, bytes / huge_page * huge_page, MADV_HUGEPAGE);
#endif
  }

  std::byte* data() const { return start_; }

 private:
  static constexpr std::size_t huge_page = 2 << 20;

  Buffer memory_;
  std::byte* start_ = nullptr;
};

}  // namespace lamina
