// How Python writes values: str(), repr(), numbers, and JSON.
#pragma once

#include "runtime/chat_template/jinja/values/heap.h"
#include "runtime/chat_template/jinja/values/value.h"

#include <optional>
#include <string>
#include <string_view>

namespace lamina::jinja {

std::string integer_text(Integer value, unsigned base = 10, bool upper = false);
/// The shortest decimal that is read back as the same number: repr() of a float.
std::string float_text(double value);

/// str(value) and repr(value).
Text to_text(Heap& heap, const Value& value);
Text repr(Heap& heap, const Value& value);
/// repr of a text; with `ascii`, everything else is escaped.
Text repr_of_text(const Text& text, bool ascii = false);

struct JsonStyle {
  bool ascii = false;                 // ensure_ascii
  std::optional<std::string> indent;  // what one level is indented by
  Text item_separator{", "};
  Text key_separator{": "};
  bool sort_keys = false;
};
/// json.dumps.
Text to_json(Heap& heap, const Value& value, const JsonStyle& style);

}  // namespace lamina::jinja
