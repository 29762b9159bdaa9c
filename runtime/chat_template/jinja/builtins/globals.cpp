// The functions that every template may call: jinja2's, and those that transformers adds.
#include "runtime/chat_template/jinja/builtins/globals.h"

#include "runtime/chat_template/jinja/values/operations.h"
#include "runtime/chat_template/jinja/values/python_text.h"

#include <algorithm>

namespace lamina::jinja {
namespace {

constexpr std::string_view names[] = {
    "range", "dict", "namespace", "cycler", "joiner", "raise_exception", "strftime_now", "lipsum"};

Value make_range(Heap& heap, const Arguments& arguments) {
  const Parameters given("range", arguments, {"start", "stop", "step"}, 1, 3);
  const auto number = [&](std::size_t at) {
    const auto value = as_integer(given[at]);
    if (!value) {
      if (given[at].is_undefined()) fail(given[at].undefined_message());
      fail("'" + type_name(given[at]) + "' object cannot be interpreted as an integer");
    }
    return *value;
  };
  const Integer start = given.has(1) ? number(0) : 0, stop = number(given.has(1) ? 1 : 0);
  const Integer step = given.has(2) ? number(2) : 1;
  if (step == 0) fail("range() arg 3 must not be zero");
  constexpr Integer far = Integer{1} << 100;
  if (start > far || start < -far || stop > far || stop < -far || step > far || step < -far) {
    fail("a range reaches too far");
  }
  const Integer distance = step > 0 ? stop - start : start - stop;
  const Integer size = distance > 0 ? (distance - 1) / (step > 0 ? step : -step) + 1 : 0;
  if (size > static_cast<Integer>(heap.limits().list_items)) {
    fail_limit("Range too big. Ranges larger than " + std::to_string(heap.limits().list_items) +
               " are refused.");
  }
  return std::make_shared<Range>(start, stop, step);
}

std::shared_ptr<Dict> make_dict(Heap& heap, const Arguments& arguments, const char* what) {
  if (arguments.positional.size() > 1) {
    fail(std::string(what) + " expected at most 1 argument, got " +
         std::to_string(arguments.positional.size()));
  }
  const auto dict = heap.dict();
  if (!arguments.positional.empty()) update_dict(heap, *dict, arguments.positional[0]);
  for (const auto& [name, value] : arguments.named) dict->set(heap.string(name), value);
  return dict;
}

Value make_namespace(Heap& heap, const Arguments& arguments) {
  const auto dict = make_dict(heap, arguments, "namespace");
  for (const auto& entry : dict->entries()) {
    const String* name = entry.first.string();
    if (name != nullptr && name->text.view().starts_with("_")) {
      fail("Chat templates cannot store underscore-prefixed attributes on a namespace, but got '" +
           std::string(name->text.view()) + "'");
    }
  }
  return std::make_shared<Namespace>(heap, dict);
}

Value make_cycler(Heap& heap, const Arguments& arguments) {
  if (!arguments.named.empty()) fail("cycler() got an unexpected keyword argument");
  if (arguments.positional.empty()) fail("at least one item has to be provided");
  return std::make_shared<Cycler>(heap, arguments.positional);
}

[[noreturn]] void raise(Heap& heap, const Arguments& arguments) {
  const Parameters given("raise_exception", arguments, {"message"}, 1);
  throw TemplateFault{std::string(to_text(heap, given[0]).view()), TemplateFault::Kind::raised};
}

}  // namespace

bool is_global(std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

void update_dict(Heap& heap, Dict& dict, const Value& more) {
  if (const Dict* other = more.as<Dict>()) {
    const auto entries = other->entries();
    heap.touch(4 * entries.size());
    for (const auto& [key, value] : entries) dict.set(key, value);
    return;
  }
  for (const Value& pair : items_of(heap, more)) {
    heap.touch(4);
    if (!is_iterable(pair)) fail("cannot convert a sequence of " + type_name(pair) + " to a dict");
    const Values parts = items_of(heap, pair);
    if (parts.size() != 2) {
      fail("dictionary update sequence element has length " + std::to_string(parts.size()) +
           "; 2 is required");
    }
    dict.set(parts[0], parts[1]);
  }
}

Value call_global(Heap& heap, std::string_view name, const Arguments& arguments,
                  const RenderOptions& options) {
  if (name == "range") return make_range(heap, arguments);
  if (name == "dict") return make_dict(heap, arguments, "dict");
  if (name == "namespace") return make_namespace(heap, arguments);
  if (name == "cycler") return make_cycler(heap, arguments);
  if (name == "joiner") {
    const Parameters given("joiner", arguments, {"sep"});
    return std::make_shared<Joiner>(heap, given.has(0) ? given[0] : heap.string(", "));
  }
  if (name == "raise_exception") raise(heap, arguments);
  if (name == "strftime_now") {
    const Parameters given("strftime_now", arguments, {"format"}, 1);
    return heap.string(format_time(heap, given.text(0).text.view(), options.clock()));
  }
  fail(std::string(name) + "() is refused: what it makes is not the same twice");
}

}  // namespace lamina::jinja
