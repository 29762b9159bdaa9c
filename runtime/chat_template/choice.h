// Which chat template a conversation goes through: one of the model's own, a family's, or a file's.
//
// A model with several uses "tool_use" where tools are given, as transformers does.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace lamina {

/// A model's own, by name; the main one is "default".
using ModelTemplates = std::map<std::string, std::string>;

struct ChosenTemplate {
  std::string text;
  std::string source;  // names it in messages: "chatml", "my.jinja", "the model's template"
};

/// `asked`: what --chat-template says, a name of the model's or of a family, else a file; nothing:
/// the model's own. Throws Error, naming what there is to choose from, where there is no such
/// template.
ChosenTemplate choose_template(const std::optional<std::string>& asked, const ModelTemplates& own,
                               bool with_tools, std::string_view model);

/// The names there are, a line each, for people.
std::string list_templates(const ModelTemplates& own);

}  // namespace lamina
