// What goes to stdout: text as it comes, JSON objects, and nothing else.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string_view>

namespace lamina {

/// Writes and flushes; throws Error where stdout cannot take it.
void print_text(std::string_view text);

/// The value on lines of its own; bytes that are no UTF-8 become U+FFFD. `indent` -1: one line.
void print_json(const nlohmann::ordered_json& value, int indent = 2);

}  // namespace lamina
