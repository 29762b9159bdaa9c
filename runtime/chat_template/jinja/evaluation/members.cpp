// Attributes that the types of a template's values have.
#include "runtime/chat_template/jinja/evaluation/evaluator.h"
#include "runtime/chat_template/jinja/evaluation/loop.h"
#include "runtime/chat_template/jinja/builtins/methods.h"
#include "runtime/chat_template/jinja/values/operations.h"

#include <string>

namespace lamina::jinja {
namespace {

Value method(Heap& heap, const Value& object, std::string_view name) {
  return std::make_shared<Method>(heap, object, std::string(name));
}

std::optional<Value> member_of_number(Heap& heap, const Value& number, std::string_view name) {
  const auto whole = as_integer(number);
  if (name == "real") return whole ? Value(*whole) : number;
  if (name == "imag") return whole ? Value(0) : Value(0.0);
  if (whole && name == "numerator") return *whole;
  if (whole && name == "denominator") return 1;
  const bool known =
      name == "conjugate" || (whole && name == "bit_length") || (!whole && name == "is_integer");
  return known ? std::optional(method(heap, number, name)) : std::nullopt;
}

std::optional<Value> member_of_list(Heap& heap, const Value& object, const List& list,
                                    std::string_view name) {
  if (list.kind == Object::Kind::list) {
    return is_list_method(name) ? std::optional(method(heap, object, name)) : std::nullopt;
  }
  if (list.group && name == "grouper") return list.items[0];
  if (list.group && name == "list") return list.items[1];
  return is_tuple_method(name) ? std::optional(method(heap, object, name)) : std::nullopt;
}

std::optional<Value> member_of_macro(Heap& heap, const Macro& macro, std::string_view name) {
  const Signature& signature = *macro.definition.signature;
  if (name == "name") {
    return macro.definition.text.empty() ? Value(None{}) : heap.string(macro.definition.text);
  }
  if (name == "catch_kwargs") return signature.takes_named;
  if (name == "catch_varargs") return signature.takes_positional;
  if (name == "caller") return signature.takes_caller;
  if (name != "arguments") return std::nullopt;
  Values names;
  for (const Parameter& each : signature.parameters) names.push_back(heap.string(each.name));
  return heap.tuple(std::move(names));
}

std::optional<Value> member_of_cycler(Heap& heap, const Value& object, const Cycler& cycler,
                                      std::string_view name) {
  if (name == "current") return cycler.items[cycler.at];
  if (name == "pos") return cycler.at;
  if (name == "items") return heap.tuple(cycler.items);
  if (name == "next" || name == "reset") return method(heap, object, name);
  return std::nullopt;
}

std::optional<Value> member_of_blocks(const Blocks& blocks, std::string_view name) {
  for (const auto& [block, statement] : blocks.tree.blocks) {
    if (block == name) return std::make_shared<BlockReference>(*statement);
  }
  return std::nullopt;
}

std::optional<Value> member_of_range(Heap& heap, const Value& object, const Range& range,
                                     std::string_view name) {
  if (name == "start") return range.start;
  if (name == "stop") return range.stop;
  if (name == "step") return range.step;
  if (is_tuple_method(name)) return method(heap, object, name);
  return std::nullopt;
}

}  // namespace

std::optional<Value> member(Heap& heap, const Value& object, std::string_view name) {
  const auto method_if = [&](bool known) {
    return known ? std::optional(method(heap, object, name)) : std::nullopt;
  };
  if (object.object() == nullptr) {
    return as_real(object) ? member_of_number(heap, object, name) : std::nullopt;
  }
  if (object.string() != nullptr) return method_if(is_text_method(name));
  if (object.as<Dict>() != nullptr) return method_if(is_dict_method(name));
  if (const List* list = object.as<List>()) return member_of_list(heap, object, *list, name);
  if (const Range* range = object.as<Range>()) return member_of_range(heap, object, *range, name);
  if (const Namespace* space = object.as<Namespace>()) {
    const Value* found = space->dict.as<Dict>()->find(name);
    return found != nullptr ? std::optional(*found) : std::nullopt;
  }
  if (Loop* loop = object.as<Loop>()) {
    if (name == "cycle" || name == "changed") return method(heap, object, name);
    return loop_member(*loop, name);
  }
  if (const Macro* macro = object.as<Macro>()) return member_of_macro(heap, *macro, name);
  if (const Cycler* cycler = object.as<Cycler>()) {
    return member_of_cycler(heap, object, *cycler, name);
  }
  if (const Joiner* joiner = object.as<Joiner>()) {
    if (name == "sep") return joiner->separator;
    if (name == "used") return joiner->used;
    return std::nullopt;
  }
  if (const Blocks* blocks = object.as<Blocks>()) return member_of_blocks(*blocks, name);
  const Function* function = object.as<Function>();
  return method_if(function != nullptr && function->name == "dict" && name == "fromkeys");
}

std::string identity_text(const Value& value) {
  if (const Macro* macro = value.as<Macro>()) {
    const std::string& name = macro->definition.text;
    return name.empty() ? "<Macro anonymous>" : "<Macro '" + name + "'>";
  }
  if (Loop* loop = value.as<Loop>()) {
    const std::string index = std::to_string(static_cast<std::size_t>(loop->index0 + 1));
    return "<LoopContext " + index + "/" + std::to_string(loop->length()) + ">";
  }
  return value.as<Blocks>() != nullptr ? "<TemplateReference None>" : "<" + type_name(value) + ">";
}

}  // namespace lamina::jinja
