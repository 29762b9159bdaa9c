// JsonCalls: calls written as JSON objects, {"name": "f", "arguments": {...}}: one, several after
// another, or an array of them.
//
// The name may also be called "function" or "tool_name", the arguments "parameters", and other
// members may stand among them. A call begins with its arguments, or at the object's end where the
// name comes after them or there are none. Arguments that are a string with JSON in it are that
// JSON. What follows arguments that are no
// JSON object, up to the section's end, still counts as arguments.
#pragma once

#include "runtime/streaming/call_reader.h"
#include "runtime/streaming/json_scanner.h"

#include <optional>
#include <string>
#include <string_view>

namespace lamina {

/// Gives out a JSON value from the front of the text as the arguments of the call that has begun,
/// and ends the call with the value. Refused, with the call still open, where it is no JSON object.
Reading read_arguments(AnswerText& text, JsonScanner& scanner);

/// Ends a call whose arguments are wrong: they go up to the first of `ends`, which stays.
Reading read_wrong_arguments(AnswerText& text, Markers ends);

/// Skips `closer` after calls, where it is there, with the white space before it.
Reading read_closer(AnswerText& text, std::string_view closer);

class JsonCalls {
 public:
  /// `sure`: a marker has said that calls follow. Else every member but a call's own refutes it,
  /// and so does the lack of arguments. `ends`: the markers that end wrong arguments.
  JsonCalls(bool sure, Markers ends) : sure_(sure), ends_(ends) {}

  /// Done once something else follows than another call. Refused where not even one was a call.
  Reading read(AnswerText& text);

 private:
  enum class State { item, next_item, first_key, key, colon, value, next_key, arguments, wrong };

  // Each takes one byte, or none where the state has changed, and returns how the section ends.
  std::optional<Reading> structure(AnswerText& text);
  std::optional<Reading> value(AnswerText& text);
  std::optional<Reading> begin_value(State state);
  std::optional<Reading> close(AnswerText& text);
  void begin(AnswerText& text);
  bool take_key();
  bool take_value();
  Reading stop() const { return calls_ > 0 ? Reading::done : Reading::refused; }

  bool sure_;
  Markers ends_;
  State state_ = State::item;
  bool in_array_ = false;
  int calls_ = 0;
  JsonScanner scanner_;  // of the value at hand
  std::string value_;    // its bytes
  // Of the object at hand:
  std::string key_;
  std::string name_;
  std::string id_;
  std::optional<std::string> arguments_;  // where they had to wait for the name
  bool begun_ = false;                    // the call has
};

}  // namespace lamina
