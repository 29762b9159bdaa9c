// A chat in progress: what `lamina chat` and its commands work on, and the answering of one turn.
#pragma once

#include "runtime/chat_answer.h"
#include "runtime/chat_format.h"
#include "runtime/context_policy.h"
#include "runtime/conversation.h"
#include "runtime/session.h"
#include "runtime/tools/chat_printer.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

namespace lamina {

struct ChatOptions {
  CompletionSettings completion;
  ContextPolicy policy;
  bool interactive = false;  // somebody sits at a terminal
  bool show_reasoning = false;
  bool json = false;  // answers are printed as objects, a line each
};

class ChatSession {
 public:
  /// Takes the KV memory of `options.completion.context` tokens.
  ChatSession(Session& session, ChatFormat chat_format, Conversation start,
              ChatOptions chat_options);

  /// Adds the message and answers it. Where that fails the conversation is as it was.
  void ask(std::string_view text);
  /// Answers the last message, which waits for it, or goes on with an answer that ends the
  /// conversation. Throws Error where the prompt does not fit, among others.
  void answer();
  void continue_answer();
  /// Answers the last question again, with another draw: the k-th time with the seed plus k. Where
  /// that fails the conversation is as it was.
  void regenerate();
  /// Gives the result of the first call of a tool that has none; answers once all have one.
  void answer_tool(std::string_view result);
  /// Whether the last answer was ended by Ctrl-C.
  bool interrupted() const;

  const std::optional<Generation>& last() const { return last_; }
  std::int64_t last_reused() const { return reused_; }
  double load_ms() const { return session_.load_ms(); }
  ContextRoom room() const;

  Conversation conversation;
  ChatFormat format;
  ChatOptions options;
  std::filesystem::path file;  // where the conversation was saved to or loaded from

 private:
  void turn(PromptEnd end);
  FittedPrompt fit(PromptEnd end);
  /// The answer goes to `printer`, if there is one, as it comes.
  ChatAnswer generate(const std::vector<Token>& prompt, CompletionSettings settings,
                      bool in_reasoning, ChatPrinter* printer);
  void remember(const ChatAnswer& answer, PromptEnd end);
  nlohmann::ordered_json report(const ChatAnswer& answer, const FittedPrompt& prompt) const;

  Session& session_;
  std::unique_ptr<KeptSequence> sequence_;
  std::optional<Generation> last_;
  bool warned_of_bytes_ = false;
  std::uint64_t redraws_ = 0;  // how often the last question has been answered again
  std::int64_t reused_ = 0;    // tokens of the last prompt that were held already
};

}  // namespace lamina
