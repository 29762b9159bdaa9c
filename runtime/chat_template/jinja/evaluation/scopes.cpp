// What the names of a template mean: a walk over the tree.
#include "runtime/chat_template/jinja/evaluation/scopes.h"

#include "runtime/chat_template/jinja/builtins/filters.h"
#include "runtime/chat_template/jinja/syntax/lexer.h"
#include "runtime/chat_template/jinja/builtins/tests.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string_view>

namespace lamina::jinja {
namespace {

using Kind = Statement::Kind;

/// Each expression that a call's arguments hold.
template <class Visit>
void for_each(const CallArguments& arguments, const Visit& visit) {
  for (const auto& each : arguments.positional) visit(*each);
  for (const auto& each : arguments.named) visit(*each.second);
  if (arguments.unpacked != nullptr) visit(*arguments.unpacked);
  if (arguments.unpacked_named != nullptr) visit(*arguments.unpacked_named);
}

/// Calls `visit` for every expression below and including `expression`.
void walk(const Expression& expression, const std::function<void(const Expression&)>& visit) {
  visit(expression);
  for (const auto& part : expression.parts) {
    if (part != nullptr) walk(*part, visit);
  }
  for_each(expression.arguments, [&](const Expression& each) { walk(each, visit); });
}

/// The names that one body reads and sets, and those of the bodies around it.
struct Frame {
  std::set<std::string, std::less<>> names;
  const Frame* outer = nullptr;

  bool knows(const std::string& name) const {
    return names.contains(name) || (outer != nullptr && outer->knows(name));
  }
};

class Resolver {
 public:
  explicit Resolver(TemplateTree& tree) : tree_(tree) {}

  void run() {
    Frame root;
    resolve(tree_.body, root, false);
  }

 private:
  // ---- which names a body has

  void load(const Expression& expression, Frame& frame) {
    walk(expression, [&](const Expression& each) {
      if (each.kind != Expression::Kind::name && each.kind != Expression::Kind::namespace_of)
        return;
      if (!frame.knows(each.text)) frame.names.insert(each.text);
      note(each.text);
    });
  }

  void note(const std::string& name) {
    if (noted_.insert(name).second) tree_.names.push_back(name);
  }

  void store_name(const std::string& name, Frame& frame, Body& body, bool in_branch) {
    if (!frame.knows(name) && !in_branch) body.hidden.push_back(name);
    frame.names.insert(name);
  }

  void store(const Expression& target, Frame& frame, Body& body, bool in_branch) {
    if (target.kind == Expression::Kind::namespace_of) return load(target, frame);
    if (target.kind == Expression::Kind::name) {
      return store_name(target.text, frame, body, in_branch);
    }
    for (const auto& part : target.parts) store(*part, frame, body, in_branch);
  }

  /// The names of `statements`, in the order in which jinja2 looks at them.
  void collect(const std::vector<StatementPointer>& statements, Frame& frame, Body& body,
               bool in_branch) {
    for (const auto& statement : statements) collect(*statement, frame, body, in_branch);
  }

  void collect(const Statement& statement, Frame& frame, Body& body, bool in_branch) {
    if (statement.kind == Kind::loop) return load(*statement.expressions[0], frame);
    if (statement.kind == Kind::condition) {
      // Each branch sets what it sets as if there were no other; what one has set is known below.
      load(*statement.expressions[0], frame);
      for (std::size_t i = 0; i < statement.bodies.size(); ++i) {
        if (i > 0 && i < statement.expressions.size()) load(*statement.expressions[i], frame);
        collect(statement.bodies[i].statements, frame, body, true);
      }
      return;
    }
    if (statement.kind == Kind::macro) return store_name(statement.text, frame, body, in_branch);
    if (statement.kind != Kind::capture) {
      for (const auto& each : statement.expressions) load(*each, frame);
    }
    if (statement.target != nullptr) store(*statement.target, frame, body, in_branch);
  }

  // ---- the bodies within

  void resolve(Body& body, Frame& frame, bool soft) {
    collect(body.statements, frame, body, false);
    descend(body, frame, soft);
  }

  void resolve_inner(Body& body, const Frame& outer,
                     std::initializer_list<std::string> known = {}) {
    Frame frame{{known.begin(), known.end()}, &outer};
    resolve(body, frame, false);
  }

  void descend(const Body& body, const Frame& frame, bool soft) {
    for (const auto& statement : body.statements) descend(*statement, frame, soft);
  }

  void descend(Statement& statement, const Frame& frame, bool soft) {
    const bool inner = statement.kind == Kind::filter || statement.kind == Kind::capture;
    for (const auto& each : statement.expressions) {
      if (each != nullptr) check(*each, !inner && (soft || statement.kind == Kind::condition));
    }
    switch (statement.kind) {
      case Kind::condition:
        for (Body& body : statement.bodies) descend(body, frame, true);
        break;
      case Kind::loop:
        resolve_loop(statement, frame);
        break;
      case Kind::macro:
      case Kind::call:
        resolve_signature(statement, frame);
        break;
      case Kind::with: {
        Frame own{{}, &frame};
        for (const auto& target : statement.targets) add_names(*target, own);
        resolve(statement.bodies[0], own, false);
        break;
      }
      case Kind::block: {
        Frame own;  // a block sees the template's variables, and none of those around it
        resolve(statement.bodies[0], own, false);
        break;
      }
      default:
        for (Body& body : statement.bodies) resolve_inner(body, frame);
    }
  }

  static void add_names(const Expression& target, Frame& frame) {
    if (target.kind == Expression::Kind::name) frame.names.insert(target.text);
    for (const auto& part : target.parts) add_names(*part, frame);
  }

  void resolve_loop(Statement& loop, const Frame& outer) {
    Frame own{{"loop"}, &outer};
    add_names(*loop.target, own);
    if (loop.expressions[1] != nullptr) {
      Frame test = own;
      load(*loop.expressions[1], test);
    }
    resolve(loop.bodies[0], own, false);
    if (loop.bodies.size() > 1) resolve_inner(loop.bodies[1], outer);
  }

  void resolve_signature(Statement& statement, const Frame& outer) {
    Signature& signature = *statement.signature;
    Frame own{{}, &outer};
    for (const Parameter& each : signature.parameters) own.names.insert(each.name);
    find_special(statement);
    if (signature.takes_caller) own.names.insert("caller");
    if (signature.takes_named) own.names.insert("kwargs");
    if (signature.takes_positional) own.names.insert("varargs");
    for (const Parameter& each : signature.parameters) {
      if (each.otherwise == nullptr) continue;
      load(*each.otherwise, own);
      check(*each.otherwise, false);
    }
    resolve(statement.bodies[0], own, false);
  }

  void check(const Expression& expression, bool soft) const {
    const bool inner = soft || expression.kind == Expression::Kind::condition;
    const bool filter = expression.kind == Expression::Kind::filter;
    if (!soft && ((filter && !is_filter(expression.text)) ||
                  (expression.kind == Expression::Kind::test && !is_test(expression.text)))) {
      throw SyntaxFault{expression.line, std::string("No ") + (filter ? "filter" : "test") +
                                             " named '" + expression.text + "'."};
    }
    for (const auto& part : expression.parts) {
      if (part != nullptr) check(*part, inner);
    }
    for_each(expression.arguments, [&](const Expression& each) { check(each, inner); });
  }

  // ---- caller, kwargs and varargs

  /// Names still looked for; one that is set first is none of the macro's.
  struct Search {
    std::set<std::string, std::less<>> wanted{"caller", "kwargs", "varargs"};
    std::set<std::string, std::less<>> found;

    void read(const Expression& expression) {
      walk(expression, [&](const Expression& each) {
        if (each.kind == Expression::Kind::name && wanted.contains(each.text)) {
          found.insert(each.text);
        }
      });
    }
    void set(const Expression& target) {
      if (target.kind == Expression::Kind::name) wanted.erase(target.text);
      for (const auto& part : target.parts) set(*part);
    }
    void search(const Body& body) {
      for (const auto& statement : body.statements) search(*statement);
    }
    void search(const Statement& statement) {
      if (statement.kind == Kind::block) return;
      if (statement.target != nullptr) set(*statement.target);
      for (const auto& target : statement.targets) set(*target);
      for (const auto& each : statement.expressions) {
        if (each != nullptr) read(*each);
      }
      if (statement.signature != nullptr) {
        for (const Parameter& each : statement.signature->parameters) wanted.erase(each.name);
        for (const Parameter& each : statement.signature->parameters) {
          if (each.otherwise != nullptr) read(*each.otherwise);
        }
      }
      for (const Body& body : statement.bodies) search(body);
    }
  };

  static void find_special(Statement& statement) {
    Search search;
    search.search(statement.bodies[0]);
    Signature& signature = *statement.signature;
    const auto named = [&](std::string_view name) {
      return std::find_if(signature.parameters.begin(), signature.parameters.end(),
                          [&](const Parameter& each) { return each.name == name; });
    };
    const auto caller = named("caller");
    if (search.found.contains("caller") && caller != signature.parameters.end() &&
        caller->otherwise == nullptr) {
      throw SyntaxFault{statement.line,
                        "When defining macros or call blocks the special \"caller\" argument must "
                        "be omitted or be given a default."};
    }
    const auto end = signature.parameters.end();
    signature.takes_caller = search.found.contains("caller");
    signature.takes_named = search.found.contains("kwargs") && named("kwargs") == end;
    signature.takes_positional = search.found.contains("varargs") && named("varargs") == end;
  }

  TemplateTree& tree_;
  std::set<std::string, std::less<>> noted_;
};

}  // namespace

void resolve_names(TemplateTree& tree) { Resolver(tree).run(); }

}  // namespace lamina::jinja
