// Truth, equality, order and items of values.
#include "runtime/chat_template/jinja/values/operations.h"

#include "runtime/chat_template/jinja/values/python_text.h"
#include "runtime/chat_template/jinja/values/search.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace lamina::jinja {
namespace {

void check_depth(std::size_t depth) {
  if (depth > most_nested_values) fail_limit("values nested too deep");
}

/// -1, 0 or 1; 2 where a NaN is in it. Exact also where the float cannot hold the int.
int order(Integer left, double right) {
  if (std::isnan(right)) return 2;
  if (right >= 0x1p127) return -1;
  if (right < -0x1p127) return 1;
  const auto whole = static_cast<Integer>(std::trunc(right));
  if (left != whole) return left < whole ? -1 : 1;
  const double rest = right - std::trunc(right);
  return rest > 0 ? -1 : rest < 0 ? 1 : 0;
}

std::optional<int> order_of_numbers(const Value& left, const Value& right) {
  const auto a = as_integer(left), b = as_integer(right);
  const double *x = left.real(), *y = right.real();
  if (a && b) return *a < *b ? -1 : *a > *b;
  if (a && y != nullptr) return order(*a, *y);
  if (x != nullptr && b) {
    const int reversed = order(*b, *x);
    return reversed == 2 ? 2 : -reversed;
  }
  if (x == nullptr || y == nullptr) return std::nullopt;
  if (std::isnan(*x) || std::isnan(*y)) return 2;
  return *x < *y ? -1 : *x > *y;
}

bool holds(Comparison how, int order) {
  if (order == 2) return how == Comparison::unequal;
  switch (how) {
    case Comparison::equal:
      return order == 0;
    case Comparison::unequal:
      return order != 0;
    case Comparison::less:
      return order < 0;
    case Comparison::less_equal:
      return order <= 0;
    case Comparison::greater:
      return order > 0;
    default:
      return order >= 0;
  }
}

const char* sign_of(Comparison how) {
  constexpr const char* signs[] = {"==", "!=", "<", "<=", ">", ">="};
  return signs[static_cast<int>(how)];
}

bool equal_dicts(Heap& heap, const Dict& left, const Dict& right, std::size_t depth) {
  if (left.size() != right.size()) return false;
  for (const auto& [key, value] : left.entries()) {
    const Value* other = right.find(key);
    if (other == nullptr || !equal(heap, value, *other, depth + 1)) return false;
  }
  return true;
}

bool equal_ranges(const Range& left, const Range& right) {
  const std::size_t size = left.size();
  if (size != right.size()) return false;
  return size == 0 || (left.start == right.start && (size == 1 || left.step == right.step));
}

bool equal_views(Heap& heap, const View& left, const View& right, std::size_t depth) {
  if (left.part != right.part || left.part == View::Part::values) return false;
  if (left.part == View::Part::items) return equal_dicts(heap, left.of(), right.of(), depth);
  const auto& entries = left.of().entries();
  return entries.size() == right.of().size() &&
         std::all_of(entries.begin(), entries.end(),
                     [&](const auto& entry) { return right.of().find(entry.first) != nullptr; });
}

bool equal_objects(Heap& heap, const Value& left, const Value& right, std::size_t depth) {
  const Object *a = left.object(), *b = right.object();
  if (a == b) return true;
  if (a == nullptr || b == nullptr || a->kind != b->kind) return false;
  if (const String* text = left.string()) {
    const std::string_view one = text->text.view(), other = right.string()->text.view();
    if (one.size() == other.size()) heap.work(one.size());
    return one == other;
  }
  if (const List* list = left.as<List>()) {
    const Values &x = list->items, &y = right.as<List>()->items;
    return x.size() == y.size() &&
           std::equal(x.begin(), x.end(), y.begin(), [&](const Value& one, const Value& other) {
             return equal(heap, one, other, depth + 1);
           });
  }
  if (const Dict* dict = left.as<Dict>()) return equal_dicts(heap, *dict, *right.as<Dict>(), depth);
  if (const Range* range = left.as<Range>()) return equal_ranges(*range, *right.as<Range>());
  if (const View* view = left.as<View>()) return equal_views(heap, *view, *right.as<View>(), depth);
  return false;
}

bool compare_lists(Heap& heap, Comparison how, const Values& left, const Values& right,
                   std::size_t depth) {
  check_depth(depth);
  std::size_t at = 0;
  while (at < left.size() && at < right.size() && equal(heap, left[at], right[at], depth + 1)) ++at;
  if (at < left.size() && at < right.size())
    return compare(heap, how, left[at], right[at], depth + 1);
  return holds(how, left.size() < right.size() ? -1 : left.size() > right.size());
}

std::size_t mix(std::size_t seed, std::size_t value) {
  return (seed ^ value) * 0x9E3779B97F4A7C15u + (seed << 6) + 0x7F4A7C15u;
}

}  // namespace

std::string type_name(const Value& value) {
  if (value.is_undefined()) return "Undefined";
  if (value.is_none()) return "NoneType";
  if (value.boolean() != nullptr) return "bool";
  if (value.integer() != nullptr) return "int";
  if (value.real() != nullptr) return "float";
  if (const String* text = value.string()) return text->markup ? "Markup" : "str";
  if (const View* view = value.as<View>()) {
    constexpr const char* names[] = {"dict_keys", "dict_values", "dict_items"};
    return names[static_cast<int>(view->part)];
  }
  constexpr const char* names[] = {
      "str",           "list",        "tuple",     "dict",   "range",
      "view",          "generator",   "Namespace", "method", "function",
      "Macro",         "LoopContext", "Cycler",    "Joiner", "TemplateReference",
      "BlockReference"};
  return names[static_cast<int>(value.object()->kind)];
}

std::optional<Integer> as_integer(const Value& value) {
  if (const bool* flag = value.boolean()) return Integer{*flag};
  if (const Integer* number = value.integer()) return *number;
  return std::nullopt;
}

std::optional<double> as_real(const Value& value) {
  if (const double* number = value.real()) return *number;
  if (const auto number = as_integer(value)) return static_cast<double>(*number);
  return std::nullopt;
}

std::ptrdiff_t to_index(const Value& value, const char* what) {
  const auto number = as_integer(value);
  if (!number) fail(std::string(what) + " must be an integer, not " + type_name(value));
  constexpr Integer most = PTRDIFF_MAX;
  return static_cast<std::ptrdiff_t>(std::clamp(*number, -most, most));
}

bool truth(const Value& value) {
  if (value.is_undefined() || value.is_none()) return false;
  if (const bool* flag = value.boolean()) return *flag;
  if (const Integer* number = value.integer()) return *number != 0;
  if (const double* number = value.real()) return *number != 0;
  const auto length = length_of(value);
  return !length || *length > 0;
}

bool equal(Heap& heap, const Value& left, const Value& right, std::size_t depth) {
  check_depth(depth);
  heap.touch();
  if (const auto order = order_of_numbers(left, right)) return *order == 0;
  if (left.is_undefined() || right.is_undefined()) {
    return left.is_undefined() && right.is_undefined();
  }
  if (left.is_none() || right.is_none()) return left.is_none() && right.is_none();
  return equal_objects(heap, left, right, depth);
}

bool compare(Heap& heap, Comparison how, const Value& left, const Value& right, std::size_t depth) {
  if (how == Comparison::equal) return equal(heap, left, right, depth);
  if (how == Comparison::unequal) return !equal(heap, left, right, depth);
  heap.touch();
  if (const auto order = order_of_numbers(left, right)) return holds(how, *order);
  if (left.is_undefined()) fail(left.undefined_message());
  if (right.is_undefined()) fail(right.undefined_message());
  const String *a = left.string(), *b = right.string();
  if (a != nullptr && b != nullptr) {
    heap.work(std::min(a->text.size(), b->text.size()));
    const int order = a->text.view().compare(b->text.view());
    return holds(how, order < 0 ? -1 : order > 0);
  }
  const List *x = left.as<List>(), *y = right.as<List>();
  if (x != nullptr && y != nullptr && x->kind == y->kind) {
    return compare_lists(heap, how, x->items, y->items, depth);
  }
  fail(std::string("'") + sign_of(how) + "' not supported between instances of '" +
       type_name(left) + "' and '" + type_name(right) + "'");
}

std::size_t hash_of(Heap& heap, const Value& value, std::size_t depth) {
  check_depth(depth);
  heap.touch();
  if (const auto number = as_integer(value)) return static_cast<std::size_t>(*number);
  if (const double* number = value.real()) {
    const bool whole = std::trunc(*number) == *number && std::abs(*number) < 0x1p127;
    return whole ? static_cast<std::size_t>(static_cast<Integer>(*number))
                 : std::hash<double>()(*number);
  }
  if (value.is_undefined()) return 1;
  if (value.is_none()) return 2;
  if (const String* text = value.string()) {
    heap.work(text->text.size());
    return std::hash<std::string_view>()(text->text.view());
  }
  if (const List* tuple = value.as<List>();
      tuple != nullptr && tuple->kind == Object::Kind::tuple) {
    std::size_t hash = tuple->items.size();
    for (const Value& item : tuple->items) hash = mix(hash, hash_of(heap, item, depth + 1));
    return hash;
  }
  if (const Range* range = value.as<Range>()) return range->size();
  if (value.as<List>() != nullptr || value.as<Dict>() != nullptr || value.as<View>() != nullptr) {
    fail("unhashable type: '" + type_name(value) + "'");
  }
  return std::hash<const Object*>()(value.object());
}

bool contains(Heap& heap, const Value& container, const Value& item) {
  if (const String* text = container.string()) {
    const String* part = item.string();
    if (part == nullptr) {
      fail("'in <string>' requires string as left operand, not " + type_name(item));
    }
    return Search(heap, part->text.view()).first(text->text.view()) != std::string_view::npos;
  }
  if (const Dict* dict = container.as<Dict>()) return dict->find(item) != nullptr;
  if (const View* view = container.as<View>(); view != nullptr && view->part == View::Part::keys) {
    return view->of().find(item) != nullptr;
  }
  if (!is_iterable(container)) {
    fail("argument of type '" + type_name(container) + "' is not iterable");
  }
  if (Iterator* iterator = container.as<Iterator>()) {
    for (Value next; iterator->next(next);) {
      if (same(next, item) || equal(heap, next, item)) return true;
    }
    return false;
  }
  const Values items = items_of(heap, container);
  return std::any_of(items.begin(), items.end(), [&](const Value& each) {
    return same(each, item) || equal(heap, each, item);
  });
}

bool same(const Value& left, const Value& right) {
  if (left.object() != nullptr || right.object() != nullptr) {
    const String *a = left.string(), *b = right.string();
    // Python keeps one empty string and one of each of the first characters.
    const bool interned = a != nullptr && b != nullptr && !a->markup && !b->markup &&
                          a->text.length() <= 1 && a->text.view() == b->text.view();
    return interned || left.object() == right.object();
  }
  if (left.data().index() != right.data().index()) return false;
  if (const Integer* number = left.integer()) {
    return *number == *right.integer() && *number >= -5 && *number <= 256;
  }
  if (left.is_undefined()) {
    return std::get<Value::Undefined>(left.data()) == std::get<Value::Undefined>(right.data());
  }
  if (const bool* flag = left.boolean()) return *flag == *right.boolean();
  return left.is_none();
}

bool is_iterable(const Value& value) {
  if (value.is_undefined()) return true;
  const Object* object = value.object();
  if (object == nullptr) return false;
  switch (object->kind) {
    case Object::Kind::string:
    case Object::Kind::list:
    case Object::Kind::tuple:
    case Object::Kind::dict:
    case Object::Kind::range:
    case Object::Kind::view:
    case Object::Kind::iterator:
      return true;
    default:
      return false;
  }
}

namespace {

Values items_of_view(Heap& heap, const View& view) {
  Values items;
  heap.touch(view.of().size());
  for (const auto& [key, value] : view.of().entries()) {
    if (view.part == View::Part::items) {
      items.push_back(heap.tuple({key, value}));
    } else {
      items.push_back(view.part == View::Part::keys ? key : value);
    }
  }
  return items;
}

Values characters_of(Heap& heap, const Text& text) {
  heap.check_items(text.length());
  Values items;
  items.reserve(text.length());
  for (Characters at(text); !at.done(); at.next()) {
    items.push_back(heap.string(Text(at.bytes(), at.from_user())));
  }
  return items;
}

}  // namespace

Values items_of(Heap& heap, const Value& value) {
  if (value.is_undefined()) return {};
  if (const String* text = value.string()) return characters_of(heap, text->text);
  if (const List* list = value.as<List>()) {
    heap.touch(list->items.size());
    return list->items;
  }
  if (const View* view = value.as<View>()) return items_of_view(heap, *view);
  Values items;
  if (const Dict* dict = value.as<Dict>()) {
    for (const auto& entry : dict->entries()) items.push_back(entry.first);
    heap.touch(items.size());
  } else if (const Range* range = value.as<Range>()) {
    const std::size_t size = range->size();
    heap.touch(size);
    items.reserve(size);
    for (std::size_t i = 0; i < size; ++i) {
      items.push_back(range->start + range->step * static_cast<Integer>(i));
    }
  } else if (Iterator* iterator = value.as<Iterator>()) {
    heap.touch(iterator->items.size() - iterator->at);
    for (Value next; iterator->next(next);) items.push_back(next);
  } else {
    fail("'" + type_name(value) + "' object is not iterable");
  }
  return items;
}

std::optional<std::size_t> length_of(const Value& value) {
  if (value.is_undefined()) return 0;
  if (const String* text = value.string()) return text->text.length();
  if (const List* list = value.as<List>()) return list->items.size();
  if (const Dict* dict = value.as<Dict>()) return dict->size();
  if (const Range* range = value.as<Range>()) return range->size();
  if (const View* view = value.as<View>()) return view->of().size();
  return std::nullopt;
}

}  // namespace lamina::jinja
