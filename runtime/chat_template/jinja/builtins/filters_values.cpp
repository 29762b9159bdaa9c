// Filters of any value: defaults, lengths, numbers, attributes, JSON.
#include "runtime/chat_template/jinja/builtins/filter_tables.h"
#include "runtime/chat_template/jinja/values/json_values.h"
#include "runtime/chat_template/jinja/values/numbers.h"
#include "runtime/chat_template/jinja/values/operations.h"
#include "runtime/chat_template/jinja/values/python_text.h"

#include <cmath>

namespace lamina::jinja {
namespace {

Value or_default(const FilterCall& call) {
  const Parameters given(call.name, call.arguments, {"default_value", "boolean"});
  const bool absent = call.value.is_undefined() || (given.flag(1, false) && !truth(call.value));
  if (!absent) return call.value;
  return given.has(0) ? given[0] : call.heap.string("");
}

Value length(const FilterCall& call) {
  const Parameters none(call.name, call.arguments, {});
  const auto size = length_of(call.value);
  if (!size) fail("object of type '" + type_name(call.value) + "' has no len()");
  return *size;
}

Value absolute(const FilterCall& call) {
  const Parameters none("abs", call.arguments, {});
  if (const double* number = call.value.real()) return std::abs(*number);
  const auto number = as_integer(call.value);
  if (!number) fail("bad operand type for abs(): '" + type_name(call.value) + "'");
  return *number < 0 ? negate(call.value) : Value(*number);
}

/// int(value); nothing where Python raises TypeError or ValueError.
std::optional<Integer> whole(Heap& heap, const Value& value, const Value& base) {
  if (const String* text = value.string()) {
    const auto chosen = as_integer(base);
    if (chosen) {
      if (const auto number = parse_integer(heap, text->text, *chosen)) return number;
    }
    const auto number = parse_float(heap, text->text);
    return number && std::isfinite(*number) ? std::optional(to_integer(*number)) : std::nullopt;
  }
  if (value.is_undefined()) fail(value.undefined_message());
  if (const double* number = value.real()) {
    return std::isnan(*number) ? std::nullopt : std::optional(to_integer(*number));
  }
  return as_integer(value);
}

Value to_int(const FilterCall& call) {
  const Parameters given("int", call.arguments, {"default", "base"});
  const auto number = whole(call.heap, call.value, given.value(1, Value(10)));
  return number ? Value(*number) : given.value(0, Value(0));
}

Value to_float(const FilterCall& call) {
  const Parameters given("float", call.arguments, {"default"});
  if (call.value.is_undefined()) fail(call.value.undefined_message());
  const auto number = call.value.string() != nullptr
                          ? parse_float(call.heap, call.value.string()->text)
                          : as_real(call.value);
  return number ? Value(*number) : given.value(0, Value(0.0));
}

Value round_up_or_down(const FilterCall& call, std::ptrdiff_t digits, bool up) {
  Heap& heap = call.heap;
  const Value unit =
      calculate(heap, Operator::power, Value(10), Value(static_cast<Integer>(digits)));
  const Value scaled = calculate(heap, Operator::multiply, call.value, unit);
  Value rounded = scaled;
  if (const double* number = scaled.real()) {
    rounded = to_integer(up ? std::ceil(*number) : std::floor(*number));
  }
  return calculate(heap, Operator::divide, rounded, unit);
}

Value round(const FilterCall& call) {
  const Parameters given("round", call.arguments, {"precision", "method"});
  const std::string_view method = given.has(1) ? given.text(1).text.view() : "common";
  if (method != "common" && method != "ceil" && method != "floor") {
    fail("method must be common, ceil or floor");
  }
  const bool to_whole = given.has(0) && given[0].is_none() && method == "common";
  const std::ptrdiff_t digits = to_whole ? 0 : given.index(0, 0);
  if (method != "common") return round_up_or_down(call, digits, method == "ceil");
  if (const double* number = call.value.real()) {
    const double rounded = round_to(*number, digits);
    return to_whole ? Value(to_integer(rounded)) : Value(rounded);
  }
  const auto number = as_integer(call.value);
  if (!number) fail("type " + type_name(call.value) + " doesn't define __round__ method");
  return round_to(*number, digits);
}

Value attribute_of(const FilterCall& call) {
  const Parameters given("attr", call.arguments, {"name"}, 1);
  const std::string name(given.text(0).text.view());
  if (call.value.is_undefined()) fail(call.value.undefined_message());
  if (!name.starts_with("__")) {
    if (auto found = member(call.heap, call.value, name)) return *found;
  }
  return Value::undefined("'" + type_name(call.value) + " object' has no attribute '" + name + "'");
}

Value to_json_text(const FilterCall& call) {
  const Parameters given("tojson", call.arguments,
                         {"ensure_ascii", "indent", "separators", "sort_keys"});
  JsonStyle style;
  style.ascii = given.flag(0, false);
  style.sort_keys = given.flag(3, false);
  if (given.has(1) && !given[1].is_none()) {
    if (const String* text = given[1].string()) {
      style.indent = std::string(text->text.view());
    } else {
      const std::ptrdiff_t width = given.index(1, 0);
      call.heap.check_length(width > 0 ? static_cast<std::size_t>(width) : 0);
      style.indent = std::string(width > 0 ? static_cast<std::size_t>(width) : 0, ' ');
    }
    style.item_separator = Text(",");
  }
  if (given.has(2) && !given[2].is_none()) {
    const Values parts = items_of(call.heap, given[2]);
    if (parts.size() != 2 || parts[0].string() == nullptr || parts[1].string() == nullptr) {
      fail("tojson: separators must be two strings");
    }
    style.item_separator = parts[0].string()->text;
    style.key_separator = parts[1].string()->text;
  }
  return call.heap.string(to_json(call.heap, call.value, style));
}

Value from_json_text(const FilterCall& call) {
  const Parameters none("from_json", call.arguments, {});
  if (call.value.string() == nullptr) {
    fail("from_json takes a text, not " + type_name(call.value));
  }
  const Text& text = call.value.string()->text;
  call.heap.character_work(text.size());
  return parse_json(call.heap, text);
}

Value refuse_random(const FilterCall&) {
  fail("the filter random is refused: what it gives is not the same twice");
}

constexpr Filter filters[] = {{"default", or_default},
                              {"d", or_default},
                              {"length", length},
                              {"count", length},
                              {"abs", absolute},
                              {"int", to_int},
                              {"float", to_float},
                              {"round", round},
                              {"attr", attribute_of},
                              {"tojson", to_json_text},
                              {"from_json", from_json_text},
                              {"random", refuse_random}};

}  // namespace

std::span<const Filter> value_filters() { return filters; }

}  // namespace lamina::jinja
