// Buffer: alignment, size, ownership, and a refusal where there is no such memory.
#include "lamina/core/buffer.h"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

// Asked by the sanitizer, if there is one: it would end the program where the system's allocator
// answers null.
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }

using namespace lamina;

BOOST_AUTO_TEST_SUITE(buffer)

static_assert(!std::is_copy_constructible_v<Buffer>);  // a copy would be gigabytes, unasked
static_assert(std::is_nothrow_move_constructible_v<Buffer>);

BOOST_AUTO_TEST_CASE(every_size_is_aligned_and_its_own) {
  std::vector<Buffer> buffers;
  for (const std::size_t size : {1u, 2u, 63u, 64u, 65u, 1000u, 4096u, 100'003u}) {
    buffers.emplace_back(size);
    BOOST_TEST(buffers.back().size() == size);
    BOOST_TEST(reinterpret_cast<std::uintptr_t>(buffers.back().data()) % Buffer::alignment == 0u);
    std::memset(buffers.back().data(), static_cast<int>(buffers.size()), size);
  }
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const auto mark = static_cast<std::byte>(i + 1);
    BOOST_TEST((buffers[i].data()[0] == mark));
    BOOST_TEST((buffers[i].data()[buffers[i].size() - 1] == mark));
  }
}

BOOST_AUTO_TEST_CASE(nothing_takes_nothing) {
  for (const Buffer& buffer : {Buffer(), Buffer(0)}) {
    BOOST_TEST(buffer.size() == 0u);
    BOOST_TEST(buffer.data() == nullptr);
  }
}

BOOST_AUTO_TEST_CASE(moving_takes_the_memory_along) {
  Buffer from(100);
  std::byte* memory = from.data();
  const Buffer to = std::move(from);
  BOOST_TEST(to.data() == memory);
  BOOST_TEST(to.size() == 100u);
}

// Half the address space, and sizes that overflow when they are rounded up.
BOOST_AUTO_TEST_CASE(absurd_sizes_are_refused) {
  const std::size_t most = std::numeric_limits<std::size_t>::max();
  for (const std::size_t size : {most / 2, most / 2 + 1, most - 64, most - 62, most - 1, most}) {
    BOOST_CHECK_THROW(Buffer{size}, std::bad_alloc);
  }
}

BOOST_AUTO_TEST_SUITE_END()
