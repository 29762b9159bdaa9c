// The functions that every template may call.
#pragma once

#include "runtime/chat_template/jinja/evaluation/arguments.h"
#include "runtime/chat_template/jinja/values/heap.h"
#include "runtime/chat_template/jinja/values/value.h"

#include <memory>
#include <string_view>

namespace lamina::jinja {

bool is_global(std::string_view name);
Value call_global(Heap& heap, std::string_view name, const Arguments& arguments,
                  const RenderOptions& options);

/// Puts what `update` of a dict takes, a mapping or pairs, into one.
void update_dict(Heap& heap, Dict& dict, const Value& more);

/// A time as Python's strftime writes it. Throws TemplateFault where the format is wrong.
std::string format_time(Heap& heap, std::string_view format, const LocalTime& time);

}  // namespace lamina::jinja
