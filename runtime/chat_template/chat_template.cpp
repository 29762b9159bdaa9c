// A compiled chat template: parsed once, rendered for each conversation.
#include "runtime/chat_template/chat_template.h"

#include "lamina/gguf/quoted.h"
#include "runtime/chat_template/jinja/evaluation/evaluator.h"
#include "runtime/chat_template/jinja/values/json_values.h"
#include "runtime/chat_template/jinja/syntax/parser.h"
#include "runtime/chat_template/jinja/evaluation/scopes.h"

#include <algorithm>
#include <iterator>

namespace lamina {
namespace {

std::string located(const std::string& source, int line, const std::string& message) {
  return source + ", line " + std::to_string(line) + ": " + message;
}

std::unique_ptr<const jinja::TemplateTree> compiled(std::string_view text, std::string source) {
  if (const std::size_t at = jinja::first_malformed(text); at != std::string_view::npos) {
    throw TemplateError(source + ": no UTF-8 at byte " + std::to_string(at) + ": " +
                        lamina::quoted(text.substr(at, 8)));
  }
  auto tree = std::make_unique<jinja::TemplateTree>();
  tree->source = std::move(source);
  try {
    tree->body = jinja::Parser(jinja::tokenize(text)).parse(tree->blocks);
    jinja::resolve_names(*tree);
  } catch (const jinja::SyntaxFault& fault) {
    throw TemplateError(located(tree->source, fault.line, fault.message));
  }
  return tree;
}

}  // namespace

std::string whole_text(std::span<const TemplatePart> parts) {
  std::string text;
  for (const TemplatePart& part : parts) text += part.text;
  return text;
}

ChatTemplate::ChatTemplate(std::string_view text, std::string source)
    : tree_(compiled(text, std::move(source))) {}
ChatTemplate::~ChatTemplate() = default;
ChatTemplate::ChatTemplate(ChatTemplate&&) noexcept = default;
ChatTemplate& ChatTemplate::operator=(ChatTemplate&&) noexcept = default;

std::vector<TemplatePart> ChatTemplate::render(const nlohmann::ordered_json& variables,
                                               const RenderOptions& options) const {
  int line = 1;
  try {
    jinja::Heap heap(options.limits);
    jinja::Evaluator evaluator(heap, *tree_, options, jinja::variables_from_json(heap, variables));
    try {
      return evaluator.run().parts();
    } catch (const jinja::TemplateFault&) {
      line = evaluator.line();
      throw;
    }
  } catch (const jinja::TemplateFault& fault) {
    if (fault.kind == jinja::TemplateFault::Kind::raised) throw TemplateError(fault.message, true);
    throw TemplateError(located(tree_->source, line, fault.message));
  }
}

bool ChatTemplate::mentions(std::string_view name) const {
  return std::find(tree_->names.begin(), tree_->names.end(), name) != tree_->names.end();
}

void add_template_arguments(nlohmann::ordered_json& variables,
                            const nlohmann::ordered_json& arguments) {
  static constexpr std::string_view reserved[] = {
      "messages",  "tools",         "documents", "add_generation_prompt", "bos_token",
      "eos_token", "chat_template", "tokenize",  "conversation",          "continue_final_message"};
  if (!arguments.is_object()) {
    throw TemplateError("the arguments of a chat template must be a JSON object");
  }
  for (const auto& [name, value] : arguments.items()) {
    if (std::find(std::begin(reserved), std::end(reserved), name) != std::end(reserved)) {
      throw TemplateError("a chat template argument cannot be named " + lamina::quoted(name) +
                          ", which is what the program itself passes; choose another name");
    }
    variables[name] = value;
  }
}

}  // namespace lamina
