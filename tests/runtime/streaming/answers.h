// An answer's events as one line: content, (reasoning), [name id=ID ARGUMENTS ok], or wrong for ok.
#pragma once

#include "runtime/streaming/answer_stream.h"
#include "runtime/unicode/utf8.h"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace lamina::test {

using Answer = std::string;
using Texts = std::vector<std::string>;

/// The events in order. What one answer's first events tell, followed by what the others do, is
/// what all tell, as long as they are cut between two kinds.
inline Answer told(const std::vector<AnswerEvent>& events) {
  Answer line;
  for (const AnswerEvent& event : events) {
    if (const auto* content = std::get_if<ContentDelta>(&event)) line += content->text;
    if (const auto* reasoning = std::get_if<ReasoningDelta>(&event))
      line += "(" + reasoning->text + ")";
    if (const auto* begin = std::get_if<CallBegin>(&event))
      line += "[" + begin->name + " id=" + begin->id + " ";
    if (const auto* arguments = std::get_if<CallArguments>(&event)) line += arguments->text;
    if (const auto* end = std::get_if<CallEnd>(&event)) line += end->valid ? " ok]" : " wrong]";
  }
  return line;
}

inline bool whole_characters(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = well_formed_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

/// A delta says something, and is whole UTF-8.
inline void check_event(const AnswerEvent& event) {
  std::visit(
      []<class Event>(const Event& each) {
        if constexpr (requires { each.text; }) {
          BOOST_REQUIRE(!each.text.empty());
          BOOST_REQUIRE(whole_characters(each.text));
        }
      },
      event);
}

/// What an answer fed in these pieces turns out to be; checks what holds for every event.
inline Answer streamed(const AnswerForm& form, const Texts& pieces, bool in_reasoning = false,
                       const ToolSchemas& tools = {}) {
  AnswerStream stream(form, in_reasoning, tools);
  std::vector<AnswerEvent> all;
  const auto take = [&](const std::vector<AnswerEvent>& events) {
    for (const AnswerEvent& event : events) {
      check_event(event);
      append(all, event);
    }
  };
  for (const std::string& piece : pieces) take(stream.feed(piece));
  take(stream.finish());
  return told(all);
}

/// The answer in one piece, which every way to cut it must equal: each pair of cuts, and bytes.
inline Answer read(CallForm calls, const std::string& text, bool in_reasoning = false,
                   const ToolSchemas& tools = {}) {
  const AnswerForm form{calls, calls == CallForm::mistral ? mistral_think : think_tags};
  const Answer whole = streamed(form, {text}, in_reasoning, tools);
  for (std::size_t a = 0; a <= text.size(); ++a) {
    for (std::size_t b = a; b <= text.size(); b += 1 + text.size() / 40) {
      const Texts pieces = {text.substr(0, a), text.substr(a, b - a), text.substr(b)};
      BOOST_REQUIRE_EQUAL(streamed(form, pieces, in_reasoning, tools), whole);
    }
  }
  Texts bytes;
  for (const char byte : text) bytes.emplace_back(1, byte);
  BOOST_REQUIRE_EQUAL(streamed(form, bytes, in_reasoning, tools), whole);
  return whole;
}

}  // namespace lamina::test
