// Methods of list, tuple and dict.
//
// transformers forbids those that change a list or a dict; templates that were written for other
// engines use them, so they work here.
#include "runtime/chat_template/jinja/builtins/globals.h"
#include "runtime/chat_template/jinja/builtins/methods.h"
#include "runtime/chat_template/jinja/values/operations.h"
#include "runtime/chat_template/jinja/values/python_text.h"

#include <algorithm>
#include <cmath>

namespace lamina::jinja {
namespace {

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The place of an index that may count from the end; throws where it is outside.
std::size_t place_in(const Values& items, std::ptrdiff_t index, const char* what) {
  const auto size = static_cast<std::ptrdiff_t>(items.size());
  const std::ptrdiff_t place = index < 0 ? index + size : index;
  if (place < 0 || place >= size) fail(std::string(what) + " index out of range");
  return static_cast<std::size_t>(place);
}

/// Where a slice's bound lies.
std::ptrdiff_t clamped(const Values& items, std::ptrdiff_t index) {
  const auto size = static_cast<std::ptrdiff_t>(items.size());
  return std::clamp<std::ptrdiff_t>(index < 0 ? index + size : index, 0, size);
}

std::size_t position_of(Heap& heap, const Values& items, const Value& wanted,
                        std::ptrdiff_t from = 0) {
  const auto found = std::find_if(items.begin() + from, items.end(), [&](const Value& each) {
    return same(each, wanted) || equal(heap, each, wanted);
  });
  return static_cast<std::size_t>(found - items.begin());
}

Value index_of(Heap& heap, const Values& items, const Arguments& arguments) {
  const Parameters given("index", arguments, {"value", "start", "stop"}, 1, 3);
  const std::ptrdiff_t from = clamped(items, given.index(1, 0));
  const std::size_t at = position_of(heap, items, given[0], from);
  if (at >= static_cast<std::size_t>(clamped(items, given.index(2, PTRDIFF_MAX)))) {
    fail(std::string(repr(heap, given[0]).view()) + " is not in the list");
  }
  return at;
}

Value count_in(Heap& heap, const Values& items, const Arguments& arguments) {
  const Parameters given("count", arguments, {"value"}, 1, 1);
  return static_cast<std::size_t>(std::count_if(items.begin(), items.end(), [&](const Value& each) {
    return same(each, given[0]) || equal(heap, each, given[0]);
  }));
}

Value sort_list(Heap& heap, List& list, const Arguments& arguments) {
  const Parameters given("sort", arguments, {"key", "reverse"});
  if (!arguments.positional.empty()) fail("sort() takes no positional arguments");
  if (given.has(0) && !given[0].is_none()) fail("sort() with a key is not supported");
  heap.touch(list.items.size());
  const bool reverse = given.flag(1, false);
  std::stable_sort(list.items.begin(), list.items.end(), [&](const Value& a, const Value& b) {
    heap.touch(4);
    return reverse ? less(heap, b, a) : less(heap, a, b);
  });
  return None{};
}

/// Methods that change the list.
Value change_list(Heap& heap, List& list, std::string_view name, const Arguments& arguments) {
  Values& items = list.items;
  // Only append leaves the others where they are.
  heap.touch(name == "append" ? 1 : items.size());
  const auto at = [&](std::size_t place) {
    return items.begin() + static_cast<std::ptrdiff_t>(place);
  };
  Value result = None{};
  if (name == "append") {
    const Parameters given(name, arguments, {"object"}, 1, 1);
    items.push_back(given[0]);
  } else if (name == "extend") {
    const Parameters given(name, arguments, {"iterable"}, 1, 1);
    const Values more = items_of(heap, given[0]);
    heap.check_items(items.size() + more.size());
    items.insert(items.end(), more.begin(), more.end());
  } else if (name == "insert") {
    const Parameters given(name, arguments, {"index", "object"}, 2, 2);
    items.insert(items.begin() + clamped(items, given.index(0, 0)), given[1]);
  } else if (name == "pop") {
    const Parameters given(name, arguments, {"index"}, 0, 1);
    if (items.empty()) fail("pop from empty list");
    const std::size_t place = place_in(items, given.index(0, -1), "pop");
    result = items[place];
    items.erase(at(place));
  } else if (name == "remove") {
    const Parameters given(name, arguments, {"value"}, 1, 1);
    const std::size_t place = position_of(heap, items, given[0]);
    if (place == items.size()) fail("list.remove(x): x not in list");
    items.erase(at(place));
  } else {
    const Parameters none(name, arguments, {});
    if (name == "clear") heap.bury(list);
    if (name == "reverse") std::reverse(items.begin(), items.end());
  }
  heap.check_items(items.size());
  list.resized(items.size());
  return result;
}

Value get(Heap&, Dict& dict, const Arguments& arguments) {
  const Parameters given("get", arguments, {"key", "default"}, 1, 2);
  const Value* found = dict.find(given[0]);
  return found != nullptr ? *found : given.value(1, None{});
}

Value pop(Heap& heap, Dict& dict, const Arguments& arguments) {
  const Parameters given("pop", arguments, {"key", "default"}, 1, 2);
  const Value* found = dict.find(given[0]);
  if (found == nullptr) {
    if (!given.has(1)) fail("KeyError: " + std::string(repr(heap, given[0]).view()));
    return given[1];
  }
  const Value value = *found;
  dict.erase(given[0]);
  return value;
}

Value set_default(Heap&, Dict& dict, const Arguments& arguments) {
  const Parameters given("setdefault", arguments, {"key", "default"}, 1, 2);
  if (const Value* found = dict.find(given[0])) return *found;
  const Value value = given.value(1, None{});
  dict.set(given[0], value);
  return value;
}

Value update(Heap& heap, Dict& dict, const Arguments& arguments) {
  if (arguments.positional.size() > 1) fail("update expected at most 1 argument");
  if (!arguments.positional.empty()) update_dict(heap, dict, arguments.positional[0]);
  for (const auto& [name, value] : arguments.named) dict.set(heap.string(name), value);
  return None{};
}

Value pop_last(Heap& heap, Dict& dict) {
  if (dict.size() == 0) fail("popitem(): dictionary is empty");
  const auto [key, value] = dict.entries().back();
  dict.erase(key);
  return heap.tuple({key, value});
}

Value copy(Heap& heap, const Dict& dict) {
  const auto result = heap.dict();
  heap.touch(4 * dict.size());
  for (const auto& [key, value] : dict.entries()) result->set(key, value);
  return result;
}

Value from_keys(Heap& heap, const Arguments& arguments) {
  const Parameters given("fromkeys", arguments, {"iterable", "value"}, 1, 2);
  const auto result = heap.dict();
  for (const Value& key : items_of(heap, given[0])) result->set(key, given.value(1, None{}));
  return result;
}

Value call_number_method(const Value& self, std::string_view name) {
  const auto whole = as_integer(self);
  if (name == "is_integer") return std::trunc(*self.real()) == *self.real();
  if (name == "conjugate") return whole ? Value(*whole) : self;
  Integer rest = *whole;
  int bits = 0;
  for (; rest != 0; rest /= 2) ++bits;
  return bits;
}

}  // namespace

bool is_list_method(std::string_view name) {
  return is_one_of(name, {"append", "clear", "copy", "count", "extend", "index", "insert", "pop",
                          "remove", "reverse", "sort"});
}

bool is_tuple_method(std::string_view name) { return is_one_of(name, {"count", "index"}); }

bool is_dict_method(std::string_view name) {
  return is_one_of(name, {"clear", "copy", "fromkeys", "get", "items", "keys", "pop", "popitem",
                          "setdefault", "update", "values"});
}

Value call_list_method(Heap& heap, const Value& self, std::string_view name,
                       const Arguments& arguments) {
  List& list = *self.as<List>();
  if (name == "index") return index_of(heap, list.items, arguments);
  if (name == "count") return count_in(heap, list.items, arguments);
  if (name == "sort") return sort_list(heap, list, arguments);
  if (name != "copy") return change_list(heap, list, name, arguments);
  const Parameters none(name, arguments, {});
  return heap.list(list.items);
}

Value call_dict_method(Heap& heap, const Value& self, std::string_view name,
                       const Arguments& arguments) {
  Dict& dict = *self.as<Dict>();
  if (name == "get") return get(heap, dict, arguments);
  if (name == "pop") return pop(heap, dict, arguments);
  if (name == "setdefault") return set_default(heap, dict, arguments);
  if (name == "update") return update(heap, dict, arguments);
  if (name == "fromkeys") return from_keys(heap, arguments);
  const Parameters none(name, arguments, {});
  if (name == "copy") return copy(heap, dict);
  if (name == "popitem") return pop_last(heap, dict);
  if (name == "clear") {
    dict.clear();
    return None{};
  }
  const View::Part part = name == "keys"     ? View::Part::keys
                          : name == "values" ? View::Part::values
                                             : View::Part::items;
  return std::make_shared<View>(heap, self, part);
}

Value call_method(Heap& heap, const Method& method, const Arguments& arguments) {
  const Value& self = method.self;
  if (self.string() != nullptr) return call_text_method(heap, self, method.name, arguments);
  if (self.as<List>() != nullptr) return call_list_method(heap, self, method.name, arguments);
  if (self.as<Dict>() != nullptr) return call_dict_method(heap, self, method.name, arguments);
  if (self.as<Function>() != nullptr) return from_keys(heap, arguments);
  if (self.as<Range>() != nullptr) {
    const Values items = items_of(heap, self);
    return method.name == "index" ? index_of(heap, items, arguments)
                                  : count_in(heap, items, arguments);
  }
  const Parameters none(method.name, arguments, {});
  if (Cycler* cycler = self.as<Cycler>()) {
    if (method.name == "reset") {
      cycler->at = 0;
      return None{};
    }
    const std::size_t here = cycler->at;
    cycler->at = (here + 1) % cycler->items.size();
    return cycler->items[here];
  }
  return call_number_method(self, method.name);
}

}  // namespace lamina::jinja
