// A table of names; numbers of sampling come from the table that the flags are made of.
#include "runtime/tools/chat_settings.h"

#include "lamina/core/error.h"
#include "runtime/json_text.h"
#include "runtime/tools/generation_flags.h"

#include <fmt/format.h>

#include <array>
#include <functional>
#include <limits>

namespace lamina {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view template_prefix = "template.";

bool on_or_off(std::string_view name, const std::string& value) {
  if (value == "on" || value == "yes" || value == "true") return true;
  if (value == "off" || value == "no" || value == "false") return false;
  throw Error(fmt::format("{} '{}': expected on or off", name, value));
}

std::int64_t whole(std::string_view name, const std::string& value) {
  return parse_integer(name, value, 0, std::numeric_limits<std::int64_t>::max());
}

struct NamedSetting {
  std::string_view name;
  std::string_view help;
  void (*set)(ChatSession&, const std::string&);
  Json (*get)(const ChatSession&);
};

constexpr std::array<NamedSetting, 5> others = {{
    {"greedy", "on: always the most likely token",
     [](ChatSession& c, const std::string& v) {
       c.options.completion.sampling.greedy = on_or_off("greedy", v);
     },
     [](const ChatSession& c) { return Json(c.options.completion.sampling.greedy); }},
    {"seed", "of everything random; 'drawn': anew for each answer",
     [](ChatSession& c, const std::string& v) {
       auto& seed = c.options.completion.sampling.seed;
       if (v == "drawn") {
         seed.reset();
       } else {
         seed = static_cast<std::uint64_t>(whole("seed", v));
       }
     },
     [](const ChatSession& c) {
       const auto& seed = c.options.completion.sampling.seed;
       return seed ? Json(*seed) : Json("drawn");
     }},
    {"n", "tokens of an answer at most; 'all': until it ends or the context is full",
     [](ChatSession& c, const std::string& v) {
       auto& n = c.options.completion.max_tokens;
       if (v == "all") {
         n.reset();
       } else {
         n = whole("n", v);
       }
     },
     [](const ChatSession& c) {
       const auto& n = c.options.completion.max_tokens;
       return n ? Json(*n) : Json("all");
     }},
    {"context_policy", "error, drop-oldest, window=N or summary",
     [](ChatSession& c, const std::string& v) { c.options.policy = parse_context_policy(v); },
     [](const ChatSession& c) { return Json(describe(c.options.policy)); }},
    {"special_in_user_text", "parse: text of messages may spell special tokens; text: it may not",
     [](ChatSession& c, const std::string& v) {
       if (v != "parse" && v != "text") {
         throw Error(fmt::format("special_in_user_text '{}': expected parse or text", v));
       }
       c.format.parse_special_in_messages = v == "parse";
     },
     [](const ChatSession& c) {
       return Json(c.format.parse_special_in_messages ? "parse" : "text");
     }},
}};

std::string names() {
  std::string all;
  for (const SamplingNumber& number : sampling_numbers()) all += fmt::format("{}, ", number.name);
  for (const NamedSetting& setting : others) all += fmt::format("{}, ", setting.name);
  return all + "reasoning, template.NAME";
}

Json value_of(const SamplingSettings& settings, const SamplingNumber& number) {
  return std::visit([&](auto member) { return Json(settings.*member); }, number.member);
}

std::string as_text(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

}  // namespace

void set_reasoning(ChatFormat& format, bool on) {
  for (const char* name : {"enable_thinking", "thinking"}) {
    if (!format.mentions(name)) continue;
    Json arguments = format.variables().arguments;
    arguments[name] = on;
    format.set_arguments(std::move(arguments));
    return;
  }
  throw Error(fmt::format(
      "reasoning: {} reads neither enable_thinking nor thinking, so it cannot be switched",
      format.source()));
}

void set_template_argument(ChatFormat& format, const std::string& name, const std::string& value) {
  if (name.empty()) throw Error("a template argument needs a name, as in template.NAME VALUE");
  Json arguments = format.variables().arguments;
  try {
    arguments[name] = parse_ordered_json(value, name);
  } catch (const Error&) {
    arguments[name] = value;
  }
  format.set_arguments(std::move(arguments));
}

void set_chat_setting(ChatSession& chat, std::string_view name, const std::string& value) {
  for (const SamplingNumber& number : sampling_numbers()) {
    if (number.name == name) {
      return set_sampling(chat.options.completion.sampling, number, std::string(name), value);
    }
  }
  for (const NamedSetting& setting : others) {
    if (setting.name == name) return setting.set(chat, value);
  }
  if (name == "reasoning") return set_reasoning(chat.format, on_or_off(name, value));
  if (name.starts_with(template_prefix)) {
    return set_template_argument(chat.format, std::string(name.substr(template_prefix.size())),
                                 value);
  }
  throw Error(fmt::format("'{}' is no setting; expected one of: {}", name, names()));
}

std::string describe_settings(const ChatSession& chat) {
  std::string text;
  const auto add = [&](std::string_view name, const Json& value, std::string_view help) {
    text += fmt::format("{:<20} {:<8} {}\n", name, as_text(value), help);
  };
  for (const SamplingNumber& number : sampling_numbers()) {
    add(number.name, value_of(chat.options.completion.sampling, number), number.help);
  }
  for (const NamedSetting& setting : others) add(setting.name, setting.get(chat), setting.help);
  for (const auto& [name, value] : chat.format.variables().arguments.items()) {
    add(std::string(template_prefix) + name, value, "an argument of the chat template");
  }
  return text;
}

Json settings_json(const ChatSession& chat) {
  Json settings = Json::object();
  for (const SamplingNumber& number : sampling_numbers()) {
    settings[std::string(number.name)] = value_of(chat.options.completion.sampling, number);
  }
  for (const NamedSetting& setting : others) {
    settings[std::string(setting.name)] = setting.get(chat);
  }
  settings["template_arguments"] = chat.format.variables().arguments;
  return settings;
}

void apply_settings(ChatSession& chat, const Json& settings) {
  if (!settings.is_object()) throw Error("\"settings\" is no object");
  const ChatOptions options = chat.options;
  const Json arguments = chat.format.variables().arguments;
  const bool parse = chat.format.parse_special_in_messages;
  try {
    for (const auto& [name, value] : settings.items()) {
      if (name == "template_arguments") {
        chat.format.set_arguments(value);
      } else {
        set_chat_setting(chat, name, as_text(value));
      }
    }
  } catch (...) {
    chat.options = options;
    chat.format.set_arguments(arguments);
    chat.format.parse_special_in_messages = parse;
    throw;
  }
}

}  // namespace lamina
