// MistralCalls: the two forms in which Mistral's models write calls after [TOOL_CALLS]: an array of
// JSON objects, or since tokenizer v11 the parts of one call, f[ARGS]{...} or
// f[CALL_ID]id[ARGS]{...} (the public chat templates, and mistral-common's description of its
// control tokens).
#pragma once

#include "runtime/streaming/json_calls.h"

#include <optional>
#include <string>

namespace lamina {

class MistralCalls {
 public:
  static constexpr std::string_view openers[] = {"[TOOL_CALLS]"};

  void open(std::size_t) { *this = {}; }
  Reading read(AnswerText& text);

 private:
  enum class State { form, array, name, id, space, arguments, wrong };

  std::optional<Reading> step(AnswerText& text);
  std::optional<Reading> name(AnswerText& text);
  std::optional<Reading> begin(AnswerText& text, const std::string& id);

  State state_ = State::form;
  JsonCalls array_{true, openers};
  std::string name_;
  JsonScanner scanner_;
};
static_assert(CallReader<MistralCalls>);

}  // namespace lamina
