// Memory that grows and is used again.
#pragma once

#include "lamina/core/buffer.h"

#include <cstddef>

namespace lamina {

class ReusedBuffer {
 public:
  /// At least that many bytes, aligned as a Buffer is; what they held before is lost where it
  /// grows.
  std::byte* of(std::size_t bytes) {
    if (memory_.size() < bytes) memory_ = Buffer(bytes);
    return memory_.data();
  }
  float* floats(std::size_t count) { return reinterpret_cast<float*>(of(count * sizeof(float))); }

 private:
  Buffer memory_;
};

}  // namespace lamina
