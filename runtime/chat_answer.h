// ChatAnswer: an answer's text, as it comes, put together to a message in OpenAI form.
//
// {"role": "assistant", "content": ..., "reasoning_content": ..., "tool_calls": [...]}; the last
// two where there are any. The arguments of a call are JSON in a string.
#pragma once

#include "runtime/streaming/answer_event.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace lamina {

class ChatAnswer {
 public:
  void add(const AnswerEvent& event);

  const std::string& content() const { return content_; }
  const std::string& reasoning() const { return reasoning_; }
  /// {"id", "type": "function", "function": {"name", "arguments"}}; a call to which the model gave
  /// no id has one made of its number.
  const nlohmann::ordered_json& calls() const { return calls_; }
  nlohmann::ordered_json message() const;

 private:
  std::string content_;
  std::string reasoning_;
  nlohmann::ordered_json calls_ = nlohmann::ordered_json::array();
};

}  // namespace lamina
