// What happens when a conversation no longer fits into the context.
//
// A part of the context is kept for the answer: as many tokens as the answer may have, but at most
// a quarter of the context. The prompt must fit into the rest. What is dropped is whole exchanges,
// the oldest first; the system message and the last question always stay.
#pragma once

#include "runtime/chat_format.h"
#include "runtime/conversation.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lamina {

struct ContextPolicy {
  enum class Kind {
    error,        // refuse, and say how many tokens are needed
    drop_oldest,  // as many exchanges as must go
    window,       // the model never sees more than the last `exchanges`
    summary,      // drop, and let the model itself write a summary of what is dropped
  };
  Kind kind = Kind::error;
  std::size_t exchanges = 0;
};

/// "error", "drop-oldest", "window=N" (or "window N") or "summary". Throws Error for anything else.
ContextPolicy parse_context_policy(std::string_view text);
std::string describe(const ContextPolicy& policy);

/// How many tokens there are, and how many of them an answer may take.
struct ContextRoom {
  std::int64_t context = 0;
  std::int64_t answer = 0;

  std::int64_t prompt() const { return context - answer; }
};

ContextRoom context_room(std::int64_t context, std::optional<std::int64_t> max_tokens);

/// Answers `prompt` in at most `tokens` tokens.
using Summarise = std::function<std::string(const std::vector<Token>& prompt, std::int64_t tokens)>;

/// A prompt that fits, and what was dropped for it just now.
struct FittedPrompt {
  std::vector<Token> tokens;
  PromptEnd end = PromptEnd::generation;
  std::size_t dropped_messages = 0;
  std::int64_t dropped_tokens = 0;  // by how much the prompt got shorter, a new summary left out
  bool summarised = false;
};

/// The prompt of the conversation, from which exchanges are dropped as the policy says. Throws
/// Error where it cannot be made to fit; the conversation is then as it was. `summarise` is called
/// for the policy of that name only.
FittedPrompt fit_prompt(Conversation& conversation, const ChatFormat& format, PromptEnd end,
                        ContextRoom room, const ContextPolicy& policy, const Summarise& summarise);

}  // namespace lamina
