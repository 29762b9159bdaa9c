// Progress: a line on the terminal that says what takes so long. Elsewhere nothing is printed.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>

namespace lamina {

struct ProgressPlace {
  std::FILE* stream = stderr;
  bool shown = false;                     // usually whether the stream is a terminal
  std::chrono::milliseconds delay{1000};  // before the first sign
};

/// stderr, where it is a terminal.
ProgressPlace progress_on_terminal();

/// Shows "what: 3 s" or "what: 40 %" from the delay on until it is destroyed, then clears the line.
class Progress {
 public:
  explicit Progress(std::string what, ProgressPlace place = progress_on_terminal());
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// How far it is; 0 of 0 where that is unknown.
  void set(std::int64_t done, std::int64_t total);

 private:
  void show_until_done();
  std::string line(std::chrono::steady_clock::duration elapsed) const;

  std::string what_;
  ProgressPlace place_;
  std::atomic<std::int64_t> permille_{-1};
  std::mutex mutex_;
  std::condition_variable done_changed_;
  bool done_ = false;
  std::thread thread_;  // last: it uses the members above
};

}  // namespace lamina
