// Headers, and bodies up to the control token that ends them.
#include "runtime/streaming/harmony_answer.h"

#include "runtime/streaming/json_calls.h"

#include <string>

namespace lamina {
namespace {

constexpr std::size_t longest_header = 1024;  // bytes

constexpr std::string_view channel = "<|channel|>";
constexpr std::string_view recipient = "to=";
constexpr std::string_view tool_prefix = "functions.";
constexpr std::string_view body[] = {"<|message|>"};
constexpr std::string_view start = "<|start|>";
constexpr std::string_view markers[] = {start, channel, "<|end|>", "<|return|>", "<|call|>"};

/// The word after the last `mark` of a header; empty where there is none.
std::string_view word_after(std::string_view header, std::string_view mark) {
  const std::size_t at = header.rfind(mark);
  if (at == std::string_view::npos) return {};
  const std::string_view word = header.substr(at + mark.size());
  return word.substr(0, word.find_first_of(" \t\r\n<"));
}

}  // namespace

HarmonyAnswer::HarmonyAnswer(bool in_reasoning)
    : state_(in_reasoning ? State::text : State::start),
      kind_(in_reasoning ? AnswerText::Kind::reasoning : AnswerText::Kind::content) {}

bool HarmonyAnswer::go(State state) {
  state_ = state;
  return true;
}

void HarmonyAnswer::read(AnswerText& text) {
  while (step(text)) {
  }
}

/// Takes what it can; false where more text is needed.
bool HarmonyAnswer::step(AnswerText& text) {
  switch (state_) {
    case State::start: {  // the role is in the prompt; a recipient may follow it here
      const auto there = text.skip_word(" to=");
      if (!there) return false;
      text.rewind();
      opener_ = {};
      return go(*there ? State::header : State::text);
    }
    case State::text: {
      const auto which = text.put_until(markers, kind_);
      if (!which) return false;
      opener_ = markers[*which];
      kind_ = AnswerText::Kind::content;
      if (opener_ == start || opener_ == channel) return go(State::header);
      text.settle();
      return true;
    }
    case State::header:
      return header(text);
    case State::space:
      if (!text.skip_space() && !text.ended()) return false;
      return go(State::arguments);
    case State::arguments: {
      const Reading reading = read_arguments(text, scanner_);
      if (reading == Reading::waiting) return false;
      return go(reading == Reading::done ? State::text : State::wrong);
    }
    case State::wrong:
      if (read_wrong_arguments(text, markers) == Reading::waiting) return false;
      return go(State::text);
  }
  return false;
}

bool HarmonyAnswer::header(AnswerText& text) {
  bool missing = false;
  const auto found = text.skip_past(body, longest_header, missing);
  if (!found && !missing) return false;
  state_ = State::text;
  if (missing) {
    text.refuse();
    return true;
  }
  const std::string header = std::string(opener_) + found->before;
  std::string_view name = word_after(header, recipient);
  if (name.starts_with(tool_prefix)) name.remove_prefix(tool_prefix.size());
  if (name.empty() || name == "user" || name == "assistant") {
    if (word_after(header, channel) == "analysis") kind_ = AnswerText::Kind::reasoning;
    text.settle();
    return true;
  }
  text.begin_call(std::string(name), "");
  scanner_ = {};
  return go(State::space);
}

}  // namespace lamina
