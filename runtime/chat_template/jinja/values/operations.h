// What Python's operators and built-in functions make of values.
//
// Each throws TemplateFault where Python or jinja2 raise.
#pragma once

#include "runtime/chat_template/jinja/values/heap.h"
#include "runtime/chat_template/jinja/values/value.h"

#include <cstddef>
#include <optional>
#include <string>

namespace lamina::jinja {

/// The name of the type: int, str, NoneType...
std::string type_name(const Value& value);
/// The number of a bool or an int.
std::optional<Integer> as_integer(const Value& value);
/// The number of a bool, an int or a float.
std::optional<double> as_real(const Value& value);
/// An int that stands for a size, a width or a count; throws where the value is none.
std::ptrdiff_t to_index(const Value& value, const char* what);

bool truth(const Value& value);
bool equal(Heap& heap, const Value& left, const Value& right, std::size_t depth = 0);
/// Throws where the value cannot be a key.
std::size_t hash_of(Heap& heap, const Value& value, std::size_t depth = 0);

enum class Comparison { equal, unequal, less, less_equal, greater, greater_equal };
bool compare(Heap& heap, Comparison how, const Value& left, const Value& right,
             std::size_t depth = 0);
inline bool less(Heap& heap, const Value& left, const Value& right) {
  return compare(heap, Comparison::less, left, right);
}
bool contains(Heap& heap, const Value& container, const Value& item);
/// Python's `is`.
bool same(const Value& left, const Value& right);

bool is_iterable(const Value& value);
/// The items in order: characters of a string, keys of a dict; takes those of an iterator.
Values items_of(Heap& heap, const Value& value);
/// len(); nothing where the value has no length.
std::optional<std::size_t> length_of(const Value& value);

enum class Operator { add, subtract, multiply, divide, floor_divide, modulo, power };
Value calculate(Heap& heap, Operator how, const Value& left, const Value& right);
Value negate(const Value& value);
Value plus(const Value& value);

/// `object[key]` and `object.name` as jinja2's sandbox does them: undefined where there is none.
Value subscript(Heap& heap, const Value& object, const Value& key);
Value attribute(Heap& heap, const Value& object, std::string_view name);
/// `object[start:stop:step]`; an absent bound is none.
Value slice(Heap& heap, const Value& object, const Value& start, const Value& stop,
            const Value& step);
/// The value a method or an attribute of the object's type has; nothing where there is none.
std::optional<Value> member(Heap& heap, const Value& object, std::string_view name);

/// How something that is no data is written: a macro, `loop`...
std::string identity_text(const Value& value);

/// HTML's characters as entities; what is markup already is left as it is.
Text escaped(Heap& heap, const Value& value);
Text escaped(Heap& heap, const Text& text);

}  // namespace lamina::jinja
