// The evaluator's statements.
#include "runtime/chat_template/jinja/evaluation/evaluator.h"
#include "runtime/chat_template/jinja/evaluation/loop.h"
#include "runtime/chat_template/jinja/values/operations.h"
#include "runtime/chat_template/jinja/values/python_text.h"

#include <algorithm>

namespace lamina::jinja {

Value* Scope::find(std::string_view name) {
  for (auto& variable : variables) {
    heap.touch();
    if (variable.first == name) return &variable.second;
  }
  return nullptr;
}

void Scope::set(std::string_view name, Value value) {
  if (Value* known = find(name)) {
    *known = std::move(value);
    return;
  }
  variables.emplace_back(name, std::move(value));
  resized(2 * variables.size());
}

void Scope::release(Values& parts) {
  for (auto& variable : variables) parts.push_back(std::move(variable.second));
  variables.clear();
  if (outer != nullptr) parts.push_back(std::move(outer));
  outer = nullptr;
}

void Macro::release(Values& parts) {
  if (scope != nullptr) parts.push_back(std::move(scope));
  scope = nullptr;
}

void Output::append(const Text& text) {
  heap_.check_length(text_.size() + text.size());
  heap_.take(text.weight());
  counted_ += text.weight();
  heap_.work(text.size());
  text_.append(text);
}

Evaluator::Evaluator(Heap& heap, const TemplateTree& tree, const RenderOptions& options,
                     std::shared_ptr<Dict> variables)
    : heap_(heap),
      tree_(tree),
      options_(options),
      variables_(std::move(variables)),
      root_(std::make_shared<Scope>(heap, nullptr)),
      scope_(root_) {}

Text Evaluator::run() {
  Output output(heap_);
  output_ = &output;
  for (const std::string& name : tree_.body.hidden) root_->set(name, {});
  execute(tree_.body);
  return output.take();
}

Evaluator::Flow Evaluator::execute(const Body& body) {
  for (const StatementPointer& statement : body.statements) {
    const Flow flow = execute(*statement);
    if (flow != Flow::on) return flow;
  }
  return Flow::on;
}

Evaluator::Flow Evaluator::execute(const Statement& statement) {
  const Deeper deeper(depth_, most_nested_evaluation, "the template is");
  heap_.step();
  line_ = statement.line;
  switch (statement.kind) {
    case Statement::Kind::data:
      write(statement.value.string()->text);
      break;
    case Statement::Kind::print:
      for (const auto& each : statement.expressions) write(to_text(heap_, evaluate(*each)));
      break;
    case Statement::Kind::condition:
      return execute_condition(statement);
    case Statement::Kind::loop: {
      const Value items = evaluate(*statement.expressions[0]);
      return execute_loop(statement, items, 0, scope_);
    }
    case Statement::Kind::assignment:
      assign(*statement.target, evaluate(*statement.expressions[0]));
      break;
    case Statement::Kind::capture:
      return execute_capture(statement);
    case Statement::Kind::macro:
      scope_->set(statement.text, std::make_shared<Macro>(heap_, statement, scope_));
      break;
    case Statement::Kind::call:
      execute_call(statement);
      break;
    case Statement::Kind::filter:
      return execute_filter(statement);
    case Statement::Kind::with:
      return execute_with(statement);
    case Statement::Kind::block:
      execute_block(statement, statement.scoped ? scope_ : root_);
      break;
    case Statement::Kind::scope:
      return execute_within(statement.bodies[0], scope_);
    case Statement::Kind::evaluation:
      evaluate(*statement.expressions[0]);
      break;
    case Statement::Kind::break_loop:
      return Flow::leave;
    case Statement::Kind::continue_loop:
      return Flow::again;
  }
  return Flow::on;
}

Evaluator::Flow Evaluator::execute_within(const Body& body, const std::shared_ptr<Scope>& outer) {
  const Restored restored(scope_);
  scope_ = scope_around(outer);
  for (const std::string& name : body.hidden) scope_->set(name, {});
  return execute(body);
}

Text Evaluator::captured(const Body& body, Flow& flow) {
  const Restored restored(output_);
  Output output(heap_);
  output_ = &output;
  flow = execute(body);
  return output.take();
}

Evaluator::Flow Evaluator::execute_condition(const Statement& statement) {
  for (std::size_t i = 0; i < statement.bodies.size(); ++i) {
    if (i >= statement.expressions.size() || truth(evaluate(*statement.expressions[i]))) {
      return execute(statement.bodies[i]);
    }
  }
  return Flow::on;
}

Evaluator::Flow Evaluator::execute_capture(const Statement& statement) {
  Value value;
  {
    const Restored restored(scope_);
    scope_ = scope_around(scope_);
    for (const std::string& name : statement.bodies[0].hidden) scope_->set(name, {});
    Flow flow = Flow::on;
    value = heap_.string(captured(statement.bodies[0], flow));
    if (flow != Flow::on) return flow;
    if (!statement.expressions.empty()) {
      const Restored text(block_text_);
      block_text_ = &value;
      value = Value(evaluate(*statement.expressions[0]));
    }
  }
  assign(*statement.target, value);
  return Flow::on;
}

Evaluator::Flow Evaluator::execute_filter(const Statement& statement) {
  const Restored restored(scope_);
  scope_ = scope_around(scope_);
  for (const std::string& name : statement.bodies[0].hidden) scope_->set(name, {});
  Flow flow = Flow::on;
  const Value text = heap_.string(captured(statement.bodies[0], flow));
  if (flow != Flow::on) return flow;
  const Restored block_text(block_text_);
  block_text_ = &text;
  write_string(evaluate(*statement.expressions[0]));
  return Flow::on;
}

void Evaluator::write_string(const Value& value) {
  if (value.string() == nullptr) fail("expected a str instance, " + type_name(value) + " found");
  write(value.string()->text);
}

Evaluator::Flow Evaluator::execute_with(const Statement& statement) {
  const Restored restored(scope_);
  const auto outer = scope_, inner = scope_around(scope_);
  for (const std::string& name : statement.bodies[0].hidden) inner->set(name, {});
  for (std::size_t i = 0; i < statement.targets.size(); ++i) {
    scope_ = outer;
    const Value value = evaluate(*statement.expressions[i]);
    scope_ = inner;
    assign(*statement.targets[i], value);
  }
  scope_ = inner;
  return execute(statement.bodies[0]);
}

void Evaluator::execute_call(const Statement& statement) {
  const Value caller = std::make_shared<Macro>(heap_, statement, scope_);
  write_string(evaluate_call(*statement.expressions[0], &caller));
}

void Evaluator::execute_block(const Statement& block, const std::shared_ptr<Scope>& around) {
  if (block.required) fail("Required block '" + block.text + "' not found");
  execute_within(block.bodies[0], around);
}

bool Evaluator::pull(const Statement& statement, const std::shared_ptr<Scope>& outer, Loop& loop,
                     Value& item) {
  for (;;) {
    heap_.step();
    if (Iterator* iterator = loop.iterator.as<Iterator>()) {
      if (!iterator->next(item)) return false;
    } else {
      if (loop.source_at >= loop.source.size()) return false;
      item = loop.source[loop.source_at++];
    }
    if (statement.expressions[1] == nullptr) return true;
    const Restored restored(scope_);
    scope_ = scope_around(outer);
    assign(*statement.target, item);
    if (truth(evaluate(*statement.expressions[1]))) return true;
  }
}

Evaluator::Flow Evaluator::execute_round(const Statement& statement,
                                         const std::shared_ptr<Loop>& loop, const Value& item,
                                         const std::shared_ptr<Scope>& outer) {
  const Restored restored(scope_);
  scope_ = scope_around(outer);
  for (const std::string& name : statement.bodies[0].hidden) scope_->set(name, {});
  scope_->set("loop", loop);
  assign(*statement.target, item);
  return execute(statement.bodies[0]);
}

Evaluator::Flow Evaluator::execute_loop(const Statement& statement, const Value& items,
                                        std::size_t depth, std::shared_ptr<Scope> outer) {
  const auto loop = std::make_shared<Loop>(heap_, depth);
  if (items.as<Iterator>() != nullptr) {
    loop->iterator = items;
  } else {
    loop->source = items_of(heap_, items);
    loop->resized(loop->source.size());
  }
  loop->recursive = statement.recursive ? &statement : nullptr;
  loop->scope = outer;
  loop->pull = [this, &statement, &outer, loop = loop.get()](Value& item) {
    return pull(statement, outer, *loop, item);
  };
  bool completed = false;
  Flow flow = Flow::on;
  for (Value item; flow != Flow::leave && loop->next(item);) {
    flow = execute_round(statement, loop, item, outer);
    // As in jinja2, a round that `continue` cut short does not count as one.
    completed = completed || flow == Flow::on;
  }
  loop->pull = nullptr;
  if (completed || statement.bodies.size() < 2) return Flow::on;
  return execute_within(statement.bodies[1], outer);
}

void Evaluator::assign(const Expression& target, const Value& value) {
  if (target.kind == Expression::Kind::name) return scope_->set(target.text, value);
  if (target.kind == Expression::Kind::namespace_of) {
    const Value space = evaluate_name(target.text);
    const Namespace* names = space.as<Namespace>();
    if (names == nullptr) fail("cannot assign attribute on non-namespace object");
    if (target.attribute.starts_with("_")) {
      fail("Chat templates cannot store underscore-prefixed attributes on a namespace, but got '" +
           target.attribute + "'");
    }
    return names->dict.as<Dict>()->set(heap_.string(target.attribute), value);
  }
  const Values items = items_of(heap_, value);
  if (items.size() != target.parts.size()) {
    fail((items.size() < target.parts.size() ? "not enough values to unpack (expected "
                                             : "too many values to unpack (expected ") +
         std::to_string(target.parts.size()) + ")");
  }
  for (std::size_t i = 0; i < items.size(); ++i) assign(*target.parts[i], items[i]);
}

}  // namespace lamina::jinja
