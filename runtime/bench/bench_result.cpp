// Names of models, and results as JSON objects.
#include "runtime/bench/bench_result.h"

#include "lamina/core/config.h"
#include "runtime/bench/statistics.h"
#include "runtime/gguf_files.h"
#include "runtime/language_model.h"
#include "runtime/model_instance.h"
#include "runtime/system.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ctime>
#include <map>
#include <string_view>

namespace lamina {
namespace {

/// general.file_type: which mixture of formats quantized the file (ggml-org/ggml, docs/gguf.md).
std::optional<std::string_view> mixture_name(std::uint32_t type) {
  switch (type) {
    case 10:
      return "Q2_K - Medium";
    case 11:
      return "Q3_K - Small";
    case 12:
      return "Q3_K - Medium";
    case 13:
      return "Q3_K - Large";
    case 14:
      return "Q4_K - Small";
    case 15:
      return "Q4_K - Medium";
    case 16:
      return "Q5_K - Small";
    case 17:
      return "Q5_K - Medium";
    default:
      return std::nullopt;
  }
}

/// The format that most of the file's bytes are in.
std::string_view main_format(const GgufFiles& files) {
  std::map<FormatId, std::size_t> bytes;
  for (const TensorView& tensor : files.tensors()) bytes[tensor.format] += tensor.bytes.size();
  const auto less = [](const auto& a, const auto& b) { return a.second < b.second; };
  const auto most = std::max_element(bytes.begin(), bytes.end(), less);
  return most == bytes.end() ? "empty" : find_format(most->first)->name;
}

std::string size_label(const Metadata& metadata, std::int64_t parameters) {
  if (const auto label = metadata.find<std::string_view>("general.size_label")) {
    return std::string(*label);
  }
  const auto count = static_cast<double>(parameters);
  if (count < 1e6) return fmt::format("{:.0f}K", count / 1e3);
  return count < 1e9 ? fmt::format("{:.0f}M", count / 1e6) : fmt::format("{:.1f}B", count / 1e9);
}

std::string lower_name(FormatId format) {
  std::string text(find_format(format)->name);
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

template <class Number>
nlohmann::ordered_json or_null(const std::optional<Number>& number) {
  return number ? nlohmann::ordered_json(*number) : nlohmann::ordered_json();
}

}  // namespace

BenchModel bench_model(const std::string& file, const GgufFiles& files, const ModelInfo& info) {
  BenchModel model{.file = file, .type = {}, .bytes = 0, .parameters = info.parameters};
  for (const TensorView& tensor : files.tensors()) model.bytes += tensor.bytes.size();
  const auto mixture = mixture_name(files.metadata().get_or<std::uint32_t>("general.file_type", 0));
  model.type =
      fmt::format("{} {} {}", info.architecture, size_label(files.metadata(), info.parameters),
                  mixture.value_or(main_format(files)));
  return model;
}

std::vector<double> BenchResult::tokens_per_second() const {
  std::vector<double> rates;
  for (const std::int64_t ns : samples_ns) {
    rates.push_back(1e9 * static_cast<double>(timed_tokens(test)) / static_cast<double>(ns));
  }
  return rates;
}

double BenchResult::average_ns() const {
  return mean(std::vector<double>(samples_ns.begin(), samples_ns.end()));
}

nlohmann::ordered_json as_json(const BenchResult& r) {
  const std::vector<double> rates = r.tokens_per_second();
  const std::vector<double> times(r.samples_ns.begin(), r.samples_ns.end());
  const auto limit = [&](double MachineLimits::*member) {
    return r.limits ? nlohmann::ordered_json(*r.limits.*member) : nlohmann::ordered_json();
  };
  return {{"build_commit", lamina_version()},
          {"cpu_info", cpu_name()},
          {"backends", r.backend},
          {"cpu_isa", r.isa},
          {"model_filename", r.model.file},
          {"model_type", r.model.type},
          {"model_size", r.model.bytes},
          {"model_n_params", r.model.parameters},
          {"n_batch", r.batch},
          {"n_ubatch", r.batch},
          {"n_threads", r.threads},
          {"type_k", lower_name(r.key_format)},
          {"type_v", lower_name(r.value_format)},
          {"n_prompt", r.test.prompt},
          {"n_gen", r.test.generated},
          {"n_depth", r.test.depth},
          {"n_sequences", r.test.sequences},
          {"test", name(r.test)},
          {"test_time", r.time},
          {"avg_ns", static_cast<std::int64_t>(r.average_ns())},
          {"stddev_ns", static_cast<std::int64_t>(standard_deviation(times))},
          {"avg_ts", mean(rates)},
          {"stddev_ts", standard_deviation(rates)},
          {"samples_ns", r.samples_ns},
          {"samples_ts", rates},
          {"ratio_to_one", or_null(r.ratio_to_one)},
          {"bytes_read", r.work.bytes},
          {"operations", r.work.operations},
          {"achieved_gbps", r.gbps()},
          {"achieved_gops", r.gops()},
          {"read_gbps_limit", limit(&MachineLimits::read_gbps)},
          {"int8_gops_limit", limit(&MachineLimits::int8_gops)},
          {"float_gflops_limit", limit(&MachineLimits::float_gflops)},
          {"peak_memory", or_null(r.peak_memory)}};
}

std::string lamina_version() {
  return fmt::format("{}.{}.{}", LAMINA_VERSION_MAJOR, LAMINA_VERSION_MINOR, LAMINA_VERSION_PATCH);
}

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

}  // namespace lamina
