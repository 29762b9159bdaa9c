// MarkedAnswer: an answer in which reasoning stands between two markers and tool calls after one;
// what is neither is content.
//
// Within reasoning only its end counts, within a call only what belongs to the call.
#pragma once

#include "runtime/streaming/answer_form.h"
#include "runtime/streaming/deepseek_calls.h"
#include "runtime/streaming/hermes_calls.h"
#include "runtime/streaming/llama_calls.h"
#include "runtime/streaming/mistral_calls.h"
#include "runtime/streaming/xml_calls.h"

#include <string_view>
#include <variant>
#include <vector>

namespace lamina {

class MarkedAnswer {
 public:
  using Calls =
      std::variant<NoCalls, HermesCalls, XmlCalls, LlamaCalls, MistralCalls, DeepSeekCalls>;

  MarkedAnswer(Calls calls, const std::optional<ReasoningMarkers>& reasoning, bool in_reasoning);

  /// Takes as much of the text as can be decided.
  void read(AnswerText& text);

 private:
  enum class State { content, reasoning, call };

  bool step(AnswerText& text);
  bool content(AnswerText& text);
  bool call(AnswerText& text);

  Calls calls_;
  std::vector<std::string_view> openers_;  // of calls, then of reasoning
  std::string_view reasoning_end_;
  State state_ = State::content;
};

}  // namespace lamina
