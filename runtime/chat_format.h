// ChatFormat: from the messages of a conversation to the tokens a model reads.
//
// The semantics are those of transformers' `apply_chat_template(tokenize=True)`: the template owns
// every marker, so the tokenizer adds no BOS or EOS of its own; keys of messages that are null are
// left out; reasoning is offered under the names templates read. Arguments of tool calls that are
// JSON in a string, as in OpenAI's API, are offered as objects, unless the template refuses these.
// What comes from messages is not searched for special tokens unless that is asked for. Bytes of a
// content that are no UTF-8 are U+FFFD to the template, as it works on characters.
#pragma once

#include "runtime/chat_template/chat_template.h"
#include "runtime/chat_template/choice.h"
#include "runtime/streaming/answer_form.h"
#include "runtime/tokenizer/tokenizer.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lamina {

/// What a template sees besides the messages.
struct ChatVariables {
  nlohmann::ordered_json tools = nullptr;      // an array in OpenAI form, or null
  nlohmann::ordered_json documents = nullptr;  // an array of objects, or null
  nlohmann::ordered_json arguments = nlohmann::ordered_json::object();  // enable_thinking, ...
};

/// How a prompt ends.
enum class PromptEnd {
  generation,  // with what begins an answer
  nothing,     // with the last message
  continued,   // right after the content of the last message, which the model is to continue
};

/// What one message adds to the prompt.
struct MessageTokens {
  /// By how much the prompt grew. Nothing where the template refuses a prompt that ends here: the
  /// next message's growth is then that of both.
  std::optional<std::int64_t> tokens;
  std::int64_t content = 0;  // tokens of its text alone; the others are the template's markers
};

struct PromptTokens {
  std::vector<MessageTokens> messages;
  std::int64_t ending = 0;  // what follows the messages: the beginning of an answer
  std::int64_t total = 0;   // of the whole prompt: the sum of all of these

  /// Tokens that are no message's text.
  std::int64_t markers() const;
};

class ChatFormat {
 public:
  /// Both must outlive this. Throws TemplateError where the template is wrong.
  ChatFormat(const ChosenTemplate& chosen, const Tokenizer& tokenizer, ChatVariables variables);

  /// The prompt as text. `messages` is an array of objects with a role. Throws TemplateError where
  /// the template refuses, Error where there is nothing to continue.
  std::vector<TemplatePart> render(const nlohmann::ordered_json& messages, PromptEnd end) const;
  /// The same as tokens.
  std::vector<Token> tokens(const nlohmann::ordered_json& messages, PromptEnd end) const;
  /// Where the tokens come from.
  PromptTokens count(const nlohmann::ordered_json& messages, PromptEnd end) const;

  const ChatVariables& variables() const { return variables_; }
  /// Throws TemplateError for an argument that would take the place of another variable.
  void set_arguments(nlohmann::ordered_json arguments);
  /// Whether the template reads the variable.
  bool mentions(std::string_view name) const { return template_.mentions(name); }
  const std::string& source() const { return source_; }

  /// Whether text that comes from messages may spell special tokens.
  bool parse_special_in_messages = false;
  /// How answers mark reasoning and calls of tools: as the template shows it, unless it is set.
  AnswerForm answer_form;

 private:
  std::vector<Token> encode(std::span<const TemplatePart> parts) const;
  nlohmann::ordered_json all_variables(const nlohmann::ordered_json& arguments) const;
  std::vector<TemplatePart> render(const nlohmann::ordered_json& messages, PromptEnd end,
                                   bool calls_as_objects) const;

  std::string source_;
  ChatTemplate template_;
  const Tokenizer& tokenizer_;
  ChatVariables variables_;
  RenderOptions options_;  // the clock stands still, so that earlier turns keep their tokens
};

/// The text of a message: its content, or the text parts of it.
std::string message_text(const nlohmann::ordered_json& message);

}  // namespace lamina
