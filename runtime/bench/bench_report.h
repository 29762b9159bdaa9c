// BenchReport: results as they come, in one of the forms that llama-bench prints.
//
// md: a table with llama-bench's columns, then what was achieved (and the part of the machine's
// limit that it is), and peak memory; below it the limits. json: one array, written at the end.
// jsonl: an object a line. csv: a line of keys, then a line of quoted values for each result; the
// samples are in the JSON forms only.
#pragma once

#include "runtime/bench/bench_result.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace lamina {

enum class BenchForm { md, json, jsonl, csv };

/// The columns of the table that are there only where they say something.
struct BenchColumns {
  bool batch = false;
  bool kv_formats = false;
  bool ratio = false;
  bool limits = true;
  int test_width = 15;  // characters
};

class BenchReport {
 public:
  BenchReport(BenchForm form, BenchColumns columns, std::function<void(std::string_view)> print);

  void add(const BenchResult& result);
  /// What follows the last result.
  void finish();

 private:
  void add_table_row(const BenchResult& result);
  void add_csv_row(const BenchResult& result);

  BenchForm form_;
  BenchColumns columns_;
  std::function<void(std::string_view)> print_;
  bool begun_ = false;
  nlohmann::ordered_json all_ = nlohmann::ordered_json::array();
  std::vector<MachineLimits> limits_;  // those that results spoke of
};

}  // namespace lamina
