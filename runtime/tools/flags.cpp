// Reading flag values, with errors a user can act on.
#include "runtime/tools/flags.h"

#include "lamina/quant/formats.h"
#include "runtime/instances/shared/kernels.h"
#include "runtime/system.h"
#include "runtime/tools/input_file.h"

#include <CLI/Error.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iostream>

namespace lamina {
namespace {

[[noreturn]] void bad_value(std::string_view flag, std::string_view found,
                            std::string_view expected) {
  throw UsageError(fmt::format("{} '{}': expected {}", flag, found, expected));
}

std::string one_of(const std::vector<std::string>& names) {
  return fmt::format("{}{}", names.size() > 1 ? "one of " : "", fmt::join(names, ", "));
}

std::string checked_name(std::string_view flag, const std::string& found,
                         const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), found) != known.end()) return found;
  bad_value(flag, found, one_of(known));
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

void set_log_level(const std::string& text) {
  const std::vector<std::string> names = {"trace", "debug", "info", "warn", "error", "off"};
  spdlog::set_level(spdlog::level::from_str(checked_name("--log-level", text, names)));
}

}  // namespace

std::vector<std::string> store_formats() {
  std::vector<std::string> names;
  Formats::for_each([&]<class Q>() {
    if constexpr (EncodableFormat<Q>) names.push_back(lower(Q::name));
  });
  return names;
}

FormatId parse_store_format(std::string_view flag, const std::string& text) {
  std::optional<FormatId> id;
  Formats::for_each([&]<class Q>() {
    if constexpr (EncodableFormat<Q>) {
      if (lower(Q::name) == lower(text)) id = Q::id;
    }
  });
  if (!id) bad_value(flag, text, one_of(store_formats()));
  return *id;
}

std::int64_t parse_integer(std::string_view flag, const std::string& text, std::int64_t least,
                           std::int64_t most) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || value < least || value > most) {
    bad_value(flag, text,
              most == std::numeric_limits<std::int64_t>::max()
                  ? fmt::format("a whole number from {}", least)
                  : fmt::format("a whole number from {} to {}", least, most));
  }
  return value;
}

double parse_number(std::string_view flag, const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || !std::isfinite(value)) {
    bad_value(flag, text, "a number such as 0.8");
  }
  return value;
}

namespace {

/// Throws where there is nothing before, between or behind commas.
void refuse_empty_items(std::string_view flag, const std::string& text) {
  if (text.find(',') == std::string::npos) return;
  std::size_t begin = 0;
  for (std::size_t item = 1; begin <= text.size(); ++item) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (text.find_first_not_of("[] \t\r\n", begin) >= end) {
      throw UsageError(fmt::format("{} '{}': item {} is empty; expected token ids such as 1,2,3",
                                   flag, text, item));
    }
    begin = end + 1;
  }
}

}  // namespace

std::vector<Token> parse_tokens(std::string_view flag, const std::string& text) {
  refuse_empty_items(flag, text);
  std::vector<Token> tokens;
  std::string_view rest = text;
  if (rest.starts_with('[') && rest.ends_with(']')) rest = rest.substr(1, rest.size() - 2);
  constexpr std::string_view separators = ", \t\r\n";
  while (true) {
    rest.remove_prefix(std::min(rest.find_first_not_of(separators), rest.size()));
    if (rest.empty()) break;
    const auto item = rest.substr(0, rest.find_first_of(separators));
    tokens.push_back(static_cast<Token>(
        parse_integer(flag, std::string(item), 0, std::numeric_limits<Token>::max())));
    rest.remove_prefix(item.size());
  }
  if (tokens.empty()) bad_value(flag, text, "token ids such as 1,2,3");
  return tokens;
}

void check_tokens(std::string_view flag, const std::vector<Token>& tokens, std::int64_t vocab) {
  for (const Token token : tokens) {
    if (token < vocab) continue;
    bad_value(flag, std::to_string(token),
              fmt::format("token ids below {}, the size of the model's vocabulary", vocab));
  }
}

CLI::Option* add_value(CLI::App& command, const std::string& names, const std::string& kind,
                       const std::string& help, std::function<void(const std::string&)> take) {
  // Each occurrence takes exactly one argument, whatever it looks like.
  return command
      .add_option_function<std::vector<std::string>>(
          names,
          [take = std::move(take)](const std::vector<std::string>& values) {
            for (const std::string& value : values) take(value);
          },
          help)
      ->type_name(kind)
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
}

void add_model(CLI::App& command, std::string& model) {
  command
      .add_option("MODEL", model,
                  "a .gguf file (of a split one the first part), or a name that `lamina models` "
                  "lists")
      ->required()
      ->type_name("");
}

void GeneralFlags::add_to(CLI::App& command) {
  const std::string group = "Every command takes";
  add_value(command, "--threads", "N",
            "threads to compute with (default: as many as the process may use)",
            [this](const std::string& text) {
              threads = static_cast<int>(parse_integer("--threads", text, 1, 4096));
            })
      ->group(group);
  add_value(command, "--seed", "N", "seed of everything random (default: drawn anew each time)",
            [this](const std::string& text) {
              seed = static_cast<std::uint64_t>(
                  parse_integer("--seed", text, 0, std::numeric_limits<std::int64_t>::max()));
            })
      ->group(group);
  add_value(command, "--output", "text|json", "what is printed on stdout (default: text)",
            [this](const std::string& text) {
              json = checked_name("--output", text, {"text", "json"}) == "json";
            })
      ->group(group);
  add_value(command, "--log-level", "LEVEL",
            "what is printed on stderr: trace, debug, info, warn, error or off (default: info)",
            set_log_level)
      ->group(group);
}

void ComputeFlags::add_to(CLI::App& command) {
  const std::string group = "Computing";
  add_value(command, "--backend", "NAME",
            fmt::format("{} (default: cpu); reference is slow and the definition of right",
                        fmt::join(known_backends(), " or ")),
            [this](const std::string& text) {
              backend = checked_name("--backend", text, known_backends());
            })
      ->group(group);
  add_value(
      command, "--cpu-isa", "NAME",
      fmt::format("instruction set of the cpu backend: {} (default: the best the machine has)",
                  fmt::join(known_isas(), ", ")),
      [this](const std::string& text) { isa = checked_name("--cpu-isa", text, known_isas()); })
      ->group(group);
  command
      .add_flag_callback(
          "--no-repack", [this] { repack = false; },
          "compute with quantized weights as they lie in the file, which other processes then "
          "share: the same numbers, an earlier start, slower tokens (cpu backend)")
      ->group(group);
}

void ComputeFlags::add_kv_to(CLI::App& command, const std::string& usual) {
  const std::string group = "Computing";
  const std::string formats =
      fmt::format("{} (default: {})", fmt::join(store_formats(), " "), usual);
  add_value(command, "--kv-k", "FORMAT", "storage of attention keys: " + formats,
            [this](const std::string& text) { key_format = parse_store_format("--kv-k", text); })
      ->group(group);
  add_value(command, "--kv-v", "FORMAT", "storage of attention values: the same",
            [this](const std::string& text) { value_format = parse_store_format("--kv-v", text); })
      ->group(group);
}

void ComputeFlags::add_context_to(CLI::App& command) {
  add_value(command, "-c", "N",
            "context: tokens of prompt and answer together (default: the length the model was "
            "trained with, at most 4096)",
            [this](const std::string& text) {
              context = static_cast<Position>(
                  parse_integer("-c", text, 1, std::numeric_limits<Position>::max()));
            })
      ->group("Computing");
}

LoadOptions ComputeFlags::load_options(const GeneralFlags& general) const {
  LoadOptions options;
  options.backend = backend;
  options.isa = isa;
  options.repack = repack;
  options.threads = threads_to_use(general.threads);
  options.key_format = key_format;
  options.value_format = value_format;
  return options;
}

void InputFlags::add_to(CLI::App& command, std::string_view which) {
  const std::string group = "Input (exactly one)";
  const auto offer = [&](char letter, const char* shown) {
    if (which.find(letter) == std::string_view::npos) return false;
    allowed_.append(allowed_.empty() ? "" : ", ").append(shown);
    return true;
  };
  if (offer('p', "-p TEXT")) {
    command.add_option("-p", prompt, "the text, taken as it is")->type_name("TEXT")->group(group);
  }
  if (offer('f', "-f FILE")) {
    command.add_option("-f", file, "a file that holds the text, taken as it is")
        ->type_name("FILE")
        ->group(group);
  }
  if (offer('t', "--tokens IDS")) {
    command.add_option("--tokens", tokens, "token ids such as 1,2,3")
        ->type_name("IDS")
        ->group(group);
  }
  if (offer('-', "-")) {
    command
        .add_option_function<std::string>(
            "stdin",
            [this](const std::string& text) {
              word_ = text;
              from_stdin = true;
            },
            "- reads the text from stdin")
        ->type_name("-")
        ->group(group);
  }
}

void InputFlags::check() const {
  if (from_stdin && word_ != "-") {
    throw UsageError(
        fmt::format("unexpected argument '{}': expected a flag, or - for stdin", word_));
  }
  const int given =
      int{prompt.has_value()} + int{file.has_value()} + int{tokens.has_value()} + int{from_stdin};
  if (given == 1) return;
  throw UsageError(fmt::format("{} was given as input; expected exactly one of: {}",
                               given == 0 ? "nothing" : "more than one thing", allowed_));
}

std::string InputFlags::text() const {
  if (prompt) return *prompt;
  return from_stdin ? read_stream(std::cin, "stdin") : read_file("-f", *file);
}

int threads_to_use(int asked) {
  const int allowed = allowed_threads();
  if (asked <= allowed) return asked > 0 ? asked : allowed;
  spdlog::warn("--threads {}: this process may run only {} at once; using {}", asked, allowed,
               allowed);
  return allowed;
}

std::vector<std::string> known_backends() { return {"cpu", "reference"}; }

std::vector<std::string> known_isas() {
  std::vector<std::string> names;
  for (const CpuKernels& kernels : usable_kernels()) names.emplace_back(kernels.isa);
  return names;
}

}  // namespace lamina
