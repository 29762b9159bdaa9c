// Rendering, encoding, and counting by rendering prefixes.
#include "runtime/chat_format.h"

#include "runtime/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace lamina {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view continue_tag = "CONTINUE_FINAL_MESSAGE_TAG ";
constexpr std::string_view blanks = " \t\n\r\f\v";

std::string_view without_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  const auto last = text.find_last_not_of(blanks);
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

/// Makes objects of the arguments that are JSON in a string.
void parse_arguments(Json& message) {
  const auto calls = message.find("tool_calls");
  if (calls == message.end() || !calls->is_array()) return;
  for (Json& call : *calls) {
    if (!call.is_object()) continue;
    Json& function = call.contains("function") ? call["function"] : call;
    if (!function.is_object() || !function.contains("arguments")) continue;
    Json& arguments = function["arguments"];
    if (!arguments.is_string()) continue;
    try {
      Json parsed = parse_ordered_json(arguments.get_ref<const std::string&>(), "arguments");
      if (parsed.is_object()) arguments = std::move(parsed);
    } catch (const Error&) {
      // What the model wrote is no JSON; the template gets it as it is.
    }
  }
}

/// A message as templates expect it: no nulls, and reasoning under all of its names.
Json for_template(const Json& message) {
  Json result = Json::object();
  for (const auto& [key, value] : message.items()) {
    if (!value.is_null()) result[key] = value;
  }
  for (const char* name : {"reasoning_content", "thinking", "reasoning"}) {
    if (!result.contains(name)) continue;
    const Json reasoning = result[name];
    if (!result.contains("thinking")) result["thinking"] = reasoning;
    result["reasoning_content"] = reasoning;
    break;
  }
  return result;
}

/// Appends the tag to the text that is to be continued, and returns that text as it was.
std::string tag_last(Json& messages) {
  const auto refuse = [](std::string_view what) {
    throw Error(fmt::format("there is nothing to continue: {}", what));
  };
  if (messages.empty()) refuse("the conversation is empty");
  Json& message = messages.back();
  if (message.value("role", "") != "assistant") refuse("the last message is not an assistant's");
  Json* text = message.contains("content") ? &message["content"] : nullptr;
  if (text != nullptr && text->is_array()) {
    const auto last = std::find_if(text->rbegin(), text->rend(), [](const Json& part) {
      return part.is_object() && part.contains("text");
    });
    text = last == text->rend() ? nullptr : &(*last)["text"];
  }
  if (text == nullptr || !text->is_string()) refuse("the last message has no text");
  std::string before = text->get<std::string>();
  *text = before + std::string(continue_tag);
  return before;
}

/// Cuts the parts before the tag; where the template cut blanks off the message, also before these.
std::vector<TemplatePart> cut_at_tag(std::vector<TemplatePart> parts, std::string_view message) {
  const std::string text = whole_text(parts);
  const std::string_view bare_tag = without_blanks(continue_tag);
  std::size_t end = text.rfind(bare_tag);
  if (end == std::string::npos || text.find(without_blanks(message)) == std::string::npos) {
    throw Error(
        "the last message cannot be continued: the chat template does not show its whole text");
  }
  if (text.compare(end, continue_tag.size(), continue_tag) != 0) {
    const auto last = std::string_view(text).substr(0, end).find_last_not_of(blanks);
    end = last == std::string_view::npos ? 0 : last + 1;
  }
  std::size_t at = 0;
  std::vector<TemplatePart> kept;
  for (TemplatePart& part : parts) {
    if (at >= end) break;
    const std::size_t size = std::min(part.text.size(), end - at);
    at += size;
    part.text.resize(size);
    kept.push_back(std::move(part));
  }
  return kept;
}

void set_special_text(Json& variables, const char* name, const Tokenizer& tokenizer, Token token) {
  if (token >= 0) variables[name] = tokenizer.piece(token, true);
}

}  // namespace

std::int64_t PromptTokens::markers() const {
  std::int64_t text = 0;
  for (const MessageTokens& message : messages) text += message.content;
  return std::max<std::int64_t>(0, total - text);
}

ChatFormat::ChatFormat(const ChosenTemplate& chosen, const Tokenizer& tokenizer,
                       ChatVariables variables)
    : source_(chosen.source),
      template_(chosen.text, chosen.source),
      tokenizer_(tokenizer),
      variables_(std::move(variables)) {
  answer_form = answer_form_of_template(chosen.text);
  options_.clock = [now = local_time_now()] { return now; };
  set_arguments(variables_.arguments);
}

void ChatFormat::set_arguments(Json arguments) {
  all_variables(arguments);  // throws where one is not allowed
  variables_.arguments = std::move(arguments);
}

Json ChatFormat::all_variables(const Json& arguments) const {
  Json all = {{"messages", Json::array()},
              {"tools", variables_.tools},
              {"documents", variables_.documents},
              {"add_generation_prompt", false}};
  set_special_text(all, "bos_token", tokenizer_, tokenizer_.bos());
  set_special_text(all, "eos_token", tokenizer_, tokenizer_.eos());
  add_template_arguments(all, arguments);
  return all;
}

std::vector<TemplatePart> ChatFormat::render(const Json& messages, PromptEnd end) const {
  const bool calls = std::any_of(messages.begin(), messages.end(),
                                 [](const Json& m) { return m.contains("tool_calls"); });
  if (!calls) return render(messages, end, false);
  try {
    return render(messages, end, true);
  } catch (const TemplateError&) {
    return render(messages, end, false);
  }
}

std::vector<TemplatePart> ChatFormat::render(const Json& messages, PromptEnd end,
                                             bool calls_as_objects) const {
  Json all = all_variables(variables_.arguments);
  for (const Json& message : messages) {
    all["messages"].push_back(for_template(message));
    if (calls_as_objects) parse_arguments(all["messages"].back());
  }
  all["add_generation_prompt"] = end == PromptEnd::generation;
  if (end != PromptEnd::continued) return template_.render(all, options_);
  const std::string text = tag_last(all["messages"]);
  return cut_at_tag(template_.render(all, options_), text);
}

std::vector<Token> ChatFormat::tokens(const Json& messages, PromptEnd end) const {
  return encode(render(messages, end));
}

std::vector<Token> ChatFormat::encode(std::span<const TemplatePart> parts) const {
  if (parse_special_in_messages) {
    return tokenizer_.encode(whole_text(parts), {.add_special = false});
  }
  std::vector<TextPart> pieces;
  for (const TemplatePart& part : parts) pieces.push_back({part.text, part.from_user});
  return tokenizer_.encode(pieces, {.add_special = false});
}

PromptTokens ChatFormat::count(const Json& messages, PromptEnd end) const {
  PromptTokens counts;
  std::int64_t before = 0;
  Json prefix = Json::array();
  for (const Json& message : messages) {
    prefix.push_back(message);
    MessageTokens& entry = counts.messages.emplace_back();
    entry.content = static_cast<std::int64_t>(
        tokenizer_
            .encode(message_text(message),
                    {.add_special = false, .parse_special = parse_special_in_messages})
            .size());
    try {
      const auto length = static_cast<std::int64_t>(tokens(prefix, PromptEnd::nothing).size());
      entry.tokens = length - before;
      before = length;
    } catch (const TemplateError&) {
      // Many templates refuse what ends with a system message; the next message counts for both.
    }
  }
  counts.total = static_cast<std::int64_t>(tokens(messages, end).size());
  counts.ending = counts.total - before;
  return counts;
}

std::string message_text(const Json& message) {
  const auto content = message.find("content");
  if (content == message.end()) return {};
  if (content->is_string()) return content->get<std::string>();
  std::string text;
  if (!content->is_array()) return text;
  for (const Json& part : *content) {
    if (part.is_string()) text += part.get<std::string>();
    if (part.is_object() && part.contains("text") && part["text"].is_string()) {
      text += part["text"].get<std::string>();
    }
  }
  return text;
}

}  // namespace lamina
