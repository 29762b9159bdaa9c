// Conversation: the messages of a chat in OpenAI form, and which of them the model still sees.
//
// Plain data without a terminal, a model or a clock. An exchange is a user's message with all that
// follows up to the next one. Messages that no longer fit stay here, and in what is saved, but are
// not shown to the model; a summary may stand for them.
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lamina {

/// `saved` as an object that has an array as "messages", with whatever else it holds; an array
/// alone is one of messages. Throws Error naming `source` and the message for what is no
/// conversation.
nlohmann::ordered_json read_conversation(nlohmann::ordered_json saved, const std::string& source);

class Conversation {
 public:
  using Json = nlohmann::ordered_json;

  Conversation() = default;
  /// From what `read_conversation` gave.
  explicit Conversation(const Json& saved);

  /// {"messages": [...]} and, where messages were dropped, {"context": {"dropped": n, "summary":
  /// "..."}}.
  Json to_json() const;

  const Json& messages() const { return messages_; }
  bool empty() const { return messages_.empty(); }
  /// Appends a message. Bytes that are no UTF-8 become U+FFFD.
  void add(std::string_view role, std::string_view text);
  void add(Json message);
  /// Appends the result of the first call of a tool in the last answer that has none yet; whether
  /// all have one now. Throws Error where no call waits for a result.
  bool add_tool_result(std::string_view text);
  /// Appends to the text of the last message.
  void continue_last(std::string_view text);
  /// Puts `text` in front as the system message, in place of one that is there; empty: none.
  void set_system(std::string_view text);
  std::string system() const;
  /// Whether the last message waits for an answer: it is the user's, or a tool's result.
  bool awaits_answer() const;

  /// Removes the last exchange and returns its question; false where there is none.
  bool undo(std::string* question = nullptr);
  /// Removes what follows the last user's message; false where nothing does.
  bool forget_answer();
  /// Removes all but the system message.
  void reset();

  /// The messages that the model is to see.
  Json visible() const { return visible(dropped_, summary_); }
  /// What it would see with the first `dropped` messages after the system message left out and a
  /// summary in their place.
  Json visible(std::size_t dropped, const std::string& summary) const;
  /// For each exchange the model sees: how many messages would be dropped with all before it. The
  /// first is `dropped()`.
  std::vector<std::size_t> exchanges() const;
  void drop(std::size_t messages, std::string summary);
  std::size_t dropped() const { return dropped_; }
  /// How many messages there are after the leading system messages.
  std::size_t droppable() const { return messages_.size() - leading(); }
  const std::string& summary() const { return summary_; }

 private:
  std::size_t leading() const;  // system messages in front

  Json messages_ = Json::array();
  std::size_t dropped_ = 0;  // of those after the leading ones
  std::string summary_;      // of the dropped ones
};

}  // namespace lamina
