// A table whose columns are wide enough for what usually stands in them; JSON; CSV.
#include "runtime/bench/bench_report.h"

#include "runtime/bench/statistics.h"
#include "runtime/system.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace lamina {
namespace {

struct Cell {
  std::string title;
  int width = 10;     // characters; below 0: text, to the left
  std::string value;  // UTF-8
};

/// Characters, as far as the terminal's columns go for what stands in these tables.
int length(std::string_view text) {
  return static_cast<int>(std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string padded(const std::string& text, int width) {
  const int missing = std::max(0, std::abs(width) - length(text));
  const std::string blanks(static_cast<std::size_t>(missing), ' ');
  return width < 0 ? text + blanks : blanks + text;
}

std::string size_text(std::uint64_t bytes) {
  const double mib = static_cast<double>(bytes) / (1 << 20);
  return mib < 1024 ? fmt::format("{:.2f} MiB", mib) : fmt::format("{:.2f} GiB", mib / 1024);
}

std::string count_text(std::int64_t count) {
  const auto number = static_cast<double>(count);
  return number < 1e9 ? fmt::format("{:.2f} M", number / 1e6)
                      : fmt::format("{:.2f} B", number / 1e9);
}

/// A rate, and how much of the limit it is.
std::string rate_text(double rate, const std::optional<MachineLimits>& limits,
                      double MachineLimits::*limit) {
  const std::string text = rate < 10 ? fmt::format("{:.2f}", rate) : fmt::format("{:.1f}", rate);
  if (!limits || *limits.*limit <= 0) return text;
  return fmt::format("{} ({:.0f} %)", text, 100 * rate / (*limits.*limit));
}

std::string string_of(const nlohmann::ordered_json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_null() ? "" : value.dump();
}

/// A cell of a table must not end it.
std::string without_bars(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c == '|' || c == '\n' || c == '\r'; }, ' ');
  return text;
}

std::vector<Cell> cells_of(const BenchResult& r, const BenchColumns& columns) {
  const auto object = as_json(r);
  const std::vector<double> rates = r.tokens_per_second();
  std::vector<Cell> cells = {{"model", -30, without_bars(r.model.type)},
                             {"size", 10, size_text(r.model.bytes)},
                             {"params", 10, count_text(r.model.parameters)},
                             {"backend", -10, r.backend},
                             {"threads", 7, std::to_string(r.threads)}};
  if (columns.batch) cells.push_back({"n_ubatch", 8, std::to_string(r.batch)});
  if (columns.kv_formats) {
    cells.push_back({"type_k", 6, string_of(object["type_k"])});
    cells.push_back({"type_v", 6, string_of(object["type_v"])});
  }
  cells.push_back({"test", columns.test_width, name(r.test)});
  cells.push_back(
      {"t/s", 20, fmt::format("{:.2f} ± {:.2f}", mean(rates), standard_deviation(rates))});
  if (columns.ratio) {
    cells.push_back({"of one", 7, r.ratio_to_one ? fmt::format("{:.2f}x", *r.ratio_to_one) : ""});
  }
  const int width = columns.limits ? 14 : 8;
  cells.push_back({"GB/s", width, rate_text(r.gbps(), r.limits, &MachineLimits::read_gbps)});
  cells.push_back({"GOPS", width, rate_text(r.gops(), r.limits, &MachineLimits::int8_gops)});
  cells.push_back({"peak memory", 11, r.peak_memory ? readable_size(*r.peak_memory) : "unknown"});
  return cells;
}

std::string quoted_for_csv(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

bool equal(const MachineLimits& a, const MachineLimits& b) {
  return a.threads == b.threads && a.isa == b.isa;
}

}  // namespace

BenchReport::BenchReport(BenchForm form, BenchColumns columns,
                         std::function<void(std::string_view)> print)
    : form_(form), columns_(columns), print_(std::move(print)) {}

void BenchReport::add(const BenchResult& result) {
  const auto same = [&](const MachineLimits& known) { return equal(known, *result.limits); };
  if (result.limits && std::ranges::none_of(limits_, same)) limits_.push_back(*result.limits);
  constexpr auto replace = nlohmann::ordered_json::error_handler_t::replace;
  switch (form_) {
    case BenchForm::md:
      return add_table_row(result);
    case BenchForm::csv:
      return add_csv_row(result);
    case BenchForm::jsonl:
      return print_(as_json(result).dump(-1, ' ', false, replace) + "\n");
    case BenchForm::json:
      all_.push_back(as_json(result));
  }
}

void BenchReport::add_table_row(const BenchResult& result) {
  std::string titles = "|", rule = "|", values = "|";
  for (const Cell& cell : cells_of(result, columns_)) {
    titles += fmt::format(" {} |", padded(cell.title, cell.width));
    const std::string line(static_cast<std::size_t>(std::abs(cell.width) - 1), '-');
    rule += fmt::format(" {}{} |", line, cell.width > 0 ? ':' : '-');
    values += fmt::format(" {} |", padded(cell.value, cell.width));
  }
  if (!std::exchange(begun_, true)) print_(titles + "\n" + rule + "\n");
  print_(values + "\n");
}

void BenchReport::add_csv_row(const BenchResult& result) {
  const auto object = as_json(result);
  std::string keys, values;
  for (const auto& [key, value] : object.items()) {
    if (value.is_array()) continue;
    keys += (keys.empty() ? "" : ",") + key;
    values += (values.empty() ? "" : ",") + quoted_for_csv(string_of(value));
  }
  if (!std::exchange(begun_, true)) print_(keys + "\n");
  print_(values + "\n");
}

void BenchReport::finish() {
  if (form_ == BenchForm::json) {
    print_(all_.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
  }
  if (form_ != BenchForm::md) return;
  print_("\n");
  for (const MachineLimits& m : limits_) {
    print_(fmt::format(
        "limits with {} thread{}, {}: read {:.1f} GB/s, int8 {:.1f} GOPS, float "
        "{:.1f} GFLOPS\n",
        m.threads, m.threads == 1 ? "" : "s", m.isa, m.read_gbps, m.int8_gops, m.float_gflops));
  }
  print_(fmt::format("build: {}\n", lamina_version()));
}

}  // namespace lamina
