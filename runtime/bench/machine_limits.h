// MachineLimits: what this machine does at most with so many threads, measured by doing nothing
// else.
//
// read: a buffer of 1 GiB, or four times the last-level cache where that is more (but at most a
// quarter of the memory that is free), is added up by all threads, in pieces of 1 MiB that they
// take in turns. int8 and float: the instruction set's multiply-adds on registers (PeakKernels).
// Each is the best of several rounds. A multiply-add is two operations.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace lamina {

struct CpuKernels;

struct MachineLimits {
  int threads = 1;
  std::string isa;
  double read_gbps = 0;
  double int8_gops = 0;
  double float_gflops = 0;
};

struct LimitsEffort {
  std::uint64_t bytes = 0;                                   // of the buffer that is read
  int rounds = 5;                                            // the best one counts
  double seconds = 0.05;                                     // of a round of arithmetic, about
  std::function<bool()> interrupted = [] { return false; };  // then fewer rounds are enough
};

/// The size the first paragraph gives, for this machine; or `asked` bytes, where that is not 0.
/// Throws Error where half of the memory that is free has no room for them.
std::uint64_t bytes_to_read(std::uint64_t asked = 0);

MachineLimits measure_limits(const CpuKernels& kernels, int threads, const LimitsEffort& effort);

}  // namespace lamina
