// Runs a template: walks its tree with the variables it is given.
//
// The recursion is bounded by the height of the tree, by how deep macros may call each other, and
// by a limit on both together.
#pragma once

#include "runtime/chat_template/jinja/evaluation/arguments.h"
#include "runtime/chat_template/jinja/values/heap.h"
#include "runtime/chat_template/jinja/syntax/syntax.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lamina::jinja {

/// Variables of one body, and those around it.
struct Scope : Container {
  Scope(Heap& owner, std::shared_ptr<Scope> around)
      : Container(owner, Kind::scope), outer(std::move(around)) {}
  ~Scope() override { heap.bury(*this); }
  static bool holds(Kind kind) { return kind == Kind::scope; }
  void release(Values& parts) override;

  Value* find(std::string_view name);
  void set(std::string_view name, Value value);

  // A value that is undefined without a reason: the variable has none yet.
  std::vector<std::pair<std::string, Value>> variables;
  std::shared_ptr<Scope> outer;
};

/// A macro, or the body of a {% call %}, with the variables where it stands.
struct Macro : Container {
  Macro(Heap& owner, const Statement& written, std::shared_ptr<Scope> around)
      : Container(owner, Kind::macro), definition(written), scope(std::move(around)) {}
  ~Macro() override { heap.bury(*this); }
  static bool holds(Kind kind) { return kind == Kind::macro; }
  void release(Values& parts) override;

  const Statement& definition;
  std::shared_ptr<Scope> scope;
};

/// `self`: the blocks of the template by their names; and one of them, to be called.
struct Blocks : Object {
  explicit Blocks(const TemplateTree& of) : Object(Kind::blocks), tree(of) {}
  static bool holds(Kind kind) { return kind == Kind::blocks; }

  const TemplateTree& tree;
};
struct BlockReference : Object {
  explicit BlockReference(const Statement& of) : Object(Kind::block), block(of) {}
  static bool holds(Kind kind) { return kind == Kind::block; }

  const Statement& block;
};

struct Loop;

/// How deep statements and expressions may be within each other while they run, macros included.
inline constexpr std::size_t most_nested_evaluation = 1000;

/// Text that is being written, counted as memory.
class Output {
 public:
  explicit Output(Heap& heap) : heap_(heap) {}
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output() { heap_.give_back(counted_); }
  void append(const Text& text);
  Text take() { return std::move(text_); }

 private:
  Heap& heap_;
  Text text_;
  std::size_t counted_ = 0;
};

/// Puts a value back at the end of its life.
template <class T>
class Restored {
 public:
  explicit Restored(T& place) : place_(place), before_(place) {}
  Restored(const Restored&) = delete;
  Restored& operator=(const Restored&) = delete;
  ~Restored() { place_ = std::move(before_); }

 private:
  T& place_;
  T before_;
};

class Evaluator {
 public:
  Evaluator(Heap& heap, const TemplateTree& tree, const RenderOptions& options,
            std::shared_ptr<Dict> variables);

  Text run();
  /// The line that was reached.
  int line() const { return line_; }

 private:
  enum class Flow { on, leave, again };

  // Statements
  Flow execute(const Body& body);
  Flow execute(const Statement& statement);
  /// In a scope of its own.
  Flow execute_within(const Body& body, const std::shared_ptr<Scope>& outer);
  /// The text that a body writes, in the scope at hand.
  Text captured(const Body& body, Flow& flow);
  Flow execute_condition(const Statement& statement);
  Flow execute_capture(const Statement& statement);
  Flow execute_filter(const Statement& statement);
  Flow execute_with(const Statement& statement);
  void execute_call(const Statement& statement);
  void execute_block(const Statement& block, const std::shared_ptr<Scope>& around);
  Flow execute_loop(const Statement& statement, const Value& items, std::size_t depth,
                    std::shared_ptr<Scope> outer);
  /// Gets the next item that the condition of the loop lets pass.
  bool pull(const Statement& statement, const std::shared_ptr<Scope>& outer, Loop& loop,
            Value& item);
  Flow execute_round(const Statement& statement, const std::shared_ptr<Loop>& loop,
                     const Value& item, const std::shared_ptr<Scope>& outer);
  void assign(const Expression& target, const Value& value);
  void write(const Text& text) { output_->append(text); }
  /// What a block writes is not turned into a text.
  void write_string(const Value& value);

  // Expressions
  Value evaluate(const Expression& expression);
  Value evaluate_compound(const Expression& expression);
  Value evaluate_name(const std::string& name);
  Value evaluate_dict(const Expression& expression);
  Value evaluate_item(const Expression& expression);
  Value evaluate_comparison(const Expression& expression);
  Value evaluate_concatenation(const Expression& expression);
  Value evaluate_call(const Expression& expression, const Value* caller = nullptr);
  Value evaluate_filter(const Expression& expression);
  Values evaluate_all(const std::vector<ExpressionPointer>& expressions);
  Arguments evaluate_arguments(const CallArguments& written);
  bool holds(Expression::Relation relation, const Value& left, const Value& right);

  // Calls
  Value call(const Value& function, const Arguments& arguments);
  Value call_macro(Macro& macro, const Arguments& arguments);
  void bind(Macro& macro, const Arguments& arguments, Scope& scope);
  Value call_loop(Loop& loop, const Arguments& arguments);
  Value call_block(const BlockReference& reference);

  std::shared_ptr<Scope> scope_around(const std::shared_ptr<Scope>& outer) {
    return std::make_shared<Scope>(heap_, outer);
  }

  Heap& heap_;
  const TemplateTree& tree_;
  const RenderOptions& options_;
  const std::shared_ptr<Dict> variables_;
  const std::shared_ptr<Scope> root_;
  std::shared_ptr<Scope> scope_;
  Output* output_ = nullptr;
  const Value* block_text_ = nullptr;  // what a filter block filters
  int line_ = 1;
  std::size_t depth_ = 0;  // of statements and expressions being run
  std::size_t calls_ = 0;  // of macros within each other
};

}  // namespace lamina::jinja
