// What goes to stdout: text as it comes, JSON objects, and nothing else.
#pragma once

#include <fmt/format.h>
#include <nlohmann/json_fwd.hpp>

#include <concepts>
#include <string>
#include <string_view>

namespace lamina {

struct Timings;  // runtime/generate.h

/// Writes and flushes; throws Error where stdout cannot take it.
void print_text(std::string_view text);

/// The value on lines of its own; bytes that are no UTF-8 become U+FFFD. `indent` -1: one line.
void print_json(const nlohmann::ordered_json& value, int indent = 2);

/// "1 token", "3 tokens".
template <std::integral Count>
std::string counted(Count count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// The `timings` of a JSON answer, by the names that llama.cpp gives them and a few more.
nlohmann::ordered_json timings_json(const Timings& timings, double load_ms);

/// The line on stderr that ends a command which generates.
void print_timings(const Timings& timings, double load_ms);

}  // namespace lamina
