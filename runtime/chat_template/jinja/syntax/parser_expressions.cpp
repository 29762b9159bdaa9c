// The parser's expressions, from the weakest binding to the strongest.
#include "runtime/chat_template/jinja/syntax/parser.h"

#include <algorithm>

namespace lamina::jinja {

using Relation = Expression::Relation;

namespace {

/// Counts the nesting; a fault where it is too deep.
class Nested {
 public:
  Nested(std::size_t& depth, int line) : depth_(depth) {
    if (depth_ >= most_nested_syntax) throw SyntaxFault{line, "the template is nested too deep"};
    ++depth_;
  }
  Nested(const Nested&) = delete;
  Nested& operator=(const Nested&) = delete;
  ~Nested() { --depth_; }

 private:
  std::size_t& depth_;
};

}  // namespace

ExpressionPointer Parser::node(Expression::Kind kind, int line) const {
  auto result = std::make_unique<Expression>();
  result->kind = kind;
  result->line = line;
  return result;
}

ExpressionPointer Parser::node(Expression::Kind kind, int line, ExpressionPointer first,
                               ExpressionPointer second) const {
  auto result = node(kind, line);
  add(*result, std::move(first));
  if (second != nullptr) add(*result, std::move(second));
  return result;
}

void Parser::grow(Expression& parent, const ExpressionPointer& below) const {
  if (below == nullptr) return;
  parent.height = std::max(parent.height, below->height + 1);
  if (parent.height > most_nested_syntax) fault("an expression is nested too deep");
}

void Parser::add(Expression& parent, ExpressionPointer part) const {
  grow(parent, part);
  parent.parts.push_back(std::move(part));
}

ExpressionPointer Parser::parse_expression() { return parse_condition(); }

ExpressionPointer Parser::parse_condition() {
  const Nested nested(depth_, now().line);
  int line = now().line;
  auto value = parse_or();
  while (skip_word("if")) {
    auto condition = node(Expression::Kind::condition, line, parse_or(), std::move(value));
    add(*condition, skip_word("else") ? parse_condition() : nullptr);
    value = std::move(condition);
    line = now().line;
  }
  return value;
}

ExpressionPointer Parser::parse_or() {
  auto left = parse_and();
  while (is_word("or")) {
    const int line = now().line;
    next();
    left = node(Expression::Kind::logical_or, line, std::move(left), parse_and());
  }
  return left;
}

ExpressionPointer Parser::parse_and() {
  auto left = parse_not();
  while (is_word("and")) {
    const int line = now().line;
    next();
    left = node(Expression::Kind::logical_and, line, std::move(left), parse_not());
  }
  return left;
}

ExpressionPointer Parser::parse_not() {
  if (!is_word("not")) return parse_comparison();
  const Nested nested(depth_, now().line);
  const int line = now().line;
  next();
  return node(Expression::Kind::logical_not, line, parse_not());
}

ExpressionPointer Parser::parse_comparison() {
  static constexpr std::pair<std::string_view, Relation> signs[] = {
      {"==", Relation::equal},      {"!=", Relation::unequal}, {"<", Relation::less},
      {"<=", Relation::less_equal}, {">", Relation::greater},  {">=", Relation::greater_equal}};
  auto first = parse_sum();
  ExpressionPointer chain;
  for (;;) {
    const auto* found = std::find_if(std::begin(signs), std::end(signs),
                                     [&](const auto& sign) { return is_sign(sign.first); });
    Relation relation = Relation::in;
    if (found != std::end(signs)) {
      relation = found->second;
    } else if (is_word("not") && after().kind == Kind::name && after().text == "in") {
      relation = Relation::not_in;
      next();
    } else if (!is_word("in")) {
      return chain != nullptr ? std::move(chain) : std::move(first);
    }
    if (chain == nullptr) chain = node(Expression::Kind::comparison, now().line, std::move(first));
    next();
    chain->relations.push_back(relation);
    add(*chain, parse_sum());
  }
}

ExpressionPointer Parser::parse_sum() {
  auto left = parse_concatenation();
  while (is_sign("+") || is_sign("-")) {
    const int line = now().line;
    const Operator how = is_sign("+") ? Operator::add : Operator::subtract;
    next();
    left = node(Expression::Kind::arithmetic, line, std::move(left), parse_concatenation());
    left->operation = how;
  }
  return left;
}

ExpressionPointer Parser::parse_concatenation() {
  auto first = parse_product();
  if (!is_sign("~")) return first;
  auto all = node(Expression::Kind::concatenation, now().line, std::move(first));
  while (skip_sign("~")) add(*all, parse_product());
  return all;
}

ExpressionPointer Parser::parse_product() {
  static constexpr std::pair<std::string_view, Operator> signs[] = {{"*", Operator::multiply},
                                                                    {"/", Operator::divide},
                                                                    {"//", Operator::floor_divide},
                                                                    {"%", Operator::modulo}};
  auto left = parse_power();
  for (;;) {
    const auto* found = std::find_if(std::begin(signs), std::end(signs),
                                     [&](const auto& sign) { return is_sign(sign.first); });
    if (found == std::end(signs)) return left;
    const int line = now().line;
    next();
    left = node(Expression::Kind::arithmetic, line, std::move(left), parse_power());
    left->operation = found->second;
  }
}

ExpressionPointer Parser::parse_power() {
  auto left = parse_unary();
  while (is_sign("**")) {
    const int line = now().line;
    next();
    left = node(Expression::Kind::arithmetic, line, std::move(left), parse_unary());
    left->operation = Operator::power;
  }
  return left;
}

ExpressionPointer Parser::parse_unary(bool with_filters) {
  const Nested nested(depth_, now().line);
  const int line = now().line;
  ExpressionPointer value;
  if (is_sign("-") || is_sign("+")) {
    const bool minus = is_sign("-");
    next();
    value = node(minus ? Expression::Kind::negative : Expression::Kind::positive, line,
                 parse_unary(false));
  } else {
    value = parse_primary();
  }
  value = parse_postfix(std::move(value));
  return with_filters ? parse_filters_and_tests(std::move(value)) : std::move(value);
}

ExpressionPointer Parser::parse_primary(bool with_namespace) {
  const int line = now().line;
  if (now().kind == Kind::name) return parse_name(with_namespace);
  if (now().kind == Kind::string) return parse_string();
  if (now().kind == Kind::number) {
    auto number = node(Expression::Kind::constant, line);
    number->value = now().number;
    next();
    return number;
  }
  if (skip_sign("(")) {
    auto inner = parse_tuple(Elements::conditions, {}, true);
    expect_sign(")");
    return inner;
  }
  if (is_sign("[")) return parse_list();
  if (is_sign("{")) return parse_dict();
  fault_expected("an expression");
}

ExpressionPointer Parser::parse_name(bool with_namespace) {
  auto name = node(Expression::Kind::name, now().line);
  name->text = now().text;
  next();
  const std::string& text = name->text;
  const bool yes = text == "true" || text == "True", no = text == "false" || text == "False";
  if (yes || no || text == "none" || text == "None") {
    name->kind = Expression::Kind::constant;
    name->value = yes || no ? Value(yes) : Value(None{});
  } else if (with_namespace && skip_sign(".")) {
    name->kind = Expression::Kind::namespace_of;
    name->attribute = expect_name();
  }
  return name;
}

ExpressionPointer Parser::parse_string() {
  auto string = node(Expression::Kind::constant, now().line);
  Text text;
  for (; now().kind == Kind::string; next()) text.append(now().text);
  string->value = std::make_shared<String>(nullptr, std::move(text), false);
  return string;
}

ExpressionPointer Parser::parse_list() {
  auto list = node(Expression::Kind::list, now().line);
  expect_sign("[");
  while (!is_sign("]")) {
    if (!list->parts.empty()) {
      expect_sign(",");
      if (is_sign("]")) break;
    }
    add(*list, parse_expression());
  }
  expect_sign("]");
  return list;
}

ExpressionPointer Parser::parse_dict() {
  auto dict = node(Expression::Kind::dict, now().line);
  expect_sign("{");
  while (!is_sign("}")) {
    if (!dict->parts.empty()) {
      expect_sign(",");
      if (is_sign("}")) break;
    }
    add(*dict, parse_expression());
    expect_sign(":");
    add(*dict, parse_expression());
  }
  expect_sign("}");
  return dict;
}

bool Parser::is_tuple_end(std::string_view end) const {
  return now().kind == Kind::print_end || now().kind == Kind::block_end || is_sign(")") ||
         (!end.empty() && is_word(end));
}

ExpressionPointer Parser::parse_tuple(Elements elements, std::string_view end, bool in_parentheses,
                                      bool with_namespace) {
  auto tuple = node(Expression::Kind::tuple, now().line);
  bool commas = false;
  for (;;) {
    if (!tuple->parts.empty()) expect_sign(",");
    if (is_tuple_end(end)) break;
    add(*tuple, elements == Elements::names         ? parse_primary(with_namespace)
                : elements == Elements::expressions ? parse_or()
                                                    : parse_expression());
    if (!is_sign(",")) break;
    commas = true;
  }
  if (commas) return tuple;
  if (!tuple->parts.empty()) return std::move(tuple->parts[0]);
  if (!in_parentheses) fault_expected("an expression");
  return tuple;
}

ExpressionPointer Parser::parse_postfix(ExpressionPointer value) {
  for (;;) {
    if (is_sign(".") || is_sign("[")) {
      value = parse_subscript(std::move(value));
    } else if (is_sign("(")) {
      value = parse_call(std::move(value));
    } else {
      return value;
    }
  }
}

ExpressionPointer Parser::parse_filters_and_tests(ExpressionPointer value) {
  for (;;) {
    if (is_sign("|")) {
      value = parse_filter(std::move(value), false);
    } else if (is_word("is")) {
      value = parse_test(std::move(value));
    } else if (is_sign("(")) {
      value = parse_call(std::move(value));
    } else {
      return value;
    }
  }
}

}  // namespace lamina::jinja
