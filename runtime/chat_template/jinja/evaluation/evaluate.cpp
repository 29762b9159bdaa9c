// The evaluator's expressions.
#include "runtime/chat_template/jinja/evaluation/evaluator.h"
#include "runtime/chat_template/jinja/builtins/filters.h"
#include "runtime/chat_template/jinja/builtins/globals.h"
#include "runtime/chat_template/jinja/values/operations.h"
#include "runtime/chat_template/jinja/values/python_text.h"
#include "runtime/chat_template/jinja/builtins/tests.h"

namespace lamina::jinja {

Value Evaluator::evaluate(const Expression& expression) {
  const Deeper deeper(depth_, most_nested_evaluation, "the template is");
  heap_.step();
  line_ = expression.line;
  const auto part = [&](std::size_t i) -> const Expression& { return *expression.parts[i]; };
  switch (expression.kind) {
    case Expression::Kind::constant:
      return expression.value;
    case Expression::Kind::name:
      return evaluate_name(expression.text);
    case Expression::Kind::attribute:
      return attribute(heap_, evaluate(part(0)), expression.text);
    case Expression::Kind::logical_not:
      return !truth(evaluate(part(0)));
    case Expression::Kind::logical_and:
    case Expression::Kind::logical_or: {
      Value left = evaluate(part(0));
      const bool decided = truth(left) == (expression.kind == Expression::Kind::logical_or);
      return decided ? left : evaluate(part(1));
    }
    case Expression::Kind::condition:
      if (truth(evaluate(part(0)))) return evaluate(part(1));
      if (expression.parts[2] != nullptr) return evaluate(part(2));
      return Value::undefined("the inline if-expression on line " +
                              std::to_string(expression.line) +
                              " evaluated to false and no else section was defined.");
    default:
      return evaluate_compound(expression);
  }
}

Value Evaluator::evaluate_compound(const Expression& expression) {
  const auto part = [&](std::size_t i) { return evaluate(*expression.parts[i]); };
  switch (expression.kind) {
    case Expression::Kind::list:
      return heap_.list(evaluate_all(expression.parts));
    case Expression::Kind::tuple:
      return heap_.tuple(evaluate_all(expression.parts));
    case Expression::Kind::dict:
      return evaluate_dict(expression);
    case Expression::Kind::item:
      return evaluate_item(expression);
    case Expression::Kind::call:
      return evaluate_call(expression);
    case Expression::Kind::filter:
      return evaluate_filter(expression);
    case Expression::Kind::test: {
      const Value value = part(0);
      return apply_test(heap_, expression.text, value, evaluate_arguments(expression.arguments));
    }
    case Expression::Kind::negative:
      return negate(part(0));
    case Expression::Kind::positive:
      return plus(part(0));
    case Expression::Kind::arithmetic: {
      const Value left = part(0);
      return calculate(heap_, expression.operation, left, part(1));
    }
    case Expression::Kind::concatenation:
      return evaluate_concatenation(expression);
    case Expression::Kind::comparison:
      return evaluate_comparison(expression);
    default:
      fail("this cannot be evaluated");
  }
}

Value Evaluator::evaluate_name(const std::string& name) {
  for (Scope* scope = scope_.get(); scope != nullptr; scope = scope->outer.get()) {
    if (const Value* value = scope->find(name)) {
      const auto* reason = std::get_if<Value::Undefined>(&value->data());
      if (reason != nullptr && *reason == nullptr) {
        return Value::undefined("'" + name + "' is undefined");
      }
      return *value;
    }
  }
  if (name == "self") return std::make_shared<Blocks>(tree_);
  if (const Value* value = variables_->find(name)) return *value;
  if (is_global(name)) return std::make_shared<Function>(name);
  return Value::undefined("'" + name + "' is undefined");
}

Values Evaluator::evaluate_all(const std::vector<ExpressionPointer>& expressions) {
  Values values;
  values.reserve(expressions.size());
  for (const ExpressionPointer& each : expressions) values.push_back(evaluate(*each));
  return values;
}

Value Evaluator::evaluate_dict(const Expression& expression) {
  const auto dict = heap_.dict();
  for (std::size_t i = 0; i + 1 < expression.parts.size(); i += 2) {
    const Value key = evaluate(*expression.parts[i]);
    dict->set(key, evaluate(*expression.parts[i + 1]));
  }
  return dict;
}

Value Evaluator::evaluate_item(const Expression& expression) {
  const Value object = evaluate(*expression.parts[0]);
  const Expression& index = *expression.parts[1];
  if (index.kind != Expression::Kind::slice) return subscript(heap_, object, evaluate(index));
  const auto bound = [&](std::size_t i) {
    return index.parts[i] != nullptr ? evaluate(*index.parts[i]) : Value(None{});
  };
  const Value start = bound(0), stop = bound(1), step = bound(2);
  return slice(heap_, object, start, stop, step);
}

bool Evaluator::holds(Expression::Relation relation, const Value& left, const Value& right) {
  using Relation = Expression::Relation;
  switch (relation) {
    case Relation::equal:
      return equal(heap_, left, right);
    case Relation::unequal:
      return !equal(heap_, left, right);
    case Relation::less:
      return compare(heap_, Comparison::less, left, right);
    case Relation::less_equal:
      return compare(heap_, Comparison::less_equal, left, right);
    case Relation::greater:
      return compare(heap_, Comparison::greater, left, right);
    case Relation::greater_equal:
      return compare(heap_, Comparison::greater_equal, left, right);
    case Relation::in:
      return contains(heap_, right, left);
    case Relation::not_in:
      break;
  }
  return !contains(heap_, right, left);
}

Value Evaluator::evaluate_comparison(const Expression& expression) {
  Value left = evaluate(*expression.parts[0]);
  for (std::size_t i = 0; i < expression.relations.size(); ++i) {
    Value right = evaluate(*expression.parts[i + 1]);
    if (!holds(expression.relations[i], left, right)) return false;
    left = std::move(right);
  }
  return true;
}

Value Evaluator::evaluate_concatenation(const Expression& expression) {
  Text text;
  for (const ExpressionPointer& part : expression.parts) {
    const Text more = to_text(heap_, evaluate(*part));
    heap_.check_length(text.size() + more.size());
    heap_.work(more.size());
    text.append(more);
  }
  return heap_.string(std::move(text));
}

Arguments Evaluator::evaluate_arguments(const CallArguments& written) {
  Arguments arguments{evaluate_all(written.positional), {}};
  for (const auto& [name, value] : written.named) {
    arguments.named.emplace_back(name, evaluate(*value));
  }
  if (written.unpacked != nullptr) {
    for (Value& item : items_of(heap_, evaluate(*written.unpacked))) {
      arguments.positional.push_back(std::move(item));
    }
  }
  if (written.unpacked_named != nullptr) {
    const Value more = evaluate(*written.unpacked_named);
    const Dict* dict = more.as<Dict>();
    if (dict == nullptr) fail("argument after ** must be a mapping, not " + type_name(more));
    for (const auto& [key, value] : dict->entries()) {
      if (key.string() == nullptr) fail("keywords must be strings");
      const std::string name(key.string()->text.view());
      heap_.touch(4 + arguments.named.size());
      for (const auto& each : arguments.named) {
        if (each.first == name) fail("got multiple values for keyword argument '" + name + "'");
      }
      arguments.named.emplace_back(name, value);
    }
  }
  return arguments;
}

Value Evaluator::evaluate_call(const Expression& expression, const Value* caller) {
  const Value function = evaluate(*expression.parts[0]);
  Arguments arguments = evaluate_arguments(expression.arguments);
  if (caller != nullptr) {
    for (const auto& each : arguments.named) {
      if (each.first == "caller") fail("keyword argument repeated: caller");
    }
    arguments.named.emplace_back("caller", *caller);
  }
  line_ = expression.line;
  return call(function, arguments);
}

Value Evaluator::evaluate_filter(const Expression& expression) {
  const Value value = expression.parts.empty() ? *block_text_ : evaluate(*expression.parts[0]);
  const Arguments arguments = evaluate_arguments(expression.arguments);
  line_ = expression.line;
  return apply_filter(heap_, expression.text, value, arguments);
}

}  // namespace lamina::jinja
