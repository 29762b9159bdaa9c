// The parser's statements.
#include "runtime/chat_template/jinja/syntax/parser.h"

#include <algorithm>

namespace lamina::jinja {
namespace {

std::string described(const TemplateToken& token) {
  using Kind = TemplateToken::Kind;
  switch (token.kind) {
    case Kind::data:
      return "template data / text";
    case Kind::block_begin:
      return "'begin of statement block'";
    case Kind::block_end:
      return "'end of statement block'";
    case Kind::print_begin:
      return "'begin of print statement'";
    case Kind::print_end:
      return "'end of print statement'";
    case Kind::end:
      return "the end of the template";
    default:
      return "'" + token.text.substr(0, 40) + "'";
  }
}

}  // namespace

bool Parser::is_one_of(Words words) const {
  return std::any_of(words.begin(), words.end(), [&](auto word) { return is_word(word); });
}

bool Parser::skip_sign(std::string_view text) {
  if (!is_sign(text)) return false;
  next();
  return true;
}

bool Parser::skip_word(std::string_view text) {
  if (!is_word(text)) return false;
  next();
  return true;
}

void Parser::fault_expected(std::string_view what) const {
  fault("expected " + std::string(what) + ", got " + described(now()));
}

void Parser::expect(Kind kind) {
  if (now().kind != kind) fault_expected(described({kind, 0, {}, {}}));
  next();
}

void Parser::expect_sign(std::string_view text) {
  if (!skip_sign(text)) fault_expected("token '" + std::string(text) + "'");
}

void Parser::expect_word(std::string_view text) {
  if (!skip_word(text)) fault_expected("token '" + std::string(text) + "'");
}

std::string Parser::expect_name() {
  if (now().kind != Kind::name) fault_expected("a name");
  std::string name = now().text;
  next();
  return name;
}

StatementPointer Parser::statement(Statement::Kind kind) const {
  auto result = std::make_unique<Statement>();
  result->kind = kind;
  result->line = now().line;
  return result;
}

Body Parser::parse(std::vector<std::pair<std::string, const Statement*>>& blocks) {
  blocks_ = &blocks;
  return parse_body({});
}

Body Parser::parse_body(Words ends) {
  Body body;
  while (now().kind != Kind::end) {
    if (now().kind == Kind::data) {
      auto data = statement(Statement::Kind::data);
      data->value = std::make_shared<String>(nullptr, Text(now().text), false);
      next();
      body.statements.push_back(std::move(data));
    } else if (now().kind == Kind::print_begin) {
      next();
      auto print = statement(Statement::Kind::print);
      print->expressions.push_back(parse_tuple(Elements::conditions));
      expect(Kind::print_end);
      body.statements.push_back(std::move(print));
    } else {
      expect(Kind::block_begin);
      if (is_one_of(ends)) return body;
      body.statements.push_back(parse_statement());
      expect(Kind::block_end);
    }
  }
  if (ends.size() > 0) {
    fault("Unexpected end of template. The innermost block that needs to be closed is '" +
          open_.back() + "'.");
  }
  return body;
}

Body Parser::parse_block(Words ends) {
  skip_sign(":");
  expect(Kind::block_end);
  return parse_body(ends);
}

Body Parser::parse_block_and_drop(std::string_view end) {
  Body body = parse_block({end});
  next();
  return body;
}

StatementPointer Parser::parse_statement() {
  if (now().kind != Kind::name) fault("tag name expected");
  if (depth_ >= most_nested_syntax) fault("the template is nested too deep");
  ++depth_;
  open_.push_back(now().text);
  const int line = now().line;
  auto result = parse_known(now().text);
  result->line = line;
  open_.pop_back();
  --depth_;
  return result;
}

StatementPointer Parser::parse_known(const std::string& name) {
  if (name == "if") return parse_if();
  if (name == "for") return parse_for();
  if (name == "set") return parse_set();
  if (name == "macro") return parse_macro();
  if (name == "call") return parse_call_block();
  if (name == "filter") return parse_filter_block();
  if (name == "with") return parse_with();
  if (name == "block") return parse_named_block();
  if (name == "autoescape") return parse_autoescape();
  if (name == "print") return parse_print();
  if (name == "break" || name == "continue") return parse_loop_control();
  if (name == "generation") {
    next();
    auto scope = statement(Statement::Kind::scope);
    const std::size_t loops = std::exchange(loops_, 0);
    scope->bodies.push_back(parse_block_and_drop("endgeneration"));
    loops_ = loops;
    return scope;
  }
  if (name == "do") {
    next();
    auto evaluation = statement(Statement::Kind::evaluation);
    evaluation->expressions.push_back(parse_tuple(Elements::conditions));
    return evaluation;
  }
  if (name == "include" || name == "import" || name == "from" || name == "extends") {
    fault("{% " + name + " %} is refused: a chat template cannot read other templates");
  }
  std::string message = "Encountered unknown tag '" + name + "'.";
  if (open_.size() > 1) {
    message += " The innermost block that needs to be closed is '" + open_[open_.size() - 2] + "'.";
  }
  fault(message);
}

StatementPointer Parser::parse_if() {
  auto result = statement(Statement::Kind::condition);
  do {
    next();
    result->expressions.push_back(parse_tuple(Elements::expressions));
    result->bodies.push_back(parse_block({"elif", "else", "endif"}));
  } while (is_word("elif"));
  if (skip_word("else")) {
    result->bodies.push_back(parse_block_and_drop("endif"));
  } else {
    next();
  }
  return result;
}

StatementPointer Parser::parse_for() {
  next();
  auto loop = statement(Statement::Kind::loop);
  ++for_targets_;
  loop->target = parse_target("in", false);
  expect_word("in");
  loop->expressions.push_back(parse_tuple(Elements::expressions, "recursive"));
  loop->expressions.push_back(skip_word("if") ? parse_expression() : nullptr);
  loop->recursive = skip_word("recursive");
  ++loops_;
  loop->bodies.push_back(parse_block({"endfor", "else"}));
  --loops_;
  if (skip_word("else")) {
    loop->bodies.push_back(parse_block_and_drop("endfor"));
  } else {
    next();
  }
  --for_targets_;
  return loop;
}

ExpressionPointer Parser::parse_target(std::string_view end, bool with_namespace) {
  auto target = parse_tuple(Elements::names, end, false, with_namespace);
  std::vector<const Expression*> left{target.get()};
  while (!left.empty()) {
    const Expression& part = *left.back();
    left.pop_back();
    if (part.kind == Expression::Kind::tuple) {
      for (const ExpressionPointer& each : part.parts) left.push_back(each.get());
    } else if (part.kind != Expression::Kind::name && part.kind != Expression::Kind::namespace_of) {
      throw SyntaxFault{part.line, "can't assign to what is no name"};
    } else if (part.kind == Expression::Kind::name && part.text == "loop" && for_targets_ > 0) {
      throw SyntaxFault{part.line, "Can't assign to special loop variable in for-loop target"};
    }
  }
  return target;
}

StatementPointer Parser::parse_set() {
  next();
  auto result = statement(Statement::Kind::assignment);
  result->target = parse_target({}, true);
  if (skip_sign("=")) {
    result->expressions.push_back(parse_tuple(Elements::conditions));
    return result;
  }
  result->kind = Statement::Kind::capture;
  if (is_sign("|")) result->expressions.push_back(parse_filter(nullptr, false));
  result->bodies.push_back(parse_block_and_drop("endset"));
  return result;
}

void Parser::parse_signature(Signature& signature) {
  expect_sign("(");
  bool optional = false;
  while (!is_sign(")")) {
    if (!signature.parameters.empty()) expect_sign(",");
    Parameter parameter{expect_name(), nullptr};
    for (const Parameter& each : signature.parameters) {
      if (each.name == parameter.name) fault("duplicate argument '" + each.name + "'");
    }
    if (skip_sign("=")) {
      parameter.otherwise = parse_expression();
      optional = true;
    } else if (optional) {
      fault("non-default argument follows default argument");
    }
    signature.parameters.push_back(std::move(parameter));
  }
  expect_sign(")");
}

StatementPointer Parser::parse_macro() {
  next();
  auto macro = statement(Statement::Kind::macro);
  macro->text = expect_name();
  macro->signature = std::make_unique<Signature>();
  parse_signature(*macro->signature);
  const std::size_t loops = std::exchange(loops_, 0);
  macro->bodies.push_back(parse_block_and_drop("endmacro"));
  loops_ = loops;
  return macro;
}

StatementPointer Parser::parse_call_block() {
  next();
  auto call = statement(Statement::Kind::call);
  call->signature = std::make_unique<Signature>();
  if (is_sign("(")) parse_signature(*call->signature);
  call->expressions.push_back(parse_expression());
  if (call->expressions[0]->kind != Expression::Kind::call) fault("expected call");
  const std::size_t loops = std::exchange(loops_, 0);
  call->bodies.push_back(parse_block_and_drop("endcall"));
  loops_ = loops;
  return call;
}

StatementPointer Parser::parse_filter_block() {
  next();
  auto filter = statement(Statement::Kind::filter);
  filter->expressions.push_back(parse_filter(nullptr, true));
  filter->bodies.push_back(parse_block_and_drop("endfilter"));
  return filter;
}

StatementPointer Parser::parse_with() {
  next();
  auto with = statement(Statement::Kind::with);
  while (now().kind != Kind::block_end) {
    if (!with->targets.empty()) expect_sign(",");
    const std::size_t loops = std::exchange(for_targets_, 0);
    with->targets.push_back(parse_target({}, false));
    for_targets_ = loops;
    expect_sign("=");
    with->expressions.push_back(parse_expression());
  }
  with->bodies.push_back(parse_block_and_drop("endwith"));
  return with;
}

StatementPointer Parser::parse_named_block() {
  next();
  auto block = statement(Statement::Kind::block);
  block->text = expect_name();
  block->scoped = skip_word("scoped");
  block->required = skip_word("required");
  for (const auto& each : *blocks_) {
    if (each.first == block->text) fault("block '" + block->text + "' defined twice");
  }
  blocks_->emplace_back(block->text, block.get());
  const std::size_t loops = std::exchange(loops_, 0);
  block->bodies.push_back(parse_block_and_drop("endblock"));
  loops_ = loops;
  skip_word(block->text);
  return block;
}

StatementPointer Parser::parse_autoescape() {
  next();
  auto scope = statement(Statement::Kind::scope);
  const auto wanted = parse_expression();
  if (wanted->kind != Expression::Kind::constant || truth(wanted->value)) {
    fault("{% autoescape %} is supported with false only: a chat template writes no HTML");
  }
  scope->bodies.push_back(parse_block_and_drop("endautoescape"));
  return scope;
}

StatementPointer Parser::parse_print() {
  next();
  auto print = statement(Statement::Kind::print);
  while (now().kind != Kind::block_end) {
    if (!print->expressions.empty()) expect_sign(",");
    print->expressions.push_back(parse_expression());
  }
  return print;
}

StatementPointer Parser::parse_loop_control() {
  const bool leaves = is_word("break");
  if (loops_ == 0) fault(std::string("'") + now().text + "' outside loop");
  auto control = statement(leaves ? Statement::Kind::break_loop : Statement::Kind::continue_loop);
  next();
  return control;
}

}  // namespace lamina::jinja
