// Bounds read from text once, then found by halving.
#include "runtime/unicode/code_point_sets.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <iterator>

namespace lamina {
namespace {

/// The hexadecimal numbers of `runs`.
std::vector<char32_t> numbers_of(std::string_view runs) {
  std::vector<char32_t> numbers;
  const char* at = runs.data();
  const char* const end = at + runs.size();
  while (at != end) {
    unsigned value = 0;
    const auto read = std::from_chars(at, end, value, 16);
    at = read.ptr == at ? at + 1 : read.ptr;
    if (read.ec == std::errc()) numbers.push_back(value);
  }
  return numbers;
}

constexpr std::size_t index_at(std::ptrdiff_t distance) {
  return static_cast<std::size_t>(distance);
}

struct Scripts {
  std::vector<char32_t> ends;
  std::vector<unsigned> numbers;

  Scripts() {
    const std::vector<char32_t> runs = numbers_of(code_point_runs::scripts);
    char32_t end = 0;
    for (std::size_t i = 0; i + 1 < runs.size(); i += 2) {
      ends.push_back(end += runs[i]);
      numbers.push_back(runs[i + 1]);
    }
  }
};

}  // namespace

CodePointSet::CodePointSet(std::string_view runs) : bounds_(numbers_of(runs)) {
  char32_t end = 0;
  for (char32_t& bound : bounds_) bound = end += bound;
}

bool CodePointSet::contains(char32_t code) const {
  const auto after = std::upper_bound(bounds_.begin(), bounds_.end(), code);
  return (after - bounds_.begin()) % 2 == 1;
}

namespace code_points {
const CodePointSet& combining_marks() {
  static const CodePointSet set(code_point_runs::combining_marks);
  return set;
}
const CodePointSet& nonspacing_marks() {
  static const CodePointSet set(code_point_runs::nonspacing_marks);
  return set;
}
const CodePointSet& controls() {
  static const CodePointSet set(code_point_runs::controls);
  return set;
}
const CodePointSet& punctuation() {
  static const CodePointSet set(code_point_runs::punctuation);
  return set;
}
const CodePointSet& numbers() {
  static const CodePointSet set(code_point_runs::numbers);
  return set;
}
const CodePointSet& composing() {
  static const CodePointSet set(code_point_runs::composing);
  return set;
}
}  // namespace code_points

unsigned script_number(char32_t code) {
  static const Scripts scripts;
  const auto run = std::upper_bound(scripts.ends.begin(), scripts.ends.end(), code);
  return run == scripts.ends.end() ? 0 : scripts.numbers[index_at(run - scripts.ends.begin())];
}

}  // namespace lamina
