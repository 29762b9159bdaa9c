// LlamaCalls: {"name": "f", "parameters": {...}}, perhaps after <|python_tag|>, several with a
// semicolon between them, as Llama 3.1 and later write calls (Meta's prompt format and the public
// chat templates).
//
// Without the tag only the beginning of the answer can be a call, and only an object that has both
// members; any other object is content. So is what follows the tag where it is no such object:
// Python code for the built-in interpreter.
#pragma once

#include "runtime/streaming/json_calls.h"

#include <optional>

namespace lamina {

class LlamaCalls {
 public:
  static constexpr std::string_view openers[] = {"<|python_tag|>"};

  /// `which` is past the openers where the answer begins with an object.
  void open(std::size_t which) { calls_.emplace(which == 0, Markers{}); }
  Reading read(AnswerText& text) { return calls_->read(text); }

 private:
  std::optional<JsonCalls> calls_;
};
static_assert(CallReader<LlamaCalls>);

}  // namespace lamina
