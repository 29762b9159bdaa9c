// The evaluator's calls: macros, the bodies of {% call %}, recursive loops, blocks.
#include "runtime/chat_template/jinja/evaluation/evaluator.h"
#include "runtime/chat_template/jinja/builtins/globals.h"
#include "runtime/chat_template/jinja/evaluation/loop.h"
#include "runtime/chat_template/jinja/builtins/methods.h"
#include "runtime/chat_template/jinja/values/operations.h"

#include <algorithm>

namespace lamina::jinja {

Value Evaluator::call(const Value& function, const Arguments& arguments) {
  if (function.is_undefined()) fail(function.undefined_message());
  if (const Function* global = function.as<Function>()) {
    return call_global(heap_, global->name, arguments, options_);
  }
  if (const Method* method = function.as<Method>()) {
    if (Loop* loop = method->self.as<Loop>()) {
      return method->name == "cycle" ? loop->cycle(arguments) : loop->changed(arguments);
    }
    return call_method(heap_, *method, arguments);
  }
  if (Macro* macro = function.as<Macro>()) return call_macro(*macro, arguments);
  if (Loop* loop = function.as<Loop>()) return call_loop(*loop, arguments);
  if (Joiner* joiner = function.as<Joiner>()) {
    const Parameters none("joiner", arguments, {});
    return std::exchange(joiner->used, true) ? joiner->separator : heap_.string("");
  }
  if (const BlockReference* reference = function.as<BlockReference>()) {
    const Parameters none(reference->block.text, arguments, {});
    return call_block(*reference);
  }
  fail("'" + type_name(function) + "' object is not callable");
}

Value Evaluator::call_macro(Macro& macro, const Arguments& arguments) {
  const Deeper deeper(calls_, heap_.limits().depth, "calls of macros are");
  const Restored scope(scope_);
  const Restored line(line_);
  scope_ = scope_around(macro.scope);
  bind(macro, arguments, *scope_);
  for (const std::string& name : macro.definition.bodies[0].hidden) scope_->set(name, {});
  Flow flow = Flow::on;
  return heap_.string(captured(macro.definition.bodies[0], flow));
}

void Evaluator::bind(Macro& macro, const Arguments& arguments, Scope& scope) {
  const Signature& signature = *macro.definition.signature;
  const auto& parameters = signature.parameters;
  const std::string name = macro.definition.text.empty() ? "caller" : macro.definition.text;
  auto named = arguments.named;
  const auto pop = [&](const std::string& wanted) {
    heap_.touch(1 + named.size());
    const auto found = std::find_if(named.begin(), named.end(),
                                    [&](const auto& each) { return each.first == wanted; });
    Value value;
    if (found != named.end()) {
      value = std::move(found->second);
      named.erase(found);
    }
    return value;
  };
  const std::size_t given = std::min(arguments.positional.size(), parameters.size());
  bool has_caller = false;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    has_caller = has_caller || (parameters[i].name == "caller");
    scope.set(parameters[i].name, i < given ? arguments.positional[i] : pop(parameters[i].name));
  }
  if (signature.takes_caller && !has_caller) {
    const bool there = std::any_of(named.begin(), named.end(),
                                   [](const auto& each) { return each.first == "caller"; });
    Value caller = pop("caller");
    scope.set("caller", there && !caller.is_none() ? std::move(caller)
                                                   : Value::undefined("No caller defined"));
  }
  if (signature.takes_named) {
    const auto rest = heap_.dict();
    for (const auto& each : named) rest->set(heap_.string(each.first), each.second);
    scope.set("kwargs", rest);
  } else if (!named.empty()) {
    fail("macro '" + name + "' takes no keyword argument '" + named[0].first + "'");
  }
  if (signature.takes_positional) {
    scope.set("varargs",
              heap_.tuple(Values(arguments.positional.begin() + static_cast<std::ptrdiff_t>(given),
                                 arguments.positional.end())));
  } else if (arguments.positional.size() > parameters.size()) {
    fail("macro '" + name + "' takes not more than " + std::to_string(parameters.size()) +
         " argument(s)");
  }
  for (const Parameter& parameter : parameters) {
    const Value& value = *scope.find(parameter.name);
    const auto* reason = std::get_if<Value::Undefined>(&value.data());
    if (reason == nullptr || *reason != nullptr) continue;
    scope.set(parameter.name,
              parameter.otherwise != nullptr
                  ? evaluate(*parameter.otherwise)
                  : Value::undefined("parameter '" + parameter.name + "' was not provided"));
  }
}

Value Evaluator::call_loop(Loop& loop, const Arguments& arguments) {
  const Parameters parameters("loop", arguments, {"iterable"}, 1);
  if (loop.recursive == nullptr) {
    fail("The loop must have the 'recursive' marker to be called recursively.");
  }
  const Deeper deeper(calls_, heap_.limits().depth, "calls of loops are");
  Output output(heap_);
  const Restored before(output_);
  const Restored line(line_);
  output_ = &output;
  execute_loop(*loop.recursive, parameters[0], loop.depth0 + 1, loop.scope.shared<Scope>());
  return heap_.string(output.take());
}

Value Evaluator::call_block(const BlockReference& reference) {
  const Deeper deeper(calls_, heap_.limits().depth, "calls of blocks are");
  Output output(heap_);
  const Restored before(output_);
  output_ = &output;
  execute_block(reference.block, root_);
  return heap_.string(output.take());
}

}  // namespace lamina::jinja
