// The filters by what they work on. (`filters.h` puts the tables together.)
#pragma once

#include "runtime/chat_template/jinja/evaluation/arguments.h"
#include "runtime/chat_template/jinja/values/heap.h"
#include "runtime/chat_template/jinja/values/value.h"

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace lamina::jinja {

/// One use of a filter.
struct FilterCall {
  Heap& heap;
  std::string_view name;
  const Value& value;
  const Arguments& arguments;

  /// The value if it is a string, else what it is written as.
  Value as_text() const;
};

struct Filter {
  std::string_view name;
  Value (*apply)(const FilterCall&);
};

std::span<const Filter> text_filters();
std::span<const Filter> layout_filters();
std::span<const Filter> list_filters();
std::span<const Filter> order_filters();
std::span<const Filter> value_filters();

/// Gets what a path such as "address.0.city" leads to; none: the value itself.
class AttributePath {
 public:
  AttributePath(Heap& heap, const Value& path);
  Value of(const Value& value) const;
  /// With `otherwise` in place of what is undefined.
  Value of(const Value& value, const Value& otherwise) const;

 private:
  Heap& heap_;
  Values parts_;
};

/// A string in lower case; anything else as it is.
Value without_case(Heap& heap, const Value& value);

}  // namespace lamina::jinja
