// Which chat template a conversation goes through: one of the model's own, a family's, or a file's.
//
// GGUF: `tokenizer.chat_template` is the model's template, `tokenizer.chat_template.NAME` others it
// names; a model with several uses "tool_use" where tools are given (as transformers does).
#pragma once

#include "lamina/gguf/metadata.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lamina {

struct NamedTemplate {
  std::string name;  // "default" for the one without a name
  std::string text;
};

/// The templates that a GGUF file holds.
std::vector<NamedTemplate> model_templates(const Metadata& metadata);

struct ChosenTemplate {
  std::string text;
  std::string source;  // names it in messages: "chatml", "my.jinja", "the model's template"
};

/// `asked`: what --chat-template says, a name of the model's or of a family, else a file; nothing:
/// the model's own. Throws Error, naming what there is to choose from, where there is no such
/// template.
ChosenTemplate choose_template(const std::optional<std::string>& asked,
                               std::span<const NamedTemplate> own, bool with_tools,
                               std::string_view model);

/// The names there are, a line each, for people.
std::string list_templates(std::span<const NamedTemplate> own);

}  // namespace lamina
