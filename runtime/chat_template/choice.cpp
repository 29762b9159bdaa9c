// Names first, then files: a file named like a template is given as ./NAME.
#include "runtime/chat_template/choice.h"

#include "lamina/core/error.h"
#include "lamina/gguf/quoted.h"
#include "runtime/chat_template/families.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace lamina {
namespace {

constexpr std::uintmax_t largest_file = 4u << 20;

std::string names(std::span<const NamedTemplate> own) {
  std::string text;
  const auto add = [&](std::string_view name) {
    text.append(text.empty() ? "" : ", ").append(name);
  };
  for (const NamedTemplate& t : own) add(t.name);
  for (const FamilyTemplate& t : family_templates()) add(t.name);
  return text;
}

const NamedTemplate* find(std::span<const NamedTemplate> own, std::string_view name) {
  const auto found =
      std::find_if(own.begin(), own.end(), [&](const NamedTemplate& t) { return t.name == name; });
  return found == own.end() ? nullptr : &*found;
}

ChosenTemplate own_template(const NamedTemplate& chosen) {
  return {chosen.text, chosen.name == "default" ? "the model's chat template"
                                                : fmt::format("the model's chat template {}",
                                                              lamina::quoted(chosen.name))};
}

ChosenTemplate read_template(const std::string& path, std::span<const NamedTemplate> own) {
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

std::vector<NamedTemplate> model_templates(const Metadata& metadata) {
  constexpr std::string_view key = "tokenizer.chat_template";
  std::vector<NamedTemplate> templates;
  for (const MetadataEntry& entry : metadata.entries()) {
    if (!entry.key.starts_with(key)) continue;
    const std::string_view rest = std::string_view(entry.key).substr(key.size());
    if (rest.empty()) {
      templates.push_back({"default", std::string(metadata.get<std::string_view>(entry.key))});
    } else if (rest.size() > 1 && rest[0] == '.') {
      templates.push_back(
          {std::string(rest.substr(1)), std::string(metadata.get<std::string_view>(entry.key))});
    }
  }
  return templates;
}

ChosenTemplate choose_template(const std::optional<std::string>& asked,
                               std::span<const NamedTemplate> own, bool with_tools,
                               std::string_view model) {
  if (asked) {
    if (const NamedTemplate* found = find(own, *asked)) return own_template(*found);
    for (const FamilyTemplate& family : family_templates()) {
      if (family.name == *asked) return {std::string(family.text), std::string(family.name)};
    }
    return read_template(*asked, own);
  }
  const NamedTemplate* chosen = with_tools ? find(own, "tool_use") : nullptr;
  if (chosen == nullptr) chosen = find(own, "default");
  if (chosen != nullptr) return own_template(*chosen);
  throw Error(fmt::format(
      "{} has no {}chat template; give one with --chat-template: a Jinja file, or one of: {}",
      model, own.empty() ? "" : "default ", names(own)));
}

std::string list_templates(std::span<const NamedTemplate> own) {
  std::string text;
  for (const NamedTemplate& t : own) text += fmt::format("{:<12} in the model's file\n", t.name);
  for (const FamilyTemplate& t : family_templates()) {
    text += fmt::format("{:<12} {}\n", t.name, t.used_by);
  }
  return text;
}

}  // namespace lamina
