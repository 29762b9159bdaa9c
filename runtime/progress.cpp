// A thread that draws the line; the work itself never waits for it.
#include "runtime/progress.h"

#include <fmt/format.h>

#include <unistd.h>

#include <utility>

namespace lamina {

ProgressPlace progress_on_terminal() { return {.shown = isatty(STDERR_FILENO) != 0}; }

Progress::Progress(std::string what, ProgressPlace place) : what_(std::move(what)), place_(place) {
  if (place_.shown) thread_ = std::thread([this] { show_until_done(); });
}

Progress::~Progress() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  done_changed_.notify_one();
  thread_.join();
}

void Progress::set(std::int64_t done, std::int64_t total) {
  permille_ = total > 0 ? done * 1000 / total : -1;
}

std::string Progress::line(std::chrono::steady_clock::duration elapsed) const {
  const std::int64_t permille = permille_;
  if (permille >= 0) return fmt::format("{}: {} %", what_, permille / 10);
  return fmt::format("{}: {} s", what_,
                     std::chrono::duration_cast<std::chrono::seconds>(elapsed).count());
}

void Progress::show_until_done() {
  const auto start = std::chrono::steady_clock::now();
  auto pause = place_.delay;
  bool drawn = false;
  std::unique_lock lock(mutex_);
  while (!done_changed_.wait_for(lock, pause, [this] { return done_; })) {
    // Back to the start of the line, the text, and erase what a longer one left.
    fmt::print(place_.stream, "\r{}\x1b[K", line(std::chrono::steady_clock::now() - start));
    std::fflush(place_.stream);
    drawn = true;
    pause = std::chrono::milliseconds(200);
  }
  if (!drawn) return;
  fmt::print(place_.stream, "\r\x1b[K");
  std::fflush(place_.stream);
}

}  // namespace lamina
