// From marker to marker.
#include "runtime/streaming/marked_answer.h"

#include <algorithm>
#include <utility>

namespace lamina {
namespace {

constexpr std::size_t most_space = 256;  // bytes before an object that is a call without a marker

Markers openers_of(const MarkedAnswer::Calls& calls) {
  return std::visit([]<class Reader>(const Reader&) { return Markers(Reader::openers); }, calls);
}

}  // namespace

MarkedAnswer::MarkedAnswer(Calls calls, const std::optional<ReasoningMarkers>& reasoning,
                           bool in_reasoning)
    : calls_(std::move(calls)) {
  const Markers openers = openers_of(calls_);
  openers_.assign(openers.begin(), openers.end());
  if (!reasoning) return;
  openers_.push_back(reasoning->begin);
  reasoning_end_ = reasoning->end;
  if (in_reasoning) state_ = State::reasoning;
}

void MarkedAnswer::read(AnswerText& text) {
  while (step(text)) {
  }
}

/// Takes what it can; false where more text is needed.
bool MarkedAnswer::step(AnswerText& text) {
  switch (state_) {
    case State::content:
      return content(text);
    case State::call:
      return call(text);
    case State::reasoning:
      if (!text.put_until({&reasoning_end_, 1}, AnswerText::Kind::reasoning)) return false;
      text.settle();
      state_ = State::content;
      return true;
  }
  return false;
}

bool MarkedAnswer::content(AnswerText& text) {
  const std::size_t call_openers = openers_of(calls_).size();
  if (std::holds_alternative<LlamaCalls>(calls_) && !text.has_content() && text.calls() == 0) {
    const std::size_t space =
        std::min(text.rest().find_first_not_of(" \t\r\n"), text.rest().size());
    if (space == text.rest().size() && space <= most_space && !text.ended()) return false;
    if (space <= most_space && text.rest().substr(space).starts_with('{')) {
      text.skip(space);
      std::get<LlamaCalls>(calls_).open(call_openers);
      state_ = State::call;
      return true;
    }
  }
  const auto which = text.put_until(openers_, AnswerText::Kind::content);
  if (!which) return false;
  state_ = *which < call_openers ? State::call : State::reasoning;
  if (state_ == State::reasoning) {
    text.settle();
  } else {
    std::visit([&](auto& reader) { reader.open(*which); }, calls_);
  }
  return true;
}

bool MarkedAnswer::call(AnswerText& text) {
  const Reading reading = std::visit([&](auto& reader) { return reader.read(text); }, calls_);
  if (reading == Reading::waiting) return false;
  if (reading == Reading::refused) {
    text.refuse();
  } else {
    text.rewind();
  }
  state_ = State::content;
  return true;
}

}  // namespace lamina
