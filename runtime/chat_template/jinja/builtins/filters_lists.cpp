// Filters of lists: taking items, mapping and selecting them, putting them together.
//
// Many of them are generators in jinja2: what they give can be gone through once, and a fault
// within shows when it is reached.
#include "runtime/chat_template/jinja/builtins/filter_tables.h"
#include "runtime/chat_template/jinja/builtins/filters.h"
#include "runtime/chat_template/jinja/values/operations.h"
#include "runtime/chat_template/jinja/values/python_text.h"
#include "runtime/chat_template/jinja/builtins/tests.h"
#include "runtime/chat_template/jinja/values/text_functions.h"

#include <algorithm>

namespace lamina::jinja {
namespace {

/// Calls `use` for the items one by one, so that those before a fault are used.
template <class Use>
void for_each_item(Heap& heap, const Value& value, const Use& use) {
  if (Iterator* iterator = value.as<Iterator>()) {
    for (Value item; iterator->next(item);) {
      heap.touch(8);
      use(item);
    }
    return;
  }
  for (const Value& item : items_of(heap, value)) {
    heap.touch(8);
    use(item);
  }
}

/// A generator: what `make` hands over until it ends or fails.
template <class Make>
Value generated(const FilterCall& call, const Make& make) {
  const auto iterator = std::make_shared<Iterator>(call.heap, Values{}, std::string(call.name));
  try {
    make([&](Value item) {
      call.heap.step();
      call.heap.check_items(iterator->items.size() + 1);
      iterator->items.push_back(std::move(item));
    });
  } catch (const TemplateFault& fault) {
    if (fault.kind != TemplateFault::Kind::ordinary) throw;
    iterator->fault = std::make_unique<TemplateFault>(fault);
  }
  iterator->resized(iterator->items.size());
  return iterator;
}

Arguments after_first(Heap& heap, const Arguments& arguments, std::size_t count) {
  heap.touch(4 * (arguments.positional.size() + arguments.named.size()));
  Arguments rest = arguments;
  rest.positional.erase(rest.positional.begin(),
                        rest.positional.begin() + static_cast<std::ptrdiff_t>(count));
  return rest;
}

std::string name_of(const Value& value, const char* what) {
  if (value.string() == nullptr) fail(std::string("No ") + what + " named " + type_name(value));
  return std::string(value.string()->text.view());
}

Value map_attribute(const FilterCall& call) {
  return generated(call, [&](const auto& add) {
    const Parameters given("map", call.arguments, {"attribute", "default"});
    const AttributePath path(call.heap, given[0]);
    const bool has_default = given.has(1) && !given[1].is_none();
    for_each_item(call.heap, call.value, [&](const Value& item) {
      add(has_default ? path.of(item, given[1]) : path.of(item));
    });
  });
}

Value map(const FilterCall& call) {
  const auto& named = call.arguments.named;
  const bool by_attribute = call.arguments.positional.empty() &&
                            std::any_of(named.begin(), named.end(),
                                        [](const auto& each) { return each.first == "attribute"; });
  if (by_attribute && truth(call.value)) return map_attribute(call);
  return generated(call, [&](const auto& add) {
    if (!truth(call.value)) return;
    if (call.arguments.positional.empty()) fail("map requires a filter argument");
    const std::string name = name_of(call.arguments.positional[0], "filter");
    const Arguments rest = after_first(call.heap, call.arguments, 1);
    for_each_item(call.heap, call.value,
                  [&](const Value& item) { add(apply_filter(call.heap, name, item, rest)); });
  });
}

/// select, reject, and both by an attribute.
Value select(const FilterCall& call) {
  const bool by_attribute = call.name.ends_with("attr");
  const bool wanted = call.name.starts_with("select");
  return generated(call, [&](const auto& add) {
    if (!truth(call.value)) return;
    const Values& positional = call.arguments.positional;
    if (by_attribute && positional.empty()) fail("Missing parameter for attribute name");
    const AttributePath path(call.heap, by_attribute ? positional[0] : Value(None{}));
    const std::size_t at = by_attribute ? 1 : 0;
    const bool tests = positional.size() > at;
    const Arguments rest = tests ? after_first(call.heap, call.arguments, at + 1) : Arguments{};
    for_each_item(call.heap, call.value, [&](const Value& item) {
      const Value tested = path.of(item);
      const bool holds = tests
                             ? apply_test(call.heap, name_of(positional[at], "test"), tested, rest)
                             : truth(tested);
      if (holds == wanted) add(item);
    });
  });
}

Value items(const FilterCall& call) {
  const Parameters none("items", call.arguments, {});
  return generated(call, [&](const auto& add) {
    if (call.value.is_undefined()) return;
    const Dict* dict = call.value.as<Dict>();
    if (dict == nullptr) fail("Can only get item pairs from a mapping.");
    for (const auto& [key, value] : dict->entries()) add(call.heap.tuple({key, value}));
  });
}

Value list(const FilterCall& call) {
  const Parameters none("list", call.arguments, {});
  return call.heap.list(items_of(call.heap, call.value));
}

Value first(const FilterCall& call) {
  const Parameters none("first", call.arguments, {});
  const Value empty = Value::undefined("No first item, sequence was empty.");
  if (Iterator* iterator = call.value.as<Iterator>()) {
    Value item;
    return iterator->next(item) ? item : empty;
  }
  if (const String* text = call.value.string()) {
    if (text->text.empty()) return empty;
    return call.heap.string(text->text.slice(0, text->text.offset(1)));
  }
  if (const List* list = call.value.as<List>()) return list->items.empty() ? empty : list->items[0];
  const Values all = items_of(call.heap, call.value);
  return all.empty() ? empty : all.front();
}

Value last(const FilterCall& call) {
  const Parameters none("last", call.arguments, {});
  const Value empty = Value::undefined("No last item, sequence was empty.");
  if (!length_of(call.value)) fail("'" + type_name(call.value) + "' object is not reversible");
  if (const String* text = call.value.string()) {
    if (text->text.empty()) return empty;
    const std::size_t begin = offset_of(call.heap, text->text, text->text.length() - 1);
    return call.heap.string(text->text.slice(begin, text->text.size()));
  }
  if (const List* list = call.value.as<List>()) {
    return list->items.empty() ? empty : list->items.back();
  }
  const Values all = items_of(call.heap, call.value);
  return all.empty() ? empty : all.back();
}

Value reverse(const FilterCall& call) {
  const Parameters none("reverse", call.arguments, {});
  const Value nothing = None{};
  if (call.value.string() != nullptr) {
    return slice(call.heap, call.value, nothing, nothing, Value(-1));
  }
  if (!is_iterable(call.value)) fail("argument must be iterable");
  Values all = items_of(call.heap, call.value);
  std::reverse(all.begin(), all.end());
  if (call.value.as<Iterator>() != nullptr) return call.heap.list(std::move(all));
  return std::make_shared<Iterator>(call.heap, std::move(all), "reverse");
}

Value join(const FilterCall& call) {
  const Parameters given("join", call.arguments, {"d", "attribute"});
  const AttributePath path(call.heap, given.value(1, None{}));
  Joined parts(call.heap, given.has(0) ? to_text(call.heap, given[0]) : Text());
  for_each_item(call.heap, call.value,
                [&](const Value& item) { parts.add(to_text(call.heap, path.of(item))); });
  return call.heap.string(parts.take());
}

Value batch(const FilterCall& call) {
  const Parameters given("batch", call.arguments, {"linecount", "fill_with"}, 1);
  return generated(call, [&](const auto& add) {
    Values line;
    for_each_item(call.heap, call.value, [&](const Value& item) {
      if (equal(call.heap, given[0], line.size())) {
        add(call.heap.list(std::move(line)));
        line.clear();
      }
      line.push_back(item);
    });
    if (line.empty()) return;
    if (given.has(1) && !given[1].is_none() && less(call.heap, line.size(), given[0])) {
      const auto count = static_cast<std::size_t>(given.index(0, 0));
      call.heap.check_items(count);
      line.resize(count, given[1]);
    }
    add(call.heap.list(std::move(line)));
  });
}

Value slices(const FilterCall& call) {
  const Parameters given("slice", call.arguments, {"slices", "fill_with"}, 1);
  return generated(call, [&](const auto& add) {
    const Values all = items_of(call.heap, call.value);
    const std::ptrdiff_t count = given.index(0, 0);
    if (count == 0) fail("integer division or modulo by zero");
    const auto size = static_cast<std::ptrdiff_t>(all.size());
    const std::ptrdiff_t each = count > 0 ? size / count : 0;
    const std::ptrdiff_t longer = count > 0 ? size % count : 0;
    std::ptrdiff_t begin = 0;
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      const std::ptrdiff_t end = begin + each + (i < longer ? 1 : 0);
      Values part(all.begin() + begin, all.begin() + end);
      if (given.has(1) && !given[1].is_none() && i >= longer) part.push_back(given[1]);
      add(call.heap.list(std::move(part)));
      begin = end;
    }
  });
}

constexpr Filter filters[] = {{"map", map},           {"select", select},     {"reject", select},
                              {"selectattr", select}, {"rejectattr", select}, {"items", items},
                              {"list", list},         {"first", first},       {"last", last},
                              {"reverse", reverse},   {"join", join},         {"batch", batch},
                              {"slice", slices}};

}  // namespace

std::span<const Filter> list_filters() { return filters; }

}  // namespace lamina::jinja
