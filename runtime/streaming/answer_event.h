// AnswerEvent: what a stream of an answer's text turns out to be: content, reasoning, or the parts
// of a tool call.
//
// The texts of the deltas of one kind, put together, are the content, the reasoning, or the
// arguments of a call; how they are cut depends on how the text arrived, what they say does not.
// Each is whole UTF-8.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace lamina {

struct ContentDelta {
  std::string text;
  bool operator==(const ContentDelta&) const = default;
};

struct ReasoningDelta {
  std::string text;
  bool operator==(const ReasoningDelta&) const = default;
};

/// A call of a tool has begun: the `call`-th of this answer, from 0. One call ends before the next
/// begins.
struct CallBegin {
  int call;
  std::string name;
  std::string id;  // as the model named the call before its arguments; empty where it did not
  bool operator==(const CallBegin&) const = default;
};

struct CallArguments {
  int call;
  std::string text;  // the next part of the JSON
  bool operator==(const CallArguments&) const = default;
};

struct CallEnd {
  int call;
  bool valid;  // the arguments are a JSON object; else they are what the model wrote in their place
  bool operator==(const CallEnd&) const = default;
};

using AnswerEvent = std::variant<ContentDelta, ReasoningDelta, CallBegin, CallArguments, CallEnd>;

/// Adds an event to those of the same answer before it; a delta that goes on with the last one is
/// joined to it.
void append(std::vector<AnswerEvent>& all, AnswerEvent event);

}  // namespace lamina
