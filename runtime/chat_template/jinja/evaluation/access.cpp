// How a template reaches into values: attributes, items and slices, as jinja2's sandbox allows.
//
// `a.b` looks for an attribute first, then for an item; `a["b"]` the other way round. What is not
// there is undefined, and so is every name that Python keeps to itself.
#include "runtime/chat_template/jinja/builtins/methods.h"
#include "runtime/chat_template/jinja/values/operations.h"
#include "runtime/chat_template/jinja/values/python_text.h"
#include "runtime/chat_template/jinja/values/text_functions.h"

#include <algorithm>

namespace lamina::jinja {
namespace {

/// What jinja2 says of a name that an object lacks.
Value missing(Heap& heap, const Value& object, const Value& name) {
  const std::string type = object.is_none() ? "None" : type_name(object) + " object";
  const std::string said(repr(heap, name).view());
  if (name.string() == nullptr) return Value::undefined(type + " has no element " + said);
  return Value::undefined("'" + type + "' has no attribute " + said);
}

bool is_private(std::string_view name) { return name.starts_with("__"); }

/// object[key] of Python; nothing where it raises TypeError or LookupError.
std::optional<Value> item(Heap& heap, const Value& object, const Value& key) {
  if (const Dict* dict = object.as<Dict>()) {
    try {
      const Value* found = dict->find(key);
      return found != nullptr ? std::optional(*found) : std::nullopt;
    } catch (const TemplateFault& fault) {
      if (fault.kind != TemplateFault::Kind::ordinary) throw;
      return std::nullopt;  // the key is not hashable
    }
  }
  const auto index = as_integer(key);
  const auto size = length_of(object);
  if (!index || !size) return std::nullopt;
  const auto count = static_cast<Integer>(*size);
  const Integer place = *index < 0 ? *index + count : *index;
  if (place < 0 || place >= count) return std::nullopt;
  const auto at = static_cast<std::size_t>(place);
  if (const List* list = object.as<List>()) return list->items[at];
  if (const Range* range = object.as<Range>()) return range->start + range->step * place;
  if (const String* text = object.string()) {
    const std::size_t begin = offset_of(heap, text->text, at);
    return heap.string(text->text.slice(begin, offset_of(heap, text->text, at + 1)), text->markup);
  }
  return std::nullopt;
}

}  // namespace

Value subscript(Heap& heap, const Value& object, const Value& key) {
  if (object.is_undefined()) fail(object.undefined_message());
  if (auto found = item(heap, object, key)) return *found;
  if (const String* name = key.string(); name != nullptr && !is_private(name->text.view())) {
    if (auto found = member(heap, object, name->text.view())) return *found;
  }
  return missing(heap, object, key);
}

Value attribute(Heap& heap, const Value& object, std::string_view name) {
  if (object.is_undefined()) fail(object.undefined_message());
  if (is_private(name)) {
    return Value::undefined("access to attribute '" + std::string(name) + "' of '" +
                            type_name(object) + "' object is unsafe.");
  }
  if (auto found = member(heap, object, name)) return *found;
  if (const Dict* dict = object.as<Dict>()) {
    if (const Value* found = dict->find(name)) return *found;
  }
  return missing(heap, object, heap.string(name));
}

namespace {

/// The positions that start:stop:step picks from `size` items, as slice.indices() has them.
struct Picked {
  Integer first = 0, step = 1;
  std::size_t count = 0;
};

Picked pick(std::size_t size, const Value& start, const Value& stop, const Value& step) {
  const auto bound = [](const Value& value) -> std::optional<Integer> {
    if (value.is_none()) return std::nullopt;
    const auto number = as_integer(value);
    if (!number) {
      fail("slice indices must be integers or None or have an __index__ method, not " +
           type_name(value));
    }
    return number;
  };
  const Integer by = bound(step).value_or(1), count = static_cast<Integer>(size);
  if (by == 0) fail("slice step cannot be zero");
  const Integer least = by < 0 ? -1 : 0, most = by < 0 ? count - 1 : count;
  const auto place = [&](std::optional<Integer> given, Integer otherwise) {
    if (!given) return otherwise;
    const Integer at = *given < 0 && *given > -count - 2 ? *given + count : *given;
    return std::clamp(at, least, most);
  };
  const Integer first = place(bound(start), by < 0 ? most : least);
  const Integer last = place(bound(stop), by < 0 ? least : most);
  const Integer distance = by < 0 ? first - last : last - first;
  if (distance <= 0) return {};
  const Integer stride = by < 0 ? -std::max(by, -count - 1) : std::min(by, count + 1);
  return {first, by < 0 ? -stride : stride, static_cast<std::size_t>((distance - 1) / stride + 1)};
}

Value slice_text(Heap& heap, const String& text, const Picked& picked) {
  const Text& all = text.text;
  Text result;
  if (picked.count > 0 && picked.step == 1) {
    const auto first = static_cast<std::size_t>(picked.first);
    result = all.slice(offset_of(heap, all, first), offset_of(heap, all, first + picked.count));
  } else if (picked.count > 0) {
    const Held memory(heap, (all.length() + 1) * sizeof(std::size_t));
    heap.character_work(all.size());
    std::vector<std::size_t> begins;
    begins.reserve(all.length() + 1);
    for (Characters at(all); !at.done(); at.next()) begins.push_back(at.offset());
    begins.push_back(all.size());
    for (std::size_t i = 0; i < picked.count; ++i) {
      const auto at =
          static_cast<std::size_t>(picked.first + picked.step * static_cast<Integer>(i));
      result.append(all, begins[at], begins[at + 1]);
    }
  }
  return heap.string(std::move(result), text.markup);
}

}  // namespace

Value slice(Heap& heap, const Value& object, const Value& start, const Value& stop,
            const Value& step) {
  if (object.is_undefined()) fail(object.undefined_message());
  const String* text = object.string();
  const List* list = object.as<List>();
  const Range* range = object.as<Range>();
  if (text == nullptr && list == nullptr && range == nullptr) {
    fail("'" + type_name(object) + "' object cannot be sliced");
  }
  const Picked picked = pick(*length_of(object), start, stop, step);
  if (text != nullptr) return slice_text(heap, *text, picked);
  if (range != nullptr) {
    const Integer by = range->step * picked.step, first = range->start + range->step * picked.first;
    return std::make_shared<Range>(first, first + by * static_cast<Integer>(picked.count), by);
  }
  heap.touch(picked.count);
  Values items;
  items.reserve(picked.count);
  for (std::size_t i = 0; i < picked.count; ++i) {
    items.push_back(list->items[static_cast<std::size_t>(picked.first +
                                                         picked.step * static_cast<Integer>(i))]);
  }
  return std::make_shared<List>(heap, std::move(items), list->kind);
}

Text escaped(Heap& heap, const Text& text) {
  heap.character_work(text.size());
  if (text.view().find_first_of("&<>'\"") == std::string_view::npos) return text;
  Text out;
  for (Characters at(text); !at.done(); at.next()) {
    const std::string_view here = at.bytes();
    const std::string_view entity = here == "&"    ? "&amp;"
                                    : here == "<"  ? "&lt;"
                                    : here == ">"  ? "&gt;"
                                    : here == "'"  ? "&#39;"
                                    : here == "\"" ? "&#34;"
                                                   : here;
    out.append(entity, at.from_user());
  }
  return out;
}

Text escaped(Heap& heap, const Value& value) {
  const String* text = value.string();
  return text != nullptr && text->markup ? to_text(heap, value)
                                         : escaped(heap, to_text(heap, value));
}

}  // namespace lamina::jinja
