// How long a thread has computed: unlike the clock on the wall, other programs do not slow it.
#pragma once

#include "tests/sanitized.h"

#include <ctime>

namespace lamina::test {

class CpuTime {
 public:
  CpuTime() : start_(now()) {}
  double seconds() const { return now() - start_; }

 private:
  static double now() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }
  double start_;
};

/// Seconds that something may take here: sanitizers slow it down.
constexpr double limit(double seconds) { return sanitized ? 10 * seconds : seconds; }

}  // namespace lamina::test
