// Names first, then files: a file named like a template is given as ./NAME.
#include "runtime/chat_template/choice.h"

#include "lamina/core/error.h"
#include "lamina/gguf/quoted.h"
#include "runtime/chat_template/families.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace lamina {
namespace {

constexpr std::uintmax_t largest_file = 4u << 20;

std::string names(const ModelTemplates& own) {
  std::string text;
  const auto add = [&](std::string_view name) {
    text.append(text.empty() ? "" : ", ").append(name);
  };
  for (const auto& [name, ignored] : own) add(name);
  for (const FamilyTemplate& t : family_templates()) add(t.name);
  return text;
}

ChosenTemplate own_template(const std::string& name, const std::string& text) {
  return {text, name == "default"
                    ? "the model's chat template"
                    : fmt::format("the model's chat template {}", lamina::quoted(name))};
}

ChosenTemplate read_template(const std::string& path, const ModelTemplates& own) {
  const auto fail = [&](std::string_view what) {
    throw Error(fmt::format("--chat-template {}: {}; expected a Jinja file or one of: {}", path,
                            what, names(own)));
  };
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) fail("is a directory");
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(std::strerror(errno));
  if (std::filesystem::file_size(path, ignored) > largest_file && !ignored) {
    fail("is larger than 4 MiB");
  }
  return {{std::istreambuf_iterator<char>(file), {}}, path};
}

}  // namespace

ChosenTemplate choose_template(const std::optional<std::string>& asked, const ModelTemplates& own,
                               bool with_tools, std::string_view model) {
  if (asked) {
    if (const auto found = own.find(*asked); found != own.end()) {
      return own_template(found->first, found->second);
    }
    for (const FamilyTemplate& family : family_templates()) {
      if (family.name == *asked) return {std::string(family.text), std::string(family.name)};
    }
    return read_template(*asked, own);
  }
  auto chosen = with_tools ? own.find("tool_use") : own.end();
  if (chosen == own.end()) chosen = own.find("default");
  if (chosen != own.end()) return own_template(chosen->first, chosen->second);
  throw Error(fmt::format(
      "{} has no {}chat template; give one with --chat-template: a Jinja file, or one of: {}",
      model, own.empty() ? "" : "default ", names(own)));
}

std::string list_templates(const ModelTemplates& own) {
  std::string text;
  for (const auto& [name, ignored] : own) {
    text += fmt::format("{:<12} in the model's files\n", name);
  }
  for (const FamilyTemplate& t : family_templates()) {
    text += fmt::format("{:<12} {}\n", t.name, t.used_by);
  }
  return text;
}

}  // namespace lamina
