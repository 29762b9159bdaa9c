// From control token to control token.
#include "runtime/streaming/deepseek_calls.h"

namespace lamina {
namespace {

constexpr std::size_t longest_name = 256;  // bytes

constexpr std::string_view separator[] = {"<｜tool▁sep｜>"};
constexpr std::string_view line_end[] = {"\n"};
constexpr std::string_view fence_begin = "```json";
constexpr std::string_view fence_end = "```";
constexpr std::string_view call_ends[] = {"<｜tool▁call▁end｜>", "<｜tool▁calls▁end｜>"};

}  // namespace

void DeepSeekCalls::open(std::size_t which) {
  state_ = which == 0 ? State::call : State::kind;
  called_ = false;
}

DeepSeekCalls::Step DeepSeekCalls::go(State state) {
  state_ = state;
  return std::nullopt;
}

/// What a section that does not go on as it should amounts to.
Reading DeepSeekCalls::stop() const { return called_ ? Reading::done : Reading::refused; }

Reading DeepSeekCalls::read(AnswerText& text) {
  for (;;) {
    if (const Step end = step(text)) return *end;
  }
}

DeepSeekCalls::Step DeepSeekCalls::step(AnswerText& text) {
  const bool between = state_ != State::kind && state_ != State::name &&
                       state_ != State::arguments && state_ != State::wrong;
  if (between && !text.skip_space() && !text.ended()) return Reading::waiting;
  switch (state_) {
    case State::call:
      return call(text);
    case State::kind:
    case State::name:
      return name(text);
    case State::form:
      if (!text.rest().starts_with('{')) return go(State::name);  // what came before was a kind
      begin(text);
      return go(State::arguments);
    case State::fence: {
      const auto there = text.skip_word(fence_begin);
      if (!there) return Reading::waiting;
      fenced_ = *there;
      return go(State::space);
    }
    case State::space:
      return go(State::arguments);
    case State::arguments: {
      const Reading reading = read_arguments(text, scanner_);
      if (reading == Reading::waiting) return reading;
      return go(reading == Reading::refused ? State::wrong
                : fenced_                   ? State::fence_end
                                            : State::end);
    }
    case State::wrong:
      if (read_wrong_arguments(text, call_ends) == Reading::waiting) return Reading::waiting;
      return go(State::end);
    case State::fence_end:
      return text.skip_word(fence_end) ? go(State::end) : Step(Reading::waiting);
    case State::end: {
      const auto there = text.skip_word(call_ends[0]);
      if (!there) return Reading::waiting;
      if (*there) text.settle();
      return go(State::call);
    }
  }
  return Reading::refused;
}

/// Another call, the end of the section, or something else.
DeepSeekCalls::Step DeepSeekCalls::call(AnswerText& text) {
  const auto next = text.skip_word(openers[1]);
  if (!next) return Reading::waiting;
  if (*next) return go(State::kind);
  const auto end = text.skip_word(call_ends[1]);
  if (!end) return Reading::waiting;
  if (*end && called_) text.settle();
  return stop();
}

/// The name, or the kind before the separator, which is the name where no other follows.
DeepSeekCalls::Step DeepSeekCalls::name(AnswerText& text) {
  bool missing = false;
  const Markers ends = state_ == State::kind ? Markers(separator) : Markers(line_end);
  const auto found = text.skip_past(ends, longest_name, missing);
  if (!found) return missing ? stop() : Reading::waiting;
  name_ = found->before;
  if (name_.empty()) return stop();
  if (state_ == State::kind) return go(State::form);
  begin(text);
  return go(State::fence);
}

void DeepSeekCalls::begin(AnswerText& text) {
  text.begin_call(name_, "");
  called_ = true;
  fenced_ = false;
  scanner_ = {};
}

}  // namespace lamina
