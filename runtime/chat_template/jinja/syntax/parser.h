// The parser of templates: jinja2's grammar, by recursive descent.
//
// Statements: if, for, set, macro, call, filter, with, block, print, raw (by the lexer), do, break,
// continue, autoescape false, generation. What would read another template is refused.
#pragma once

#include "runtime/chat_template/jinja/syntax/lexer.h"
#include "runtime/chat_template/jinja/syntax/syntax.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace lamina::jinja {

class Parser {
 public:
  explicit Parser(std::vector<TemplateToken> tokens) : tokens_(std::move(tokens)) {}

  /// The statements of the whole template. Throws SyntaxFault.
  Body parse(std::vector<std::pair<std::string, const Statement*>>& blocks);

 private:
  using Kind = TemplateToken::Kind;
  using Words = std::initializer_list<std::string_view>;

  // Tokens
  const TemplateToken& now() const { return tokens_[at_]; }
  const TemplateToken& after() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
  void next() { at_ = std::min(at_ + 1, tokens_.size() - 1); }
  bool is_sign(std::string_view text) const {
    return now().kind == Kind::sign && now().text == text;
  }
  bool is_word(std::string_view text) const {
    return now().kind == Kind::name && now().text == text;
  }
  bool is_one_of(Words words) const;
  bool skip_sign(std::string_view text);
  bool skip_word(std::string_view text);
  void expect(Kind kind);
  void expect_sign(std::string_view text);
  void expect_word(std::string_view text);
  std::string expect_name();
  [[noreturn]] void fault(std::string message) const { throw SyntaxFault{now().line, message}; }
  [[noreturn]] void fault_expected(std::string_view what) const;

  // Statements
  Body parse_body(Words ends);
  /// After a tag: what follows until one of the tags `ends`, which becomes the token at hand.
  Body parse_block(Words ends);
  Body parse_block_and_drop(std::string_view end);
  StatementPointer parse_statement();
  StatementPointer parse_known(const std::string& name);
  StatementPointer parse_if();
  StatementPointer parse_for();
  StatementPointer parse_set();
  StatementPointer parse_macro();
  StatementPointer parse_call_block();
  StatementPointer parse_filter_block();
  StatementPointer parse_with();
  StatementPointer parse_named_block();
  StatementPointer parse_autoescape();
  StatementPointer parse_print();
  StatementPointer parse_loop_control();
  void parse_signature(Signature& signature);
  StatementPointer statement(Statement::Kind kind) const;

  // Expressions
  ExpressionPointer parse_expression();
  ExpressionPointer parse_condition();
  ExpressionPointer parse_or();
  ExpressionPointer parse_and();
  ExpressionPointer parse_not();
  ExpressionPointer parse_comparison();
  ExpressionPointer parse_sum();
  ExpressionPointer parse_concatenation();
  ExpressionPointer parse_product();
  ExpressionPointer parse_power();
  ExpressionPointer parse_unary(bool with_filters = true);
  ExpressionPointer parse_primary(bool with_namespace = false);
  ExpressionPointer parse_name(bool with_namespace);
  ExpressionPointer parse_string();
  ExpressionPointer parse_list();
  ExpressionPointer parse_dict();
  /// One expression, or a tuple where commas follow. `end`: a word that ends it.
  enum class Elements { names, expressions, conditions };
  ExpressionPointer parse_tuple(Elements elements, std::string_view end = {},
                                bool in_parentheses = false, bool with_namespace = false);
  bool is_tuple_end(std::string_view end) const;
  ExpressionPointer parse_target(std::string_view end, bool with_namespace);
  ExpressionPointer parse_postfix(ExpressionPointer node);
  ExpressionPointer parse_filters_and_tests(ExpressionPointer node);
  ExpressionPointer parse_subscript(ExpressionPointer node);
  ExpressionPointer parse_index();
  ExpressionPointer parse_call(ExpressionPointer node);
  /// `node` is null at the start of a block that is to be filtered.
  ExpressionPointer parse_filter(ExpressionPointer node, bool started);
  ExpressionPointer parse_test(ExpressionPointer node);
  void parse_arguments(CallArguments& arguments);
  void parse_argument(CallArguments& arguments);
  std::string parse_dotted_name();
  ExpressionPointer node(Expression::Kind kind, int line) const;
  ExpressionPointer node(Expression::Kind kind, int line, ExpressionPointer first,
                         ExpressionPointer second = nullptr) const;
  /// Adds a part; throws where the tree gets too high.
  void add(Expression& parent, ExpressionPointer part) const;
  void grow(Expression& parent, const ExpressionPointer& below) const;

  const std::vector<TemplateToken> tokens_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  std::size_t loops_ = 0;          // around this place, within the same macro
  std::size_t for_targets_ = 0;    // loops whose variable `loop` may not be set here
  std::vector<std::string> open_;  // the tags around this place
  std::vector<std::pair<std::string, const Statement*>>* blocks_ = nullptr;
};

}  // namespace lamina::jinja
