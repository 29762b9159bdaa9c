// Buffer: uninitialised, aligned memory that a KV store or a repacked weight owns.
//
// Pages are touched when they are written, so that a long context costs memory only as it fills.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace lamina {

class Buffer {
 public:
  static constexpr std::size_t alignment = 64;  // bytes: a cache line, and the widest vector

  Buffer() = default;
  /// Throws std::bad_alloc where the system has no such memory.
  explicit Buffer(std::size_t bytes);

  std::byte* data() const { return memory_.get(); }
  std::size_t size() const { return size_; }

 private:
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  std::unique_ptr<std::byte, Free> memory_;
  std::size_t size_ = 0;
};

inline Buffer::Buffer(std::size_t bytes) : size_(bytes) {
  if (bytes == 0) return;
  const std::size_t whole = (bytes + alignment - 1) / alignment * alignment;
  if (whole < bytes) throw std::bad_alloc();
  memory_.reset(static_cast<std::byte*>(std::aligned_alloc(alignment, whole)));
  if (memory_ == nullptr) throw std::bad_alloc();
}

}  // namespace lamina
