// The program's operator new: counts what is held and refuses single requests over the limit.
#include "gguf/allocation_limit.h"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstdlib>
#include <new>
#include <vector>

#include <malloc.h>

namespace {

std::atomic<std::size_t> held{0};  // bytes
std::atomic<std::size_t> most_held{0};
std::atomic<bool> was_refused{false};

void* counted(void* memory) {
  if (memory == nullptr) return nullptr;
  const std::size_t now = held += malloc_usable_size(memory);
  std::size_t most = most_held;
  while (now > most && !most_held.compare_exchange_weak(most, now)) {
  }
  return memory;
}

bool too_large(std::size_t size) {
  if (size <= lamina::test::allocation_limit) return false;
  was_refused = true;
  return true;
}

void* allocate(std::size_t size) noexcept {
  return too_large(size) ? nullptr : counted(std::malloc(size > 0 ? size : 1));
}

void* allocate(std::size_t size, std::align_val_t alignment) noexcept {
  const auto boundary = static_cast<std::size_t>(alignment);
  const std::size_t whole = (size / boundary + 1) * boundary;
  return too_large(size) ? nullptr : counted(std::aligned_alloc(boundary, whole));
}

void* or_throw(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void release(void* memory) noexcept {
  if (memory != nullptr) held -= malloc_usable_size(memory);
  std::free(memory);
}

}  // namespace

void* operator new(std::size_t size) { return or_throw(allocate(size)); }
void* operator new[](std::size_t size) { return or_throw(allocate(size)); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void* operator new(std::size_t size, std::align_val_t a) { return or_throw(allocate(size, a)); }
void* operator new[](std::size_t size, std::align_val_t a) { return or_throw(allocate(size, a)); }
void operator delete(void* memory) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { release(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }

namespace lamina::test {

AllocationWatch::AllocationWatch() : start_(held) {
  most_held = start_;
  was_refused = false;
}

std::size_t AllocationWatch::peak() const { return most_held - start_; }

bool AllocationWatch::refused() const { return was_refused; }

}  // namespace lamina::test

BOOST_AUTO_TEST_SUITE(allocations)

BOOST_AUTO_TEST_CASE(refuses_and_remembers_large_requests) {
  using namespace lamina::test;
  const AllocationWatch small;
  std::vector<char> block;
  block.resize(std::size_t{1} << 20);
  BOOST_TEST(!small.refused());
  BOOST_TEST(small.peak() >= std::size_t{1} << 20);
  BOOST_TEST(small.peak() < std::size_t{2} << 20);

  const AllocationWatch large;
  BOOST_CHECK_THROW(block.reserve(allocation_limit + 1), std::bad_alloc);
  BOOST_TEST(large.refused());
}

BOOST_AUTO_TEST_SUITE_END()
