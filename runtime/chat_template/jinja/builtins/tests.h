// The tests of jinja2: what may stand after `is`.
#pragma once

#include "runtime/chat_template/jinja/evaluation/arguments.h"
#include "runtime/chat_template/jinja/values/heap.h"
#include "runtime/chat_template/jinja/values/value.h"

#include <string_view>

namespace lamina::jinja {

bool is_test(std::string_view name);
/// Throws TemplateFault where the test does not exist, or fails.
bool apply_test(Heap& heap, std::string_view name, const Value& value, const Arguments& arguments);

}  // namespace lamina::jinja
