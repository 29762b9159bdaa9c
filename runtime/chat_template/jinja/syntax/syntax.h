// The tree of a template: what the parser makes of the tokens, and the evaluator walks.
#pragma once

#include "runtime/chat_template/jinja/values/operations.h"
#include "runtime/chat_template/jinja/values/value.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lamina::jinja {

struct Expression;
using ExpressionPointer = std::unique_ptr<Expression>;

/// Arguments as they are written at a call, a filter or a test.
struct CallArguments {
  std::vector<ExpressionPointer> positional;
  std::vector<std::pair<std::string, ExpressionPointer>> named;
  ExpressionPointer unpacked;        // *expression
  ExpressionPointer unpacked_named;  // **expression
};

struct Expression {
  enum class Kind {
    constant,      // value
    name,          // text
    namespace_of,  // text.attribute, to be assigned to
    list,          // parts
    tuple,         // parts
    dict,          // parts: key, value, key, value...
    attribute,     // parts[0].text
    item,          // parts[0][parts[1]]
    slice,         // parts: start, stop, step; each may be absent. Only within `item`.
    call,          // parts[0](arguments)
    filter,        // parts[0] | text(arguments); no parts: the text of a block
    test,          // parts[0] is text(arguments)
    condition,     // parts[1] if parts[0] else parts[2], which may be absent
    logical_or,
    logical_and,
    logical_not,
    negative,
    positive,
    arithmetic,  // parts[0] operation parts[1]
    concatenation,
    comparison  // parts[0] relations[0] parts[1] relations[1] parts[2]...
  };
  enum class Relation { equal, unequal, less, less_equal, greater, greater_equal, in, not_in };

  Kind kind = Kind::constant;
  int line = 1;
  std::string text;
  std::string attribute;
  Value value;
  Operator operation = Operator::add;
  std::vector<Relation> relations;
  std::vector<ExpressionPointer> parts;
  CallArguments arguments;
  std::size_t height = 1;  // of the tree below, which bounds the recursion over it
};

struct Statement;
using StatementPointer = std::unique_ptr<Statement>;

/// Statements that share the variables they set.
struct Body {
  std::vector<StatementPointer> statements;
  // Names that are set here before they are read: until then they are undefined, even if a variable
  // outside has the name. (jinja2 makes them local variables of a Python function.)
  std::vector<std::string> hidden;
};

struct Parameter {
  std::string name;
  ExpressionPointer otherwise;
};

/// What a macro or the body of a {% call %} takes.
struct Signature {
  std::vector<Parameter> parameters;
  bool takes_caller = false;      // the body speaks of `caller`
  bool takes_named = false;       // of `kwargs`
  bool takes_positional = false;  // of `varargs`
};

struct Statement {
  enum class Kind {
    data,        // text
    print,       // expressions
    condition,   // expressions[i] -> bodies[i]; a body more: else
    loop,        // target in expressions[0] if expressions[1]; bodies[0]; bodies[1]: else
    assignment,  // target = expressions[0]
    capture,     // target = the text of bodies[0], through the filter expressions[0] if any
    macro,       // text, signature, bodies[0]
    call,        // expressions[0], with a caller: signature, bodies[0]
    filter,      // bodies[0] through the filter expressions[0]
    with,        // targets[i] = expressions[i]; bodies[0]
    block,       // text, bodies[0]
    scope,       // bodies[0]
    evaluation,  // expressions[0], whose value is dropped
    break_loop,
    continue_loop
  };
  Kind kind = Kind::data;
  int line = 1;
  std::string text;
  Value value;  // the text of `data`
  ExpressionPointer target;
  std::vector<ExpressionPointer> targets;
  std::vector<ExpressionPointer> expressions;
  std::vector<Body> bodies;
  std::unique_ptr<Signature> signature;
  bool recursive = false;  // of a loop
  bool scoped = false;     // of a block
  bool required = false;
};

struct TemplateTree {
  std::string source;
  Body body;
  std::vector<std::pair<std::string, const Statement*>> blocks;
  std::vector<std::string> names;  // every variable that is read anywhere, in order
};

/// How deep statements and brackets may lie in each other, and how high an expression may be.
inline constexpr std::size_t most_nested_syntax = 200;

}  // namespace lamina::jinja
