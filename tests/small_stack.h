// Work on a stack of a given size: what recurses too deep dies here, and not on a user's machine.
#pragma once

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <functional>

#include <pthread.h>

namespace lamina::test {

/// Runs `work` in a thread whose stack has `size` bytes.
inline void on_stack(std::size_t size, const std::function<void()>& work) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, size);
  pthread_t thread;
  const auto start = [](void* given) -> void* {
    (*static_cast<const std::function<void()>*>(given))();
    return nullptr;
  };
  void* argument = const_cast<std::function<void()>*>(&work);
  BOOST_TEST_REQUIRE(pthread_create(&thread, &attributes, start, argument) == 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

}  // namespace lamina::test
