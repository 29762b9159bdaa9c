// The flags of `lamina bench`, named as llama-bench names them, and lists of numbers.
#pragma once

#include "runtime/bench/bench_report.h"
#include "runtime/bench/bench_test.h"
#include "runtime/tools/flags.h"

#include <CLI/App.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lamina {

/// Numbers in [least, most] separated by commas, each alone or a range: first-last, first-last+step
/// or first-last*factor. Throws UsageError for anything else and for more than 1000 numbers.
std::vector<std::int64_t> parse_counts(std::string_view flag, const std::string& text,
                                       std::int64_t least, std::int64_t most);

/// A list-valued flag may be given several times; all that is given is measured.
class BenchFlags {
 public:
  std::vector<std::string> models;
  int repetitions = 5;
  bool warm_up = true;
  bool limits = true;
  std::uint64_t read_buffer = 0;  // bytes; 0: bytes_to_read()
  std::string plot;               // empty: none
  GeneralFlags general;
  ComputeFlags compute;

  void add_to(CLI::App& command);

  /// What there is to measure; throws UsageError where that is nothing.
  BenchPlan plan() const;
  std::vector<int> threads() const;
  std::vector<Position> batches() const;
  /// None stands for what the backend usually takes.
  std::vector<std::optional<FormatId>> key_formats() const;
  std::vector<std::optional<FormatId>> value_formats() const;
  BenchForm form() const;
  BenchColumns columns() const;

 private:
  void add_tests_to(CLI::App& command);
  void add_settings_to(CLI::App& command);

  std::vector<Position> prompts_, generated_, depths_, batches_;
  std::vector<std::pair<Position, Position>> both_;
  std::vector<int> threads_, sequences_;
  std::vector<FormatId> key_formats_, value_formats_;
  std::optional<BenchForm> form_;
};

}  // namespace lamina
