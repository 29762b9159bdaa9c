// BenchResult: what one test gave, and what can be said of it.
//
// The keys of its JSON object that llama-bench has too (ggml-org/llama.cpp,
// tools/llama-bench/README.md) mean what they mean there: sizes in bytes, times in nanoseconds,
// rates in tokens a second, spreads as standard deviations. The others:
//   n_sequences, ratio_to_one    sequences at once; their rate together by that of one
//   bytes_read, operations       of one repetition, as runtime/model_work.h counts them
//   achieved_gbps, _gops         these by avg_ns
//   read_gbps_limit, int8_gops_limit, float_gflops_limit    see runtime/bench/machine_limits.h
//   peak_memory                  most bytes resident at once during the test, the model's included
// A key whose number is not known is null.
#pragma once

#include "lamina/core/format_id.h"
#include "runtime/bench/bench_test.h"
#include "runtime/bench/machine_limits.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lamina {

class GgufFiles;
struct ModelInfo;

/// A model as tables name it.
struct BenchModel {
  std::string file;
  std::string type;  // "llama 135M Q4_1"
  std::uint64_t bytes = 0;
  std::int64_t parameters = 0;
};

BenchModel bench_model(const std::string& file, const GgufFiles& files, const ModelInfo& info);

struct BenchResult {
  BenchModel model;
  std::string backend;
  std::string isa;
  int threads = 1;
  Position batch = 512;
  FormatId key_format = FormatId::f16;
  FormatId value_format = FormatId::f16;
  BenchTest test;
  std::string time;                      // when it began: UTC, ISO 8601
  std::vector<std::int64_t> samples_ns;  // of each repetition, at least one
  Work work;                             // of one repetition
  std::optional<std::uint64_t> peak_memory{};
  std::optional<double> ratio_to_one{};
  std::optional<MachineLimits> limits{};

  std::vector<double> tokens_per_second() const;
  double average_ns() const;
  double gbps() const { return work.bytes / average_ns(); }
  double gops() const { return work.operations / average_ns(); }
};

nlohmann::ordered_json as_json(const BenchResult& result);

/// What stands for the commit, which a build does not know: "0.1.0".
std::string lamina_version();

/// "2026-01-31T23:59:58Z"
std::string utc_now();

}  // namespace lamina
