// Every kernel of every weight format beside the machine's limits, measured in the same run.
//
// usage: bench_kernels [--cpu-isa NAME] [--threads N] [--format NAME] [--cols N] [--rounds N]
// A product with one column is bound by reading the weights: GB/s of their bytes, and the share of
// a plain read of memory. With many columns it is bound by arithmetic: GOPS (a multiply-add is
// two), and the share of the instruction set's peak. Inputs are normally distributed; uneven ones
// have values that stand out and cost a second dot product (panel/quantize.h). Float weights stand
// beside Eigen's product of floats on one thread. Weights are random; the best of the rounds
// counts.
#include "bench/kernels/eigen.h"
#include "lamina/backend/cpu/float_linear.h"
#include "lamina/backend/cpu/panel_linear.h"
#include "lamina/backend/cpu/vector_kernels.h"
#include "lamina/backend/host_matrix.h"
#include "lamina/core/error.h"
#include "lamina/quant/formats.h"
#include "runtime/bench/machine_limits.h"
#include "runtime/instances/shared/kernels.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace lamina {
namespace {

using FloatFormats = FormatList<F32, F16, BF16>;

struct Options {
  std::string isa, format;
  int threads = 1;
  int rounds = 5;
  std::int64_t cols = 2048;
};

/// A weight of random blocks: 16-bit words below 0x3800 keep every scale a small number.
struct RandomWeight {
  std::vector<std::byte> bytes;
  TensorView view;

  RandomWeight(FormatId format, std::int64_t cols, std::int64_t rows) {
    std::mt19937 random(1);
    bytes.resize(static_cast<std::size_t>(bytes_of_row(format, cols) * rows));
    for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
      // Below 1 in half precision, so that every scale is; above what is slow (denormal) in any.
      const auto word =
          static_cast<std::uint16_t>((0x2000 + random() % 0x1800) | (random() & 0x8000));
      std::memcpy(bytes.data() + i, &word, sizeof word);
    }
    view = {.name = "random", .format = format, .extent = {cols, rows, 1, 1}, .bytes = bytes};
  }
};

HostMatrix random_rows(std::int64_t rows, std::int64_t cols) {
  std::mt19937 random(2);
  std::normal_distribution<float> normal;
  HostMatrix x(rows, cols);
  for (std::int64_t i = 0; i < rows * cols; ++i) x.row(0)[i] = normal(random);
  return x;
}

/// With a value that stands out in one of 8 steps, drawn for each row: those steps are fine, more
/// than in most rows of models.
HostMatrix uneven_rows(std::int64_t rows, std::int64_t cols) {
  std::mt19937 random(3);
  HostMatrix x = random_rows(rows, cols);
  for (std::int64_t step = 0; step < rows * cols / step_size; ++step) {
    const auto place = static_cast<std::int64_t>(random() % step_size);
    if (random() % 8 == 0) x.row(0)[step * step_size + place] = 30;
  }
  return x;
}

/// Seconds of one product, the best of the rounds; each round takes a hundredth of a second or
/// more.
template <class Call>
double seconds_of_call(int rounds, const Call& call) {
  const auto seconds_of = [&](int repeats) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < repeats; ++i) call();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    return taken.count() / repeats;
  };
  const int repeats = std::max(1, static_cast<int>(0.01 / std::max(1e-7, seconds_of(1))));
  double best = seconds_of(repeats);
  for (int i = 1; i < rounds; ++i) best = std::min(best, seconds_of(repeats));
  return best;
}

/// Of a product with each of `weights` in turn.
double seconds_of_products(ThreadPool& pool, const PanelKernels& kernels,
                           std::span<const CpuWeight> weights, const HostMatrix& x, int rounds) {
  HostMatrix y(x.rows(), weights[0].tensor.rows());
  ReusedBuffer memory;
  const QuantizedRows rows = quantize(pool, kernels, x.view(), memory);
  return seconds_of_call(rounds, [&] {
    for (const CpuWeight& weight : weights) {
      const WeightProduct product{&weight, y.view()};
      multiply(pool, kernels, rows, {&product, 1});
    }
  });
}

double seconds_of_floats(ThreadPool& pool, const FloatKernels& kernels,
                         std::span<const CpuWeight> weights, std::int64_t tokens, int rounds) {
  const HostMatrix x = random_rows(tokens, weights[0].tensor.cols());
  HostMatrix y(tokens, weights[0].tensor.rows());
  ReusedBuffer memory;
  return seconds_of_call(rounds, [&] {
    for (const CpuWeight& weight : weights) {
      const WeightProduct product{&weight, y.view()};
      multiply_floats(pool, kernels, x.view(), {&product, 1}, memory);
    }
  });
}

double seconds_of_eigen(std::span<const CpuWeight> weights, std::int64_t tokens, int rounds) {
  const TensorView& w = weights[0].tensor;
  const HostMatrix x = random_rows(tokens, w.cols());
  HostMatrix y(tokens, w.rows());
  return seconds_of_call(rounds, [&] {
    for (const CpuWeight& weight : weights) {
      const auto* floats = reinterpret_cast<const float*>(weight.tensor.bytes.data());
      multiply_by_eigen(y.row(0), x.row(0), floats, tokens, w.rows(), w.cols());
    }
  });
}

/// Rows of a weight of 64 MiB.
std::int64_t rows_of_large(FormatId format, std::int64_t cols) {
  return std::max<std::int64_t>(64, (64 << 20) / bytes_of_row(format, cols) / 64 * 64);
}

/// How many weights of so many bytes no cache holds.
std::size_t weights_to_read(std::size_t bytes) { return bytes_to_read() / bytes + 1; }

double gbps(std::size_t bytes, std::size_t weights, double seconds) {
  return 1e-9 * static_cast<double>(bytes * weights) / seconds;
}

/// A row of the table of float weights; `seconds` takes weights and a number of tokens.
template <class Q, class Seconds>
void measure_floats(const std::string& name, const MachineLimits& limits, const Options& options,
                    const Seconds& seconds) {
  const RandomWeight large(Q::id, options.cols, rows_of_large(Q::id, options.cols));
  const RandomWeight small(Q::id, options.cols, 1024);
  const CpuWeight one{.tensor = small.view};
  std::vector<std::vector<std::byte>> copies(weights_to_read(large.bytes.size()), large.bytes);
  std::vector<CpuWeight> many;
  for (const std::vector<std::byte>& copy : copies) {
    many.push_back({.tensor = large.view});
    many.back().tensor.bytes = copy;
  }
  const double read = gbps(large.bytes.size(), many.size(), seconds(many, 1));
  std::string line =
      fmt::format("| {:15} | {:5.1f} ({:3.0f} %) |", name, read, 100 * read / limits.read_gbps);
  for (const std::int64_t tokens : {4, 16, 512}) {
    const double gflops = 2e-9 * 1024 * static_cast<double>(tokens * options.cols) /
                          seconds(std::span(&one, 1), tokens);
    line += fmt::format(" {:6.1f} ({:3.0f} %) |", gflops, 100 * gflops / limits.float_gflops);
  }
  fmt::print("{}\n", line);
  std::fflush(stdout);
}

/// A format's row of the table.
template <class Q>
void measure_format(ThreadPool& pool, const CpuKernels& kernels, const MachineLimits& limits,
                    const Options& options) {
  const RandomWeight large(Q::id, options.cols, rows_of_large(Q::id, options.cols));
  const RandomWeight small(Q::id, options.cols, 1024);
  const PanelKernels& panels = kernels.panels;
  std::string line = fmt::format("| {:8} | {:6} |", kernels.isa, Q::name);
  {
    std::vector<CpuWeight> many(weights_to_read(large.bytes.size()));
    for (CpuWeight& weight : many) weight = make_panels(pool, panels, large.view);
    for (const auto& rows : {random_rows, uneven_rows}) {
      const double read =
          gbps(large.bytes.size(), many.size(),
               seconds_of_products(pool, panels, many, rows(1, options.cols), options.rounds));
      line += fmt::format(" {:6.1f} ({:3.0f} %) |", read, 100 * read / limits.read_gbps);
    }
  }
  const CpuWeight one = make_panels(pool, panels, small.view);
  for (const std::int64_t columns : {4, 16, 512}) {
    for (const auto& rows : {random_rows, uneven_rows}) {
      const double seconds = seconds_of_products(pool, panels, std::span(&one, 1),
                                                 rows(columns, options.cols), options.rounds);
      const double gops = 2e-9 * 1024 * static_cast<double>(columns * options.cols) / seconds;
      line += fmt::format(" {:6.0f} ({:3.0f} %) |", gops, 100 * gops / limits.int8_gops);
    }
  }
  fmt::print("{}\n", line);
  std::fflush(stdout);
}

void check(const Options& options) {
  if (options.cols % 256 != 0) {
    throw Error(fmt::format("--cols {}: expected a multiple of 256", options.cols));
  }
  std::string known;
  bool found = options.format.empty();
  const auto offer = [&]<class Q>() {
    found = found || options.format == Q::name;
    known.append(known.empty() ? "" : ", ").append(Q::name);
  };
  PanelFormats::for_each(offer);
  FloatFormats::for_each(offer);
  if (!found) {
    throw Error(fmt::format("--format {}: expected one of {}", options.format, known));
  }
}

void measure(const CpuKernels& kernels, const Options& options) {
  LimitsEffort effort;
  effort.bytes = bytes_to_read();
  const MachineLimits limits = measure_limits(kernels, options.threads, effort);
  fmt::print(
      "\n{}, {} threads, {} columns of W: read {:.1f} GB/s, int8 {:.0f} GOPS, float {:.0f} "
      "GFLOPS\n\n",
      kernels.isa, options.threads, options.cols, limits.read_gbps, limits.int8_gops,
      limits.float_gflops);
  fmt::print(
      "| isa | format | n=1, GB/s | uneven | n=4, GOPS | uneven | n=16 | uneven | n=512 | "
      "uneven |\n"
      "|---|---|---|---|---|---|---|---|---|---|\n");
  ThreadPool pool(options.threads);
  PanelFormats::for_each([&]<class Q>() {
    if (options.format.empty() || options.format == Q::name) {
      measure_format<Q>(pool, kernels, limits, options);
    }
  });
  fmt::print(
      "\n| float weights | n=1, GB/s | n=4, GFLOPS | n=16 | n=512 |\n|---|---|---|---|---|\n");
  FloatFormats::for_each([&]<class Q>() {
    if (!options.format.empty() && options.format != Q::name) return;
    measure_floats<Q>(fmt::format("{} {}", kernels.isa, Q::name), limits, options,
                      [&](std::span<const CpuWeight> w, std::int64_t tokens) {
                        return seconds_of_floats(pool, kernels.floats, w, tokens, options.rounds);
                      });
  });
  if (options.threads > 1 || (!options.format.empty() && options.format != F32::name)) return;
  measure_floats<F32>("Eigen, native", limits, options,
                      [&](std::span<const CpuWeight> w, std::int64_t tokens) {
                        return seconds_of_eigen(w, tokens, options.rounds);
                      });
}

}  // namespace
}  // namespace lamina

int main(int count, char** arguments) {
  lamina::Options options;
  CLI::App app("every kernel of every weight format beside the machine's limits");
  app.add_option("--cpu-isa", options.isa, "kernels of one instruction set (default: all)");
  app.add_option("--format", options.format, "one weight format, as Q4_K (default: all)");
  app.add_option("--threads", options.threads, "threads")->check(CLI::Range(1, 1024));
  app.add_option("--cols", options.cols, "columns of W, a multiple of 256")
      ->check(CLI::Range(256, 1 << 20));
  app.add_option("--rounds", options.rounds, "rounds; the best counts")->check(CLI::Range(1, 1000));
  CLI11_PARSE(app, count, arguments);
  try {
    check(options);
    if (!options.isa.empty()) {
      measure(lamina::cpu_kernels(options.isa), options);
      return 0;
    }
    for (const lamina::CpuKernels& kernels : lamina::usable_kernels()) measure(kernels, options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_kernels: {}\n", error.what());
    return 1;
  }
}
