// The table of filters.
#include "runtime/chat_template/jinja/builtins/filters.h"

#include "runtime/chat_template/jinja/builtins/filter_tables.h"
#include "runtime/chat_template/jinja/values/operations.h"
#include "runtime/chat_template/jinja/values/python_text.h"

namespace lamina::jinja {
namespace {

const Filter* find_filter(std::string_view name) {
  for (const auto table :
       {text_filters(), layout_filters(), list_filters(), order_filters(), value_filters()}) {
    for (const Filter& filter : table) {
      if (filter.name == name) return &filter;
    }
  }
  return nullptr;
}

}  // namespace

Value FilterCall::as_text() const {
  return value.string() != nullptr ? value : heap.string(to_text(heap, value));
}

bool is_filter(std::string_view name) { return find_filter(name) != nullptr; }

Value apply_filter(Heap& heap, std::string_view name, const Value& value,
                   const Arguments& arguments) {
  const Filter* filter = find_filter(name);
  if (filter == nullptr) fail("No filter named '" + std::string(name) + "' found.");
  return filter->apply({heap, name, value, arguments});
}

}  // namespace lamina::jinja
