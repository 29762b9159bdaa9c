// Every instruction set of this machine: its kernels do what they count, and a rate comes of it.
#include "runtime/bench/machine_limits.h"

#include "message_of.h"
#include "runtime/instances/shared/kernels.h"
#include "runtime/system.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

namespace lamina {
namespace {

BOOST_AUTO_TEST_SUITE(machine_limits)

BOOST_AUTO_TEST_CASE(kernels_do_the_operations_they_count) {
  for (const CpuKernels& kernels : usable_kernels()) {
    BOOST_TEST_CONTEXT(kernels.isa) {
      const PeakKernels& peaks = kernels.panels.peaks;
      PeakOperands operands;
      for (std::int32_t& x : operands.codes) x = 0x01010101;
      for (std::int32_t& x : operands.other) x = 0x01010101;
      for (float& x : operands.factors) x = 1;
      peaks.dot(operands, 5);
      peaks.fma(operands, 5);
      std::int16_t halves[32];  // small sums: of 16 bits, or of 32 with an empty upper half
      std::memcpy(halves, operands.sums, sizeof halves);
      std::int64_t products = 0;
      for (const std::int16_t half : halves) products += half;
      BOOST_TEST(2 * products == 5 * peaks.dot_operations);
      double float_products = 0;
      for (const float sum : operands.float_sums) float_products += static_cast<double>(sum);
      BOOST_TEST(2 * float_products == 5 * peaks.fma_operations);
    }
  }
}

BOOST_AUTO_TEST_CASE(every_byte_is_read) {
  std::mt19937 random(7);
  std::vector<std::uint32_t> words(9 * 128);
  std::uint32_t expected = 0;
  for (std::uint32_t& word : words) expected += word = static_cast<std::uint32_t>(random());
  for (const CpuKernels& kernels : usable_kernels()) {
    const auto* bytes = reinterpret_cast<const std::byte*>(words.data());
    BOOST_TEST(kernels.panels.peaks.sum(bytes, 9 * 512) == expected, kernels.isa);
  }
}

BOOST_AUTO_TEST_CASE(rates_of_this_machine) {
  for (const CpuKernels& kernels : usable_kernels()) {
    for (const int threads : {1, 2}) {
      const MachineLimits limits =
          measure_limits(kernels, threads, {.bytes = 4 << 20, .rounds = 2, .seconds = 0.002});
      BOOST_TEST(limits.threads == threads);
      BOOST_TEST(limits.isa == kernels.isa);
      for (const double rate : {limits.read_gbps, limits.int8_gops, limits.float_gflops}) {
        BOOST_TEST((std::isfinite(rate) && rate > 0.01 && rate < 1e6), rate);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(an_interruption_ends_the_rounds) {
  LimitsEffort effort{.bytes = 1 << 20, .rounds = 1 << 30, .seconds = 0.001};
  effort.interrupted = [] { return true; };
  BOOST_TEST(measure_limits(usable_kernels().front(), 1, effort).read_gbps > 0);
}

BOOST_AUTO_TEST_CASE(the_buffer_is_larger_than_the_caches_and_fits) {
  const std::uint64_t bytes = bytes_to_read();
  BOOST_TEST((bytes >= std::max<std::uint64_t>(1u << 30, 4 * last_level_cache()) ||
              bytes >= available_memory() / 5));
  BOOST_TEST(bytes <= available_memory() / 2);
  BOOST_TEST(bytes_to_read(12345) == 12345u);
  const std::string said = test::message_of([] { bytes_to_read(std::uint64_t{1} << 62); });
  BOOST_TEST(test::contains(said, "--read-buffer 4.0 EiB: "), said);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
