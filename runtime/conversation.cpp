// Reading with care, and the bookkeeping of what was dropped.
#include "runtime/conversation.h"

#include "lamina/core/error.h"
#include "runtime/streaming/utf8_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace lamina {
namespace {

using Json = nlohmann::ordered_json;

std::string as_utf8(std::string_view bytes) {
  Utf8Stream stream;
  std::string text = stream.feed(bytes);
  return text + stream.finish();
}

bool has_role(const Json& message, std::string_view role) {
  return message.at("role").get_ref<const std::string&>() == role;
}

bool is_system(const Json& message) {
  return has_role(message, "system") || has_role(message, "developer");
}

void check_message(const Json& message, const std::string& where) {
  const auto refuse = [&](std::string_view what) {
    throw Error(
        fmt::format("{} {}; expected an object such as "
                    R"({{"role": "user", "content": "Hello"}})",
                    where, what));
  };
  if (!message.is_object()) refuse("is no object");
  const auto role = message.find("role");
  if (role == message.end() || !role->is_string()) refuse("has no role");
  const auto content = message.find("content");
  if (content == message.end() || content->is_null()) {
    if (!message.contains("tool_calls")) refuse("has no content");
  } else if (!content->is_string() && !content->is_array()) {
    refuse("has a content that is neither text nor a list of parts");
  }
}

}  // namespace

Json read_conversation(Json saved, const std::string& source) {
  if (saved.is_array()) saved = Json{{"messages", std::move(saved)}};
  if (!saved.is_object() || !saved.contains("messages") || !saved["messages"].is_array()) {
    throw Error(source +
                ": expected an array of messages, or an object that has one as \"messages\"");
  }
  std::size_t number = 0;
  for (const Json& message : saved["messages"]) {
    check_message(message, fmt::format("{}: message {}", source, ++number));
  }
  const Json context = saved.value("context", Json::object());
  const bool known = context.is_object() &&
                     context.value("dropped", Json(0u)).is_number_unsigned() &&
                     context.value("summary", Json("")).is_string();
  if (!known || context.value("dropped", std::size_t{0}) > saved["messages"].size()) {
    throw Error(source +
                ": \"context\" says that more was dropped than there are messages, or is "
                "not of the form {\"dropped\": 2, \"summary\": \"...\"}");
  }
  return saved;
}

Conversation::Conversation(const Json& saved) : messages_(saved.at("messages")) {
  const auto context = saved.find("context");
  if (context == saved.end()) return;
  dropped_ = std::min(context->value("dropped", std::size_t{0}), messages_.size() - leading());
  summary_ = context->value("summary", "");
}

Json Conversation::to_json() const {
  Json saved = {{"messages", messages_}};
  if (dropped_ > 0) saved["context"]["dropped"] = dropped_;
  if (!summary_.empty()) saved["context"]["summary"] = summary_;
  return saved;
}

void Conversation::add(std::string_view role, std::string_view text) {
  add(Json{{"role", role}, {"content", as_utf8(text)}});
}

void Conversation::add(Json message) {
  check_message(message, "the message");
  messages_.push_back(std::move(message));
}

bool Conversation::add_tool_result(std::string_view text) {
  const auto results = std::find_if_not(messages_.rbegin(), messages_.rend(),
                                        [](const Json& m) { return has_role(m, "tool"); });
  const auto done = static_cast<std::size_t>(results - messages_.rbegin());
  const Json calls =
      results == messages_.rend() ? Json::array() : results->value("tool_calls", Json::array());
  if (!calls.is_array() || done >= calls.size()) {
    throw Error("no call of a tool waits for its result");
  }
  const Json& call = calls[done];
  Json message = {{"role", "tool"}};
  if (call.is_object() && call.contains("id")) message["tool_call_id"] = call["id"];
  if (call.is_object() && call.contains("function") && call["function"].is_object()) {
    message["name"] = call["function"].value("name", "");
  }
  message["content"] = as_utf8(text);
  messages_.push_back(std::move(message));
  return done + 1 == calls.size();
}

void Conversation::continue_last(std::string_view text) {
  Json& content = messages_.back().at("content");
  if (content.is_string()) {
    content = content.get<std::string>() + as_utf8(text);
  } else {
    content.push_back({{"type", "text"}, {"text", as_utf8(text)}});
  }
}

void Conversation::set_system(std::string_view text) {
  while (leading() > 0) messages_.erase(messages_.begin());
  if (text.empty()) return;
  messages_.insert(messages_.begin(), Json{{"role", "system"}, {"content", as_utf8(text)}});
}

std::string Conversation::system() const {
  if (leading() == 0) return {};
  const Json& content = messages_.front().at("content");
  return content.is_string() ? content.get<std::string>() : content.dump();
}

bool Conversation::awaits_answer() const {
  return !messages_.empty() &&
         (has_role(messages_.back(), "user") || has_role(messages_.back(), "tool"));
}

bool Conversation::undo(std::string* question) {
  const auto last = std::find_if(messages_.rbegin(), messages_.rend(),
                                 [](const Json& m) { return has_role(m, "user"); });
  if (last == messages_.rend()) return false;
  const auto first = std::prev(last.base());
  if (question != nullptr && first->at("content").is_string()) *question = first->at("content");
  messages_.erase(first, messages_.end());
  if (dropped_ > messages_.size() - leading()) drop(0, {});  // what it stood for is gone
  return true;
}

bool Conversation::forget_answer() {
  const auto last = std::find_if(messages_.rbegin(), messages_.rend(),
                                 [](const Json& m) { return has_role(m, "user"); });
  if (last == messages_.rbegin() || last == messages_.rend()) return false;
  messages_.erase(last.base(), messages_.end());
  return true;
}

void Conversation::reset() {
  messages_.erase(messages_.begin() + static_cast<std::ptrdiff_t>(leading()), messages_.end());
  dropped_ = 0;
  summary_.clear();
}

std::size_t Conversation::leading() const {
  const auto first = std::find_if_not(messages_.begin(), messages_.end(), is_system);
  return static_cast<std::size_t>(first - messages_.begin());
}

Json Conversation::visible(std::size_t dropped, const std::string& summary) const {
  const auto start = static_cast<std::ptrdiff_t>(leading());
  Json seen = Json::array();
  seen.insert(seen.end(), messages_.begin(), messages_.begin() + start);
  if (!summary.empty()) {
    const std::string note = "Summary of the conversation before this point:\n" + summary;
    if (!seen.empty() && seen.back()["content"].is_string()) {
      seen.back()["content"] = seen.back()["content"].get<std::string>() + "\n\n" + note;
    } else {
      seen.push_back({{"role", "system"}, {"content", note}});
    }
  }
  seen.insert(seen.end(), messages_.begin() + start + static_cast<std::ptrdiff_t>(dropped),
              messages_.end());
  return seen;
}

std::vector<std::size_t> Conversation::exchanges() const {
  std::vector<std::size_t> starts;
  const std::size_t start = leading();
  bool asked = true;  // what precedes the first question goes with it
  for (std::size_t i = start + dropped_; i < messages_.size(); ++i) {
    const bool question = has_role(messages_[i], "user");
    if (starts.empty()) {
      starts.push_back(i - start);
      asked = question;
    } else if (question && asked) {
      starts.push_back(i - start);
    } else {
      asked = asked || question;
    }
  }
  return starts;
}

void Conversation::drop(std::size_t messages, std::string summary) {
  dropped_ = messages;
  summary_ = std::move(summary);
}

}  // namespace lamina
