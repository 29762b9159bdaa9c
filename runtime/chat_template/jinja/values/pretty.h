// Values and texts laid out as Python's pprint and textwrap do.
#pragma once

#include "runtime/chat_template/jinja/values/heap.h"
#include "runtime/chat_template/jinja/values/value.h"

#include <cstddef>
#include <vector>

namespace lamina::jinja {

/// pprint.pformat(value).
Text pretty_text(Heap& heap, const Value& value);

/// textwrap.wrap(line, width, expand_tabs=False, replace_whitespace=False, ...).
std::vector<Text> wrapped_lines(Heap& heap, const Text& line, std::size_t width,
                                bool break_long_words, bool break_on_hyphens);

}  // namespace lamina::jinja
