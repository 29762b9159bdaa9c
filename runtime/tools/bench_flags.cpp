// Lists from the command line, and what stands for those that were not given.
#include "runtime/tools/bench_flags.h"

#include "runtime/model_instance.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace lamina {
namespace {

constexpr std::int64_t most_tokens = 1 << 24;
constexpr std::size_t most_numbers = 1000;
constexpr int most_sequences = longest_batch;  // one token each fits a batch

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts = {""};
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

[[noreturn]] void bad_list(std::string_view flag, const std::string& text,
                           std::string_view expected) {
  throw UsageError(fmt::format("{} '{}': expected {}", flag, text, expected));
}

/// first-last, first-last+step or first-last*factor.
struct CountRange {
  std::int64_t first = 0, last = 0, step = 1, factor = 1;

  std::int64_t after(std::int64_t value) const {
    return factor > 1 ? value * factor : value + step;
  }
};

CountRange parse_range(std::string_view flag, const std::string& item, std::int64_t least,
                       std::int64_t most) {
  CountRange range;
  const auto dash = item.find('-', 1);
  range.first = range.last = parse_integer(flag, item.substr(0, dash), least, most);
  if (dash == std::string::npos) return range;
  const auto by = item.find_first_of("+*", dash);
  range.last = parse_integer(flag, item.substr(dash + 1, by - dash - 1), range.first, most);
  if (by == std::string::npos) return range;
  const bool factor = item[by] == '*';
  auto& to = factor ? range.factor : range.step;
  to = parse_integer(flag, item.substr(by + 1), factor ? 2 : 1, most);
  if (factor && range.first == 0) bad_list(flag, item, "a range by a factor to begin above 0");
  return range;
}

template <class Number>
void take_counts(std::vector<Number>& to, std::string_view flag, const std::string& text,
                 std::int64_t least, std::int64_t most) {
  for (const std::int64_t n : parse_counts(flag, text, least, most)) {
    to.push_back(static_cast<Number>(n));
  }
}

void take_formats(std::vector<FormatId>& to, std::string_view flag, const std::string& text) {
  for (const std::string& name : split(text, ',')) to.push_back(parse_store_format(flag, name));
}

BenchForm parse_form(const std::string& text) {
  constexpr std::pair<std::string_view, BenchForm> forms[] = {{"md", BenchForm::md},
                                                              {"json", BenchForm::json},
                                                              {"jsonl", BenchForm::jsonl},
                                                              {"csv", BenchForm::csv}};
  for (const auto& [name, form] : forms) {
    if (name == text) return form;
  }
  bad_list("-o", text, "one of md, json, jsonl, csv");
}

std::vector<std::optional<FormatId>> or_usual(const std::vector<FormatId>& formats) {
  if (formats.empty()) return {std::nullopt};
  return {formats.begin(), formats.end()};
}

}  // namespace

std::vector<std::int64_t> parse_counts(std::string_view flag, const std::string& text,
                                       std::int64_t least, std::int64_t most) {
  std::vector<std::int64_t> numbers;
  for (const std::string& item : split(text, ',')) {
    if (item.empty()) bad_list(flag, text, "numbers separated by commas, such as 128,512");
    const CountRange range = parse_range(flag, item, least, most);
    for (std::int64_t n = range.first; n <= range.last; n = range.after(n)) {
      numbers.push_back(n);
      if (numbers.size() > most_numbers) {
        bad_list(flag, text, fmt::format("at most {} numbers", most_numbers));
      }
    }
  }
  return numbers;
}

void BenchFlags::add_tests_to(CLI::App& command) {
  const std::string group = "Tests (lists: 128,512 or 128-1024*2)";
  const auto counts = [&](const std::string& flag, std::vector<Position>& to,
                          const std::string& help) {
    add_value(command, flag, "LIST", help, [&to, flag](const std::string& text) {
      take_counts(to, flag, text, 0, most_tokens);
    })->group(group);
  };
  counts("-p", prompts_, "read a prompt of so many tokens; 0: no such test (default: 512)");
  counts("-n", generated_, "generate so many tokens; 0: no such test (default: 128)");
  counts("-d", depths_, "tokens that are there before each test (default: 0)");
  add_value(command, "--pg", "P,N", "read a prompt of P tokens and generate N, timed together",
            [this](const std::string& text) {
              const auto pair = parse_counts("-pg", text, 1, most_tokens);
              if (pair.size() != 2) bad_list("-pg", text, "two numbers such as 512,128");
              both_.emplace_back(static_cast<Position>(pair[0]), static_cast<Position>(pair[1]));
            })
      ->group(group);
  command
      .add_option_function<std::string>(
          "--batched",
          [this](const std::string& text) {
            take_counts(sequences_, "--batched", text.empty() ? "1,2,4,8,16" : text, 1,
                        most_sequences);
          },
          "generate in so many sequences at once (default: 1,2,4,8,16), for each of -n")
      ->type_name("LIST")
      ->expected(0, 1)
      ->group(group);
}

void BenchFlags::add_settings_to(CLI::App& command) {
  const std::string group = "Settings (lists)";
  const std::string formats = fmt::format("{}", fmt::join(store_formats(), " "));
  add_value(command, "-t", "LIST", "threads (default: as many as the process may use)",
            [this](const std::string& text) { take_counts(threads_, "-t", text, 1, 4096); })
      ->group(group);
  add_value(
      command, "--ub", "LIST", "tokens of a prompt that are computed at once (default: 512)",
      [this](const std::string& text) { take_counts(batches_, "-ub", text, 1, longest_batch); })
      ->group(group);
  add_value(command, "--ctk,--kv-k", "LIST",
            "storage of attention keys: " + formats + " (default: f16; reference f32)",
            [this](const std::string& text) { take_formats(key_formats_, "-ctk", text); })
      ->group(group);
  add_value(command, "--ctv,--kv-v", "LIST", "storage of attention values: the same",
            [this](const std::string& text) { take_formats(value_formats_, "-ctv", text); })
      ->group(group);
}

void BenchFlags::add_to(CLI::App& command) {
  command.add_option("MODEL", models, "models: .gguf files, or names that `lamina models` lists")
      ->required()
      ->type_name("");
  add_tests_to(command);
  add_settings_to(command);
  const std::string group = "Measuring";
  add_value(command, "-r", "N", "how often each test is done (default: 5)",
            [this](const std::string& text) {
              repetitions = static_cast<int>(parse_integer("-r", text, 1, 1'000'000));
            })
      ->group(group);
  command
      .add_flag_callback(
          "--no-warmup", [this] { warm_up = false; }, "time a test without doing it untimed before")
      ->group(group);
  command
      .add_flag_callback(
          "--no-limits", [this] { limits = false; }, "do not measure what the machine does at most")
      ->group(group);
  add_value(command, "--read-buffer", "MIB",
            "reading a buffer of this size is the limit of bytes (default: four times the caches, "
            "at least 1024); a small model's weights may lie in a cache, and such a buffer too",
            [this](const std::string& text) {
              read_buffer =
                  static_cast<std::uint64_t>(parse_integer("--read-buffer", text, 1, 1 << 20))
                  << 20;
            })
      ->group(group);
  add_value(command, "-o", "FORM", "what is printed: md (default), json, jsonl or csv",
            [this](const std::string& text) { form_ = parse_form(text); })
      ->group(group);
  add_value(command, "--plot", "FILE.svg", "also draw the tests below the machine's limits",
            [this](const std::string& text) {
              if (text.empty()) bad_list("--plot", text, "the name of a file");
              plot = text;
            })
      ->group(group);
  compute.add_to(command);
  general.add_to(command);
}

BenchPlan BenchFlags::plan() const {
  BenchPlan plan;
  if (!prompts_.empty()) plan.prompts = prompts_;
  if (!generated_.empty()) plan.generated = generated_;
  if (!depths_.empty()) plan.depths = depths_;
  plan.both = both_;
  plan.sequences = sequences_;
  const bool generates = std::ranges::any_of(plan.generated, [](Position n) { return n > 0; });
  if (!sequences_.empty() && !generates) {
    throw UsageError("--batched generates, but -n is 0; expected -n above 0");
  }
  if (tests_of(plan).empty()) {
    throw UsageError("-p 0 -n 0: nothing is left to measure; expected one above 0, or -pg");
  }
  if (!plot.empty() && !limits) {
    throw UsageError("--plot draws the machine's limits: expected it without --no-limits");
  }
  return plan;
}

std::vector<int> BenchFlags::threads() const {
  if (!threads_.empty() && general.threads > 0) {
    throw UsageError("-t and --threads say the same; expected one of them");
  }
  std::vector<int> used;
  for (const int asked : threads_.empty() ? std::vector<int>{general.threads} : threads_) {
    const int threads = threads_to_use(asked);
    if (std::ranges::find(used, threads) == used.end()) used.push_back(threads);
  }
  return used;
}

std::vector<Position> BenchFlags::batches() const {
  return batches_.empty() ? std::vector<Position>{longest_batch} : batches_;
}

std::vector<std::optional<FormatId>> BenchFlags::key_formats() const {
  return or_usual(key_formats_);
}

std::vector<std::optional<FormatId>> BenchFlags::value_formats() const {
  return or_usual(value_formats_);
}

BenchForm BenchFlags::form() const {
  if (general.json && form_ && *form_ != BenchForm::json) {
    throw UsageError("-o and --output json ask for different forms; expected one of them");
  }
  return general.json ? BenchForm::json : form_.value_or(BenchForm::md);
}

BenchColumns BenchFlags::columns() const {
  BenchColumns columns{.batch = !batches_.empty(),
                       .kv_formats = !key_formats_.empty() || !value_formats_.empty(),
                       .ratio = !sequences_.empty(),
                       .limits = limits};
  for (const BenchTest& test : tests_of(plan())) {
    columns.test_width = std::max(columns.test_width, static_cast<int>(name(test).size()));
  }
  return columns;
}

}  // namespace lamina
