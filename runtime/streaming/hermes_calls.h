// HermesCalls: <tool_call>{"name": "f", "arguments": {...}}</tool_call>, as Hermes 2 Pro and the
// Qwen models since 2.5 write calls (their public chat templates). Each has a pair of tags of its
// own; white space around the object does not count.
#pragma once

#include "runtime/streaming/json_calls.h"

#include <optional>

namespace lamina {

class HermesCalls {
 public:
  static constexpr std::string_view openers[] = {"<tool_call>"};

  void open(std::size_t) { calls_.emplace(true, closers); }
  Reading read(AnswerText& text);

 private:
  static constexpr std::string_view closers[] = {"</tool_call>"};

  std::optional<JsonCalls> calls_;  // none once they have ended
};
static_assert(CallReader<HermesCalls>);

}  // namespace lamina
