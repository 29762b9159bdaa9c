// The tests of jinja2.
#include "runtime/chat_template/jinja/builtins/tests.h"

#include "runtime/chat_template/jinja/builtins/filters.h"
#include "runtime/chat_template/jinja/values/operations.h"
#include "runtime/chat_template/jinja/values/python_text.h"
#include "runtime/chat_template/jinja/values/text_functions.h"

#include <algorithm>
#include <functional>
#include <iterator>

namespace lamina::jinja {
namespace {

bool is_number(const Value& value) { return as_real(value).has_value(); }

/// Whether a value has `__getitem__`, which undefined values say of themselves.
bool is_sequence(const Value& value) {
  return length_of(value).has_value() && value.as<View>() == nullptr;
}

bool is_callable(const Value& value) {
  if (value.is_undefined()) return true;
  const Object* object = value.object();
  if (object == nullptr) return false;
  switch (object->kind) {
    case Object::Kind::function:
    case Object::Kind::method:
    case Object::Kind::macro:
    case Object::Kind::loop:
    case Object::Kind::joiner:
    case Object::Kind::block:
      return true;
    default:
      return false;
  }
}

bool remainder_is(Heap& heap, const Value& value, const Value& divisor, int rest) {
  return equal(heap, calculate(heap, Operator::modulo, value, divisor), rest);
}

bool is_named(Heap& heap, const Value& value, bool (*exists)(std::string_view)) {
  const String* name = value.string();
  if (name == nullptr) static_cast<void>(hash_of(heap, value));
  return name != nullptr && exists(name->text.view());
}

struct Test {
  std::string_view name;
  std::function<bool(Heap&, const Value&)> holds;
};

/// Those without an argument.
const Test tests[] = {
    {"odd", [](Heap& heap, const Value& value) { return remainder_is(heap, value, 2, 1); }},
    {"even", [](Heap& heap, const Value& value) { return remainder_is(heap, value, 2, 0); }},
    {"defined", [](Heap&, const Value& value) { return !value.is_undefined(); }},
    {"undefined", [](Heap&, const Value& value) { return value.is_undefined(); }},
    {"filter", [](Heap& heap, const Value& value) { return is_named(heap, value, is_filter); }},
    {"test", [](Heap& heap, const Value& value) { return is_named(heap, value, is_test); }},
    {"none", [](Heap&, const Value& value) { return value.is_none(); }},
    {"boolean", [](Heap&, const Value& value) { return value.boolean() != nullptr; }},
    {"false", [](Heap&, const Value& value) { return value.boolean() && !*value.boolean(); }},
    {"true", [](Heap&, const Value& value) { return value.boolean() && *value.boolean(); }},
    {"integer", [](Heap&, const Value& value) { return value.integer() != nullptr; }},
    {"float", [](Heap&, const Value& value) { return value.real() != nullptr; }},
    {"lower",
     [](Heap& heap, const Value& value) { return is_in_case(heap, to_text(heap, value), true); }},
    {"upper",
     [](Heap& heap, const Value& value) { return is_in_case(heap, to_text(heap, value), false); }},
    {"string", [](Heap&, const Value& value) { return value.string() != nullptr; }},
    {"mapping", [](Heap&, const Value& value) { return value.as<Dict>() != nullptr; }},
    {"number", [](Heap&, const Value& value) { return is_number(value); }},
    {"sequence", [](Heap&, const Value& value) { return is_sequence(value); }},
    {"iterable", [](Heap&, const Value& value) { return is_iterable(value); }},
    {"callable", [](Heap&, const Value& value) { return is_callable(value); }},
    {"escaped",
     [](Heap&, const Value& value) { return value.string() && value.string()->markup; }}};

struct Relation {
  std::string_view name;
  std::function<bool(Heap&, const Value&, const Value&)> holds;
};

template <Comparison how>
bool compared(Heap& heap, const Value& left, const Value& right) {
  return compare(heap, how, left, right);
}

/// Those with one.
const Relation relations[] = {
    {"divisibleby", [](Heap& heap, const Value& value,
                       const Value& by) { return remainder_is(heap, value, by, 0); }},
    {"sameas", [](Heap&, const Value& value, const Value& other) { return same(value, other); }},
    {"in",
     [](Heap& heap, const Value& value, const Value& all) { return contains(heap, all, value); }},
    {"==", compared<Comparison::equal>},
    {"eq", compared<Comparison::equal>},
    {"equalto", compared<Comparison::equal>},
    {"!=", compared<Comparison::unequal>},
    {"ne", compared<Comparison::unequal>},
    {">", compared<Comparison::greater>},
    {"gt", compared<Comparison::greater>},
    {"greaterthan", compared<Comparison::greater>},
    {">=", compared<Comparison::greater_equal>},
    {"ge", compared<Comparison::greater_equal>},
    {"<", compared<Comparison::less>},
    {"lt", compared<Comparison::less>},
    {"lessthan", compared<Comparison::less>},
    {"<=", compared<Comparison::less_equal>},
    {"le", compared<Comparison::less_equal>}};

template <class Table>
auto* find(const Table& table, std::string_view name) {
  const auto found = std::find_if(std::begin(table), std::end(table),
                                  [&](const auto& each) { return each.name == name; });
  return found == std::end(table) ? nullptr : &*found;
}

}  // namespace

bool is_test(std::string_view name) {
  return find(tests, name) != nullptr || find(relations, name) != nullptr;
}

bool apply_test(Heap& heap, std::string_view name, const Value& value, const Arguments& arguments) {
  if (const Test* test = find(tests, name)) {
    const Parameters none(name, arguments, {});
    return test->holds(heap, value);
  }
  if (const Relation* relation = find(relations, name)) {
    const bool has_name = name == "divisibleby" || name == "sameas" || name == "in";
    const Parameters given(name, arguments,
                           {name == "divisibleby" ? "num"
                            : name == "in"        ? "seq"
                                                  : "other"},
                           1, has_name ? 0 : 1);
    return relation->holds(heap, value, given[0]);
  }
  fail("No test named '" + std::string(name) + "' found.");
}

}  // namespace lamina::jinja
