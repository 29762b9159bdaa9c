// Writing that notices when nobody receives it.
#include "runtime/tools/output.h"

#include "lamina/core/error.h"
#include "runtime/generate.h"
#include "runtime/system.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spdlog/spdlog.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

namespace lamina {

void print_text(std::string_view text) {
  const std::size_t written = std::fwrite(text.data(), 1, text.size(), stdout);
  if (written != text.size() || std::fflush(stdout) != 0) {
    throw Error(fmt::format("stdout: writing failed: {}", std::strerror(errno)));
  }
}

void print_json(const nlohmann::ordered_json& value, int indent) {
  using Json = nlohmann::ordered_json;
  print_text(value.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n");
}

nlohmann::ordered_json timings_json(const Timings& t, double load_ms) {
  return {{"prompt_n", t.prompt_n},
          {"prompt_ms", t.prompt_ms},
          {"prompt_per_second", t.prompt_per_second()},
          {"predicted_n", t.predicted_n},
          {"predicted_ms", t.predicted_ms},
          {"predicted_per_second", t.predicted_per_second()},
          {"load_ms", load_ms},
          {"ttft_ms", t.first_token_ms},
          {"peak_rss_bytes", peak_memory()}};
}

void print_timings(const Timings& timings, double load_ms) {
  spdlog::info(
      "load {:.2f} s | first token {:.0f} ms | prompt {}, {:.1f} tokens/s | "
      "generated {}, {:.1f} tokens/s | peak memory {}",
      load_ms / 1000, timings.first_token_ms, counted(timings.prompt_n, "token"),
      timings.prompt_per_second(), counted(timings.predicted_n, "token"),
      timings.predicted_per_second(), readable_size(peak_memory()));
}

}  // namespace lamina
