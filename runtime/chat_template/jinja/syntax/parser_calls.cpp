// The parser's subscripts, calls, filters and tests.
#include "runtime/chat_template/jinja/syntax/parser.h"

#include <algorithm>

namespace lamina::jinja {
namespace {

/// A node that has a call's arguments is higher than each of them.
template <class Grow>
void grow_over(const CallArguments& arguments, Grow grow) {
  for (const auto& each : arguments.positional) grow(each);
  for (const auto& each : arguments.named) grow(each.second);
  grow(arguments.unpacked);
  grow(arguments.unpacked_named);
}

}  // namespace

ExpressionPointer Parser::parse_subscript(ExpressionPointer object) {
  const int line = now().line;
  if (skip_sign(".")) {
    if (now().kind == Kind::name) {
      auto attribute = node(Expression::Kind::attribute, line, std::move(object));
      attribute->text = expect_name();
      return attribute;
    }
    if (now().kind != Kind::number || now().number.integer() == nullptr) {
      fault_expected("a name or a number");
    }
    auto index = node(Expression::Kind::constant, now().line);
    index->value = now().number;
    next();
    return node(Expression::Kind::item, line, std::move(object), std::move(index));
  }
  expect_sign("[");
  auto several = node(Expression::Kind::tuple, line);
  while (!is_sign("]")) {
    if (!several->parts.empty()) expect_sign(",");
    add(*several, parse_index());
  }
  expect_sign("]");
  if (several->parts.size() == 1) {
    return node(Expression::Kind::item, line, std::move(object), std::move(several->parts[0]));
  }
  for (const ExpressionPointer& each : several->parts) {
    if (each->kind == Expression::Kind::slice)
      fault("a slice among several indices is not supported");
  }
  return node(Expression::Kind::item, line, std::move(object), std::move(several));
}

ExpressionPointer Parser::parse_index() {
  const int line = now().line;
  ExpressionPointer start;
  if (!is_sign(":")) {
    start = parse_expression();
    if (!is_sign(":")) return start;
  }
  next();
  auto slice = node(Expression::Kind::slice, line);
  add(*slice, std::move(start));
  const auto ends = [&] { return is_sign("]") || is_sign(","); };
  add(*slice, is_sign(":") || ends() ? nullptr : parse_expression());
  const bool has_step = skip_sign(":");
  add(*slice, has_step && !ends() ? parse_expression() : nullptr);
  return slice;
}

ExpressionPointer Parser::parse_call(ExpressionPointer function) {
  auto call = node(Expression::Kind::call, now().line, std::move(function));
  parse_arguments(call->arguments);
  grow_over(call->arguments, [&](const ExpressionPointer& each) { grow(*call, each); });
  return call;
}

void Parser::parse_arguments(CallArguments& arguments) {
  expect_sign("(");
  bool first = true;
  while (!is_sign(")")) {
    if (!first) {
      expect_sign(",");
      if (is_sign(")")) break;
    }
    first = false;
    parse_argument(arguments);
  }
  expect_sign(")");
}

void Parser::parse_argument(CallArguments& arguments) {
  const auto ensure = [&](bool valid) {
    if (!valid) fault("invalid syntax for function call expression");
  };
  if (skip_sign("*")) {
    ensure(arguments.unpacked == nullptr && arguments.unpacked_named == nullptr);
    arguments.unpacked = parse_expression();
  } else if (skip_sign("**")) {
    ensure(arguments.unpacked_named == nullptr);
    arguments.unpacked_named = parse_expression();
  } else if (now().kind == Kind::name && after().kind == Kind::sign && after().text == "=") {
    ensure(arguments.unpacked_named == nullptr);
    std::string name = expect_name();
    next();
    for (const auto& each : arguments.named) {
      if (each.first == name) fault("keyword argument repeated: " + name);
    }
    auto value = parse_expression();
    arguments.named.emplace_back(std::move(name), std::move(value));
  } else {
    ensure(arguments.unpacked == nullptr && arguments.unpacked_named == nullptr &&
           arguments.named.empty());
    arguments.positional.push_back(parse_expression());
  }
}

std::string Parser::parse_dotted_name() {
  std::string name = expect_name();
  while (skip_sign(".")) name += "." + expect_name();
  return name;
}

ExpressionPointer Parser::parse_filter(ExpressionPointer value, bool started) {
  while (is_sign("|") || started) {
    if (!started) next();
    started = false;
    auto filter = node(Expression::Kind::filter, now().line);
    if (value != nullptr) add(*filter, std::move(value));
    filter->text = parse_dotted_name();
    if (is_sign("(")) parse_arguments(filter->arguments);
    grow_over(filter->arguments, [&](const ExpressionPointer& each) { grow(*filter, each); });
    value = std::move(filter);
  }
  return value;
}

ExpressionPointer Parser::parse_test(ExpressionPointer value) {
  const int line = now().line;
  next();
  const bool negated = skip_word("not");
  auto test = node(Expression::Kind::test, line, std::move(value));
  test->text = parse_dotted_name();
  const bool argument = (now().kind == Kind::name && !is_one_of({"else", "or", "and"})) ||
                        now().kind == Kind::string || now().kind == Kind::number || is_sign("[") ||
                        is_sign("{");
  if (is_sign("(")) {
    parse_arguments(test->arguments);
  } else if (argument) {
    if (is_word("is")) fault("You cannot chain multiple tests with is");
    test->arguments.positional.push_back(parse_postfix(parse_primary()));
  }
  grow_over(test->arguments, [&](const ExpressionPointer& each) { grow(*test, each); });
  return negated ? node(Expression::Kind::logical_not, line, std::move(test)) : std::move(test);
}

}  // namespace lamina::jinja
