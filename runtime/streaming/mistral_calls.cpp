// Which of the two forms it is shows in what follows the marker.
#include "runtime/streaming/mistral_calls.h"

namespace lamina {
namespace {

constexpr std::size_t longest_name = 256;  // bytes, of names and ids

// The arguments may follow the name at once where control tokens have no text.
constexpr std::string_view name_ends[] = {"[ARGS]", "[CALL_ID]", "{"};
constexpr std::string_view id_end[] = {"[ARGS]"};

}  // namespace

Reading MistralCalls::read(AnswerText& text) {
  for (;;) {
    if (const auto end = step(text)) return *end;
  }
}

std::optional<Reading> MistralCalls::step(AnswerText& text) {
  switch (state_) {
    case State::form:
      if (!text.skip_space()) return text.ended() ? Reading::refused : Reading::waiting;
      state_ = text.rest()[0] == '[' || text.rest()[0] == '{' ? State::array : State::name;
      return std::nullopt;
    case State::array:
      return array_.read(text);
    case State::name:
      return name(text);
    case State::id: {
      bool missing = false;
      const auto found = text.skip_past(id_end, longest_name, missing);
      if (!found) return missing ? Reading::refused : Reading::waiting;
      return begin(text, found->before);
    }
    case State::space:
      if (!text.skip_space() && !text.ended()) return Reading::waiting;
      state_ = State::arguments;
      return std::nullopt;
    case State::arguments: {
      const Reading reading = read_arguments(text, scanner_);
      if (reading != Reading::refused) return reading;
      state_ = State::wrong;
      return std::nullopt;
    }
    case State::wrong:
      return read_wrong_arguments(text, openers);
  }
  return Reading::refused;
}

std::optional<Reading> MistralCalls::name(AnswerText& text) {
  bool missing = false;
  const auto found = text.skip_past(name_ends, longest_name, missing);
  if (!found) return missing ? Reading::refused : Reading::waiting;
  name_ = found->before;
  if (name_.empty()) return Reading::refused;
  if (name_ends[found->which] == "[CALL_ID]") {
    state_ = State::id;
    return std::nullopt;
  }
  begin(text, "");
  if (name_ends[found->which] == "{") {
    scanner_.feed('{');
    text.put_arguments("{");
    state_ = State::arguments;
  }
  return std::nullopt;
}

std::optional<Reading> MistralCalls::begin(AnswerText& text, const std::string& id) {
  text.begin_call(name_, id);
  state_ = State::space;
  return std::nullopt;
}

}  // namespace lamina
