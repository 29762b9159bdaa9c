// `lamina template`: what a chat template makes of a conversation.
//
// The case file is a JSON object {messages, tools, documents, add_generation_prompt, bos_token,
// eos_token, kwargs, now}, or a list of them that have names.
#include "runtime/chat_template/chat_template.h"

#include "lamina/gguf/quoted.h"
#include "runtime/chat_template/json_reader.h"
#include "runtime/json_text.h"
#include "runtime/tools/flags.h"
#include "runtime/tools/input_file.h"
#include "runtime/tools/output.h"
#include "runtime/tools/tools.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdio>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string_view>

namespace lamina {
namespace {

using Json = nlohmann::ordered_json;

struct TemplateFlags {
  std::string template_file;
  std::string case_file;
  std::optional<std::string> name;
  GeneralFlags general;
};

constexpr const char* expected_case =
    R"(expected a case, an object such as {"messages": [{"role": "user", "content": "Hello"}]}, )"
    "or a list of named ones";

/// What errors call a case of a list: its name, or its number.
std::string name_of(const Json& one, std::size_t number) {
  const auto name = one.find("name");
  return name != one.end() && name->is_string() ? name->get<std::string>()
                                                : fmt::format("(no name, number {})", number);
}

/// The case to render: the file's only one, or the one that --case names.
Json chosen_case(const TemplateFlags& flags) {
  const std::string& path = flags.case_file;
  Json file = read_template_json(read_file("", path), path);
  if (file.is_object() && !flags.name) return file;
  if (file.is_object()) {
    throw UsageError(fmt::format(
        "--case {}: {} is one case, an object, and no list to pick from; leave --case out",
        *flags.name, path));
  }
  if (!file.is_array() || file.empty()) {
    throw Error(fmt::format("{}: found {}; {}", path, json_kind(file), expected_case));
  }
  std::string names;
  for (std::size_t i = 0; i < file.size(); ++i) {
    if (!file[i].is_object()) {
      throw Error(fmt::format("{}: case {} of {} is {}; expected an object with \"messages\"", path,
                              i + 1, file.size(), json_kind(file[i])));
    }
    names += (names.empty() ? "" : ", ") + name_of(file[i], i + 1);
  }
  if (!flags.name) {
    if (file.size() == 1) return file[0];
    throw UsageError(fmt::format("{} holds {} cases: pick one with --case; it has: {}", path,
                                 file.size(), names));
  }
  for (Json& each : file) {
    if (each.value("name", Json()) == Json(*flags.name)) return std::move(each);
  }
  throw UsageError(fmt::format("{} has no case named '{}'; it has: {}", path, *flags.name, names));
}

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Says what of the case is probably a slip: it changes nothing, or nothing that was meant.
void warn_of_slips(const Json& given, const std::string& file, std::string_view template_text) {
  for (const auto& [key, value] : given.items()) {
    // Those from "name" on are for who keeps cases and what they should give.
    if (is_one_of(key, {"messages", "tools", "documents", "add_generation_prompt", "bos_token",
                        "eos_token", "kwargs", "now", "name", "expected", "expected_error"})) {
      continue;
    }
    spdlog::warn(
        "{}: the key {} is ignored; what else the template is given belongs into \"kwargs\"", file,
        lamina::quoted(key));
  }
  std::size_t number = 0;
  for (const Json& message : given["messages"]) {
    ++number;
    const auto found = message.is_object() ? message.find("role") : message.end();
    if (found == message.end() || !found->is_string()) {
      spdlog::warn("{}: message {} is {}; expected an object with a \"role\"", file, number,
                   message.is_object() ? "an object without a role" : json_kind(message));
      continue;
    }
    const auto& role = found->get_ref<const std::string&>();
    if (is_one_of(role, {"system", "developer", "user", "assistant", "tool"}) ||
        template_text.find(role) != std::string_view::npos) {
      continue;
    }
    spdlog::warn("{}: message {} has the role {}, of which the template does not speak", file,
                 number, lamina::quoted(role));
  }
}

/// A time such as 2026-11-29T12:34:56.
LocalTime parse_time(const Json& given, const std::string& file) {
  const std::string text = given.is_string() ? given.get<std::string>() : "";
  LocalTime time;
  int used = 0;
  const int found =
      std::sscanf(text.c_str(), "%4d-%2d-%2d%*1[T ]%2d:%2d:%2d%n", &time.year, &time.month,
                  &time.day, &time.hour, &time.minute, &time.second, &used);
  const bool valid = time.year >= 1 && time.month >= 1 && time.month <= 12 && time.day >= 1 &&
                     time.day <= 31 && time.hour >= 0 && time.hour < 24 && time.minute >= 0 &&
                     time.minute < 60 && time.second >= 0 && time.second < 62;
  if (found != 6 || used != static_cast<int>(text.size()) || !valid) {
    throw Error(fmt::format("{}: \"now\" is {}; expected a time such as \"2026-11-29T12:34:56\"",
                            file, json_kind(given)));
  }
  return time;
}

/// What transformers hands to a template: tools and documents are none where there are none.
Json variables_of(const Json& given, const std::string& file) {
  if (!given.contains("messages") || !given["messages"].is_array()) {
    throw Error(fmt::format("{}: found {}; expected a list \"messages\" in the case", file,
                            given.contains("messages")
                                ? "as \"messages\" " + json_kind(given["messages"])
                                : "no \"messages\""));
  }
  Json variables = {{"messages", given["messages"]},
                    {"tools", given.value("tools", Json())},
                    {"documents", given.value("documents", Json())},
                    {"add_generation_prompt", given.value("add_generation_prompt", Json(false))}};
  for (const char* token : {"bos_token", "eos_token"}) {
    if (given.contains(token)) variables[token] = given[token];
  }
  const Json arguments = given.value("kwargs", Json::object());
  if (!arguments.is_null() && !arguments.is_object()) {
    throw Error(
        fmt::format("{}: \"kwargs\" is {}; expected an object", file, json_kind(arguments)));
  }
  if (!arguments.is_null()) add_template_arguments(variables, arguments);
  return variables;
}

void render(const TemplateFlags& flags) {
  const Json given = chosen_case(flags);
  RenderOptions options;
  if (given.contains("now") && !given["now"].is_null()) {
    options.clock = [time = parse_time(given["now"], flags.case_file)] { return time; };
  }
  const std::string text = read_file("", flags.template_file);
  if (text.empty()) spdlog::warn("{} is empty, and so is the prompt", flags.template_file);
  const ChatTemplate chat_template(text, flags.template_file);
  const Json variables = variables_of(given, flags.case_file);
  warn_of_slips(given, flags.case_file, text);
  const auto parts = chat_template.render(variables, options);
  if (!flags.general.json) return print_text(whole_text(parts));
  Json list = Json::array();
  for (const TemplatePart& part : parts) {
    list.push_back({{"text", part.text}, {"from_user", part.from_user}});
  }
  print_json({{"text", whole_text(parts)}, {"parts", std::move(list)}});
}

}  // namespace

void add_template(CLI::App& program, Action& chosen) {
  auto flags = std::make_shared<TemplateFlags>();
  CLI::App& command =
      *program.add_subcommand("template", "print what a chat template makes of a conversation");
  command.footer(
      "CASE.json is an object with messages and, if wanted, tools, documents,\n"
      "add_generation_prompt, bos_token, eos_token, kwargs (an object: what else the template\n"
      "is given) and now (the time that strftime_now sees, as 2026-11-29T12:34:56); or a list\n"
      "of such objects with names. The prompt is printed as it is, without a newline at the end.");
  command.add_option("FILE", flags->template_file, "the template, a text in Jinja")
      ->required()
      ->type_name("");
  command.add_option("CASE", flags->case_file, "the conversation, as JSON")
      ->required()
      ->type_name("");
  command.add_option("--case", flags->name, "the case of the list to render")->type_name("NAME");
  flags->general.add_to(command);
  command.callback([flags, &chosen] { chosen = [flags] { render(*flags); }; });
}

}  // namespace lamina
