// Filters that compare: sort, dictsort, unique, min, max, groupby; and sum.
#include "runtime/chat_template/jinja/builtins/filter_tables.h"
#include "runtime/chat_template/jinja/values/operations.h"
#include "runtime/chat_template/jinja/values/text_functions.h"

#include <algorithm>
#include <memory>
#include <string>

namespace lamina::jinja {

AttributePath::AttributePath(Heap& heap, const Value& path) : heap_(heap) {
  if (path.is_none()) return;
  if (path.string() == nullptr) {
    parts_.push_back(path);
    return;
  }
  const Text dot(".");
  for (const Text& part : split(heap, path.string()->text, &dot, -1)) {
    const std::string_view name = part.view();
    const bool number = !name.empty() && name.find_first_not_of("0123456789") == name.npos;
    if (number && name.size() > 18) fail("an index of more than 18 digits");
    parts_.push_back(number ? Value(static_cast<Integer>(std::stoll(std::string(name))))
                            : heap.string(part));
  }
}

Value AttributePath::of(const Value& value) const {
  Value found = value;
  for (const Value& part : parts_) {
    heap_.touch(4);
    found = subscript(heap_, found, part);
  }
  return found;
}

Value AttributePath::of(const Value& value, const Value& otherwise) const {
  Value found = value;
  for (const Value& part : parts_) {
    heap_.touch(4);
    found = subscript(heap_, found, part);
    if (found.is_undefined()) found = otherwise;
  }
  return found;
}

Value without_case(Heap& heap, const Value& value) {
  const String* text = value.string();
  return text != nullptr ? heap.string(in_case(heap, text->text, Case::lower)) : value;
}

namespace {

struct Keyed {
  Value key;
  Value item;
};

/// Sorts by the keys; with `reverse`, what is equal keeps its order all the same.
void sort_by_key(Heap& heap, std::vector<Keyed>& items, bool reverse) {
  heap.touch(items.size());
  std::stable_sort(items.begin(), items.end(), [&](const Keyed& a, const Keyed& b) {
    heap.touch(4);
    return reverse ? less(heap, b.key, a.key) : less(heap, a.key, b.key);
  });
}

/// The values of several paths, "name,age", as one key.
class Keys {
 public:
  Keys(Heap& heap, const Value& paths, bool with_case) : heap_(heap), with_case_(with_case) {
    if (paths.string() == nullptr) {
      paths_.emplace_back(heap, paths);
      return;
    }
    const Text comma(",");
    for (const Text& path : split(heap, paths.string()->text, &comma, -1)) {
      paths_.emplace_back(heap, heap.string(path));
    }
  }
  Value of(const Value& item) const {
    Values key;
    for (const AttributePath& path : paths_) {
      const Value part = path.of(item);
      key.push_back(with_case_ ? part : without_case(heap_, part));
    }
    return heap_.list(std::move(key));
  }

 private:
  Heap& heap_;
  const bool with_case_;
  std::vector<AttributePath> paths_;
};

Values items_of_keyed(std::vector<Keyed>& keyed) {
  Values items;
  items.reserve(keyed.size());
  for (Keyed& each : keyed) items.push_back(std::move(each.item));
  return items;
}

/// Python's sorted() takes a number for `reverse`, not any value.
bool is_reversed(const Parameters& given, std::size_t at) {
  if (given.has(at) && !as_integer(given[at])) {
    fail("'" + type_name(given[at]) + "' object cannot be interpreted as an integer");
  }
  return given.flag(at, false);
}

Value sort(const FilterCall& call) {
  const Parameters given("sort", call.arguments, {"reverse", "case_sensitive", "attribute"});
  const Keys keys(call.heap, given.value(2, None{}), given.flag(1, false));
  std::vector<Keyed> keyed;
  for (const Value& item : items_of(call.heap, call.value)) {
    call.heap.touch(16);
    keyed.push_back({keys.of(item), item});
  }
  sort_by_key(call.heap, keyed, is_reversed(given, 0));
  return call.heap.list(items_of_keyed(keyed));
}

Value dict_sort(const FilterCall& call) {
  const Parameters given("dictsort", call.arguments, {"case_sensitive", "by", "reverse"});
  const std::string_view by = given.has(1) && given[1].string() != nullptr
                                  ? given[1].string()->text.view()
                                  : std::string_view(given.has(1) ? "" : "key");
  if (by != "key" && by != "value") fail("You can only sort by either \"key\" or \"value\"");
  const Dict* dict = call.value.as<Dict>();
  if (dict == nullptr) {
    if (call.value.is_undefined()) fail(call.value.undefined_message());
    fail("'" + type_name(call.value) + "' object has no attribute 'items'");
  }
  const bool with_case = given.flag(0, false);
  std::vector<Keyed> keyed;
  for (const auto& [name, value] : dict->entries()) {
    call.heap.touch(16);
    const Value& key = by == "key" ? name : value;
    keyed.push_back(
        {with_case ? key : without_case(call.heap, key), call.heap.tuple({name, value})});
  }
  sort_by_key(call.heap, keyed, is_reversed(given, 2));
  return call.heap.list(items_of_keyed(keyed));
}

Value unique(const FilterCall& call) {
  const Parameters given("unique", call.arguments, {"case_sensitive", "attribute"});
  const AttributePath path(call.heap, given.value(1, None{}));
  const bool with_case = given.flag(0, false);
  const auto iterator = std::make_shared<Iterator>(call.heap, Values{}, "unique");
  try {
    const auto seen = call.heap.dict();
    for (const Value& item : items_of(call.heap, call.value)) {
      call.heap.step();
      const Value part = path.of(item);
      const Value key = with_case ? part : without_case(call.heap, part);
      if (seen->find(key) != nullptr) continue;
      seen->set(key, None{});
      iterator->items.push_back(item);
    }
  } catch (const TemplateFault& fault) {
    if (fault.kind != TemplateFault::Kind::ordinary) throw;
    iterator->fault = std::make_unique<TemplateFault>(fault);
  }
  iterator->resized(iterator->items.size());
  return iterator;
}

/// min and max.
Value extreme(const FilterCall& call) {
  const Parameters given(call.name, call.arguments, {"case_sensitive", "attribute"});
  const Values items = items_of(call.heap, call.value);
  if (items.empty()) return Value::undefined("No aggregated item, sequence was empty.");
  const AttributePath path(call.heap, given.value(1, None{}));
  const bool with_case = given.flag(0, false);
  const auto key_of = [&](const Value& item) {
    const Value part = path.of(item);
    return with_case ? part : without_case(call.heap, part);
  };
  const Comparison better = call.name == "min" ? Comparison::less : Comparison::greater;
  Value best = items[0], best_key = key_of(items[0]);
  for (std::size_t i = 1; i < items.size(); ++i) {
    call.heap.step();
    const Value key = key_of(items[i]);
    if (!compare(call.heap, better, key, best_key)) continue;
    best = items[i];
    best_key = key;
  }
  return best;
}

Value group_by(const FilterCall& call) {
  const Parameters given("groupby", call.arguments, {"attribute", "default", "case_sensitive"}, 1);
  Heap& heap = call.heap;
  const AttributePath path(heap, given[0]);
  const bool with_case = given.flag(2, false);
  const bool has_default = given.has(1) && !given[1].is_none();
  const auto raw = [&](const Value& item) {
    return has_default ? path.of(item, given[1]) : path.of(item);
  };
  std::vector<Keyed> keyed;
  for (const Value& item : items_of(heap, call.value)) {
    heap.step();
    keyed.push_back({with_case ? raw(item) : without_case(heap, raw(item)), item});
  }
  sort_by_key(heap, keyed, false);
  Values groups;
  for (std::size_t begin = 0; begin < keyed.size();) {
    Values members;
    std::size_t end = begin;
    while (end < keyed.size() && equal(heap, keyed[end].key, keyed[begin].key)) {
      members.push_back(keyed[end++].item);
    }
    const Value key = with_case ? keyed[begin].key : raw(members[0]);
    const Value group = heap.tuple({key, heap.list(std::move(members))});
    group.as<List>()->group = true;
    groups.push_back(group);
    begin = end;
  }
  return heap.list(std::move(groups));
}

Value sum(const FilterCall& call) {
  const Parameters given("sum", call.arguments, {"attribute", "start"});
  const AttributePath path(call.heap, given.value(0, None{}));
  Value total = given.value(1, Value(0));
  if (total.string() != nullptr) fail("sum() can't sum strings [use ''.join(seq) instead]");
  for (const Value& item : items_of(call.heap, call.value)) {
    call.heap.step();
    total = calculate(call.heap, Operator::add, total, path.of(item));
  }
  return total;
}

constexpr Filter filters[] = {{"sort", sort},   {"dictsort", dict_sort}, {"unique", unique},
                              {"min", extreme}, {"max", extreme},        {"groupby", group_by},
                              {"sum", sum}};

}  // namespace

std::span<const Filter> order_filters() { return filters; }

}  // namespace lamina::jinja
