// JSON as values of a template.
#pragma once

#include "runtime/chat_template/jinja/values/heap.h"
#include "runtime/chat_template/jinja/values/value.h"

#include <nlohmann/json.hpp>

namespace lamina::jinja {

/// The variables of a template: what a message or a document says is from the user. Throws
/// TemplateFault where a string is no UTF-8 or the nesting is too deep.
std::shared_ptr<Dict> variables_from_json(Heap& heap, const nlohmann::ordered_json& variables);
/// Reads JSON out of a text; its strings are from the user where any of the text is.
Value parse_json(Heap& heap, const Text& text);

}  // namespace lamina::jinja
