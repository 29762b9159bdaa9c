// HarmonyAnswer: an answer of gpt-oss, whose every message has a header that says what it is
// (OpenAI's description of the harmony response format):
//
//   <|channel|>analysis<|message|>...<|end|>                          reasoning
//   <|start|>assistant<|channel|>commentary to=functions.f
//   <|constrain|>json<|message|>{...}<|call|>
//   <|start|>assistant<|channel|>final<|message|>...<|return|>        content
//
// A message to a recipient is a call of it, whatever its channel; the recipient may also stand
// before the channel. Text between messages is content. The prompt ends with <|start|>assistant, or
// within a message.
#pragma once

#include "runtime/streaming/call_reader.h"
#include "runtime/streaming/json_scanner.h"

#include <string_view>

namespace lamina {

class HarmonyAnswer {
 public:
  /// `in_reasoning`: the prompt ends inside a message of the analysis channel.
  explicit HarmonyAnswer(bool in_reasoning);

  /// Takes as much of the text as can be decided.
  void read(AnswerText& text);

 private:
  enum class State { start, text, header, space, arguments, wrong };

  bool step(AnswerText& text);
  bool header(AnswerText& text);
  bool go(State state);

  State state_;
  AnswerText::Kind kind_;    // of the text at hand
  std::string_view opener_;  // of the header at hand
  JsonScanner scanner_;
};

}  // namespace lamina
