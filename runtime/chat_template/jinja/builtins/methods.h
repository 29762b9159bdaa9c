// Methods of strings, lists, tuples and dicts: which there are, and what they do.
#pragma once

#include "runtime/chat_template/jinja/evaluation/arguments.h"
#include "runtime/chat_template/jinja/values/heap.h"
#include "runtime/chat_template/jinja/values/value.h"

#include <optional>
#include <string_view>

namespace lamina::jinja {

bool is_text_method(std::string_view name);
bool is_list_method(std::string_view name);
bool is_tuple_method(std::string_view name);
bool is_dict_method(std::string_view name);

Value call_text_method(Heap& heap, const Value& self, std::string_view name,
                       const Arguments& arguments);
Value call_list_method(Heap& heap, const Value& self, std::string_view name,
                       const Arguments& arguments);
Value call_dict_method(Heap& heap, const Value& self, std::string_view name,
                       const Arguments& arguments);
/// A method of whatever `method` belongs to, but for those of macros and loops.
Value call_method(Heap& heap, const Method& method, const Arguments& arguments);

}  // namespace lamina::jinja
