// XmlCalls: <tool_call><function=f><parameter=x>value</parameter></function></tool_call>, as
// Qwen3-Coder writes calls (its public chat template), with line breaks between tags and around
// values.
//
// A value is text. It is a JSON string where the tool's schema says so; else it is the JSON it
// spells, if it spells any and has at most 64 KiB, or a string. The outer tags may be missing.
#pragma once

#include "runtime/streaming/json_calls.h"
#include "runtime/streaming/tool_schemas.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace lamina {

class XmlCalls {
 public:
  static constexpr std::string_view openers[] = {"<tool_call>", "<function="};

  explicit XmlCalls(ToolSchemas tools) : tools_(std::move(tools)) {}

  void open(std::size_t which);
  Reading read(AnswerText& text);

 private:
  enum class State { function, name, tags, key, first_break, value, wrong, closer };

  // Each takes what it can, and returns how the section ends or that more is needed; nothing where
  // the state has changed.
  using Step = std::optional<Reading>;
  Step step(AnswerText& text);
  Step name(AnswerText& text);
  Step tags(AnswerText& text);
  Step key(AnswerText& text);
  Step first_break(AnswerText& text);
  Step value(AnswerText& text);
  void put_value(AnswerText& text, bool whole);
  Step go(State state);
  Step go_wrong(AnswerText& text);

  ToolSchemas tools_;
  State state_ = State::function;
  std::string name_;
  std::string key_;
  std::string type_;        // of the parameter, as its schema says
  std::string value_;       // what of it is held until it is whole
  bool as_string_ = false;  // the value leaves as it comes
  int parameters_ = 0;
};
static_assert(CallReader<XmlCalls>);

}  // namespace lamina
