// Numbers out of texts and out of each other, as Python's int(), float() and round() have them.
#pragma once

#include "runtime/chat_template/jinja/values/heap.h"
#include "runtime/chat_template/jinja/values/value.h"

#include <optional>

namespace lamina::jinja {

/// int(text, base); nothing where Python raises ValueError.
std::optional<Integer> parse_integer(Heap& heap, const Text& text, Integer base);
/// float(text).
std::optional<double> parse_float(Heap& heap, const Text& text);
/// int(number); throws where it is infinite, NaN or has more than 128 bits.
Integer to_integer(double number);
/// round(number, digits).
double round_to(double number, std::ptrdiff_t digits);
Integer round_to(Integer number, std::ptrdiff_t digits);

}  // namespace lamina::jinja
