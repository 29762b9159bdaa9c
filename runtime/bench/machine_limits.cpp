// Rounds of reading and of arithmetic, on a pool of their own.
#include "runtime/bench/machine_limits.h"

#include "lamina/backend/cpu/kernels.h"
#include "lamina/backend/cpu/panel/memory.h"
#include "lamina/backend/thread_pool.h"
#include "lamina/core/error.h"
#include "runtime/system.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstring>

namespace lamina {
namespace {

constexpr std::int64_t piece = 1 << 20;  // bytes

template <class Body>
double seconds_of(const Body& body) {
  const auto start = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Calls `round` that often, or until it is enough, and returns the least seconds.
template <class Round>
double best_of(const LimitsEffort& effort, const Round& round) {
  double best = seconds_of(round);
  for (int i = 1; i < effort.rounds && !effort.interrupted(); ++i) {
    best = std::min(best, seconds_of(round));
  }
  return best;
}

double read_gbps(ThreadPool& pool, const PeakKernels& peaks, const LimitsEffort& effort) {
  const std::int64_t pieces =
      std::max<std::int64_t>(1, static_cast<std::int64_t>(effort.bytes) / piece);
  const PanelMemory memory(static_cast<std::size_t>(pieces * piece));
  // Written first: pages that were never written share one page of zeros.
  pool.for_each(pieces, [&](std::int64_t i) {
    std::memset(memory.data() + i * piece, 1, static_cast<std::size_t>(piece));
  });
  std::atomic<std::uint32_t> sum{0};
  const double seconds = best_of(effort, [&] {
    pool.for_each(pieces,
                  [&](std::int64_t i) { sum += peaks.sum(memory.data() + i * piece, piece); });
  });
  return static_cast<double>(pieces * piece) / seconds / 1e9;
}

/// Operations a second, in units of 1e9, of all threads: each round is cut into more parts than
/// there are threads, so that none waits long for the last.
double arithmetic_rate(ThreadPool& pool, void (*kernel)(PeakOperands&, std::int64_t),
                       int operations, const LimitsEffort& effort) {
  PeakOperands trial;
  constexpr std::int64_t few = 2000;
  kernel(trial, few);  // wakes the units up
  const double each = std::max(1e-12, seconds_of([&] { kernel(trial, few); }) / few);
  const std::int64_t parts = 8 * pool.threads();
  const auto rounds =
      std::max<std::int64_t>(few, static_cast<std::int64_t>(effort.seconds / 8 / each));
  const double seconds = best_of(effort, [&] {
    pool.for_each(parts, [&](std::int64_t) {
      PeakOperands operands;
      kernel(operands, rounds);
    });
  });
  return static_cast<double>(parts * rounds * operations) / seconds / 1e9;
}

}  // namespace

std::uint64_t bytes_to_read(std::uint64_t asked) {
  const std::uint64_t most = available_memory() / 2;
  if (asked > most) {
    throw Error(fmt::format("--read-buffer {}: the half of the free memory is {}; expected less",
                            readable_size(asked), readable_size(most)));
  }
  if (asked > 0) return asked;
  const std::uint64_t wanted = std::max<std::uint64_t>(1u << 30, 4 * last_level_cache());
  return std::min(wanted, most / 2);
}

MachineLimits measure_limits(const CpuKernels& kernels, int threads, const LimitsEffort& effort) {
  ThreadPool pool(threads);
  const PeakKernels& peaks = kernels.panels.peaks;
  return {.threads = threads,
          .isa = std::string(kernels.isa),
          .read_gbps = read_gbps(pool, peaks, effort),
          .int8_gops = arithmetic_rate(pool, peaks.dot, peaks.dot_operations, effort),
          .float_gflops = arithmetic_rate(pool, peaks.fma, peaks.fma_operations, effort)};
}

}  // namespace lamina
