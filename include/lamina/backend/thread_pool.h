// ThreadPool: workers that share the indices of a loop. Which thread takes an index never changes a
// result.
//
// Indices are handed out one at a time by a counter, so that a slow core does not hold the others
// up. Who waits spins for some microseconds, since a model has hundreds of short loops a token, and
// then sleeps on the kernel's futex, so that other processes get the processor.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace lamina {

namespace detail {

/// Tells the processor that this is a loop that waits.
inline void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Returns when `value` is no longer `old`.
template <class T>
void wait_while(const std::atomic<T>& value, T old) {
  constexpr int spins = 2500;  // about 100 microseconds
  for (int i = 0; i < spins; ++i) {
    if (value.load(std::memory_order_acquire) != old) return;
    relax();
  }
  value.wait(old);
}

}  // namespace detail

/// How many of the `left` items of a loop to hand out next where long runs are fast, as in reading
/// memory: shares shrink with what is left, so that all threads end together (Polychronopoulos and
/// Kuck, "Guided self-scheduling", 1987, with half their share).
inline std::int64_t guided_share(std::int64_t left, int threads) { return left / (2 * threads); }

class ThreadPool {
 public:
  /// `threads` in all, the caller's among them; at least 1. Throws std::system_error where the
  /// system gives no more.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const { return static_cast<int>(workers_.size()) + 1; }

  /// Calls `body(i)` for each i in [0, count) and returns when all are done; rethrows the first
  /// exception. Must not be called from within a body.
  template <class Body>
  void for_each(std::int64_t count, const Body& body);

 private:
  using Call = void (*)(const void* body, std::int64_t index);

  void run(std::int64_t count, const void* body, Call call);
  void work();
  void serve();
  void join();

  std::vector<std::thread> workers_;
  std::mutex one_loop_;  // loops of different callers take turns
  std::atomic<std::uint32_t> generation_{0};
  std::atomic<int> busy_{0};
  std::atomic<std::int64_t> next_{0};
  std::atomic<bool> stop_{false};
  std::int64_t count_ = 0;
  const void* body_ = nullptr;
  Call call_ = nullptr;
  std::mutex failure_mutex_;
  std::exception_ptr failure_;
};

inline ThreadPool::ThreadPool(int threads) {
  try {
    for (int i = 1; i < threads; ++i) workers_.emplace_back([this] { serve(); });
  } catch (...) {  // the system has no more threads: those that started must not outlive the pool
    join();
    throw;
  }
}

inline ThreadPool::~ThreadPool() { join(); }

inline void ThreadPool::join() {
  stop_ = true;
  ++generation_;
  generation_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

template <class Body>
void ThreadPool::for_each(std::int64_t count, const Body& body) {
  run(count, &body, [](const void* b, std::int64_t i) { (*static_cast<const Body*>(b))(i); });
}

inline void ThreadPool::run(std::int64_t count, const void* body, Call call) {
  if (workers_.empty() || count <= 1) {
    for (std::int64_t i = 0; i < count; ++i) call(body, i);
    return;
  }
  const std::lock_guard turn(one_loop_);
  count_ = count;
  body_ = body;
  call_ = call;
  failure_ = nullptr;
  next_ = 0;
  busy_ = static_cast<int>(workers_.size());
  ++generation_;
  generation_.notify_all();
  work();
  for (int busy = busy_; busy != 0; busy = busy_) detail::wait_while(busy_, busy);
  if (failure_) std::rethrow_exception(failure_);
}

inline void ThreadPool::work() {
  try {
    for (std::int64_t i = next_++; i < count_; i = next_++) call_(body_, i);
  } catch (...) {
    const std::lock_guard lock(failure_mutex_);
    if (!failure_) failure_ = std::current_exception();
    next_ = count_;
  }
}

inline void ThreadPool::serve() {
  std::uint32_t seen = 0;
  for (;;) {
    detail::wait_while(generation_, seen);
    seen = generation_;
    if (stop_) return;
    work();
    if (--busy_ == 0) busy_.notify_all();
  }
}

}  // namespace lamina
