// AnswerStream: an answer's text, as it comes, to content, reasoning and tool calls.
//
// It stands behind stop strings and the assembling of characters, and is fed text with the control
// tokens written out. Nothing is lost but markers, structure, and white space beside them
// (answer_text.h); what only looked like a marker or a call is content (call_reader.h).
#pragma once

#include "runtime/streaming/answer_form.h"
#include "runtime/streaming/marked_answer.h"
#include "runtime/streaming/harmony_answer.h"
#include "runtime/streaming/tool_schemas.h"
#include "runtime/streaming/utf8_stream.h"

#include <string_view>
#include <variant>
#include <vector>

namespace lamina {

class AnswerStream {
 public:
  /// `in_reasoning`: the prompt has opened a section of reasoning (opens_reasoning). `tools` give
  /// the types of parameters to the form that writes values as bare text.
  explicit AnswerStream(const AnswerForm& form, bool in_reasoning = false, ToolSchemas tools = {});

  /// Takes the next bytes, cut anywhere, and returns what they decide.
  std::vector<AnswerEvent> feed(std::string_view bytes);
  /// The answer has ended: what was undecided is content, and an unfinished call ends, not valid.
  std::vector<AnswerEvent> finish();

 private:
  void read(std::string_view characters);

  Utf8Stream characters_;
  AnswerText text_;
  std::variant<MarkedAnswer, HarmonyAnswer> reader_;
};

}  // namespace lamina
