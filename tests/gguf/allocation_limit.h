// The memory that this test program asks for: no single request may be over 64 MiB.
//
// The program's operator new (allocation_limit.cpp) refuses such a request with std::bad_alloc and
// remembers it.
#pragma once

#include <cstddef>

namespace lamina::test {

inline constexpr std::size_t allocation_limit = std::size_t{64} << 20;  // bytes

/// What was asked for since the object was made.
class AllocationWatch {
 public:
  AllocationWatch();

  /// Most bytes held at once, beyond those held at the start.
  std::size_t peak() const;

  /// Whether a request over the limit was made.
  bool refused() const;

 private:
  std::size_t start_;
};

}  // namespace lamina::test
