// `lamina template`: what a chat template makes of a conversation.
//
// The case file is a JSON object {messages, tools, documents, add_generation_prompt, bos_token,
// eos_token, kwargs, now}, or a list of them that have names.
#include "runtime/chat_template/chat_template.h"
#include "lamina/gguf/quoted.h"
#include "runtime/tools/flags.h"
#include "runtime/tools/output.h"
#include "runtime/tools/tools.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>

namespace lamina {
namespace {

using Json = nlohmann::ordered_json;

struct TemplateFlags {
  std::string template_file;
  std::string case_file;
  std::optional<std::string> name;
  GeneralFlags general;
};

std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file.is_open() || file.bad()) throw Error("cannot read the file " + path);
  return text;
}

/// The case to render: the file's only one, or the one that --case names.
Json chosen_case(const TemplateFlags& flags) {
  Json file = Json::parse(file_text(flags.case_file), nullptr, false);
  if (file.is_discarded()) throw Error(flags.case_file + " is no JSON");
  if (file.is_object() && !flags.name) return file;
  if (!file.is_array()) {
    throw Error(flags.case_file + (flags.name
                                       ? " is not a list of cases, of which --case picks one"
                                       : " is neither a case, an object, nor a list of them"));
  }
  if (!flags.name) throw UsageError(flags.case_file + " holds several cases: pick one with --case");
  std::string names;
  for (Json& each : file) {
    const std::string name = each.is_object() ? each.value("name", "") : "";
    if (name == *flags.name) return std::move(each);
    names += (names.empty() ? "" : ", ") + name;
  }
  throw UsageError(
      fmt::format("{} has no case named '{}'; it has: {}", flags.case_file, *flags.name, names));
}

/// A time such as 2026-11-29T12:34:56.
LocalTime parse_time(const std::string& text) {
  LocalTime time;
  int used = 0;
  const int found =
      std::sscanf(text.c_str(), "%4d-%2d-%2d%*1[T ]%2d:%2d:%2d%n", &time.year, &time.month,
                  &time.day, &time.hour, &time.minute, &time.second, &used);
  const bool valid = time.year >= 1 && time.month >= 1 && time.month <= 12 && time.day >= 1 &&
                     time.day <= 31 && time.hour >= 0 && time.hour < 24 && time.minute >= 0 &&
                     time.minute < 60 && time.second >= 0 && time.second < 62;
  if (found != 6 || used != static_cast<int>(text.size()) || !valid) {
    throw Error("\"now\" is " + lamina::quoted(text) + ", not a time such as 2026-11-29T12:34:56");
  }
  return time;
}

/// What transformers hands to a template: tools and documents are none where there are none.
Json variables_of(const Json& given, const std::string& file) {
  if (!given.contains("messages") || !given["messages"].is_array()) {
    throw Error(file + " has no list \"messages\"");
  }
  Json variables = {{"messages", given["messages"]},
                    {"tools", given.value("tools", Json())},
                    {"documents", given.value("documents", Json())},
                    {"add_generation_prompt", given.value("add_generation_prompt", Json(false))}};
  for (const char* token : {"bos_token", "eos_token"}) {
    if (given.contains(token)) variables[token] = given[token];
  }
  const Json arguments = given.value("kwargs", Json::object());
  if (!arguments.is_null()) add_template_arguments(variables, arguments);
  return variables;
}

void render(const TemplateFlags& flags) {
  const Json given = chosen_case(flags);
  RenderOptions options;
  if (given.contains("now") && !given["now"].is_null()) {
    if (!given["now"].is_string()) throw Error(flags.case_file + ": \"now\" is not a string");
    options.clock = [time = parse_time(given["now"].get<std::string>())] { return time; };
  }
  const ChatTemplate chat_template(file_text(flags.template_file), flags.template_file);
  const auto parts = chat_template.render(variables_of(given, flags.case_file), options);
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
