// The filters of jinja2, with `tojson` as transformers has it and `from_json` besides.
//
// urlize, random and lipsum, which make HTML or are not the same twice, are refused.
#pragma once

#include "runtime/chat_template/jinja/evaluation/arguments.h"
#include "runtime/chat_template/jinja/values/heap.h"
#include "runtime/chat_template/jinja/values/value.h"

#include <string_view>

namespace lamina::jinja {

bool is_filter(std::string_view name);
/// Throws TemplateFault where the filter does not exist, or fails.
Value apply_filter(Heap& heap, std::string_view name, const Value& value,
                   const Arguments& arguments);

}  // namespace lamina::jinja
