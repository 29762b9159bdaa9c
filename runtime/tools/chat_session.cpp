// One turn: make the prompt fit, generate, show, remember.
#include "runtime/tools/chat_session.h"

#include "lamina/core/error.h"
#include "runtime/interrupt.h"
#include "runtime/progress.h"
#include "runtime/streaming/answer_stream.h"
#include "runtime/tools/output.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <unistd.h>

#include <csignal>
#include <utility>

namespace lamina {
namespace {

using Json = nlohmann::ordered_json;

void report_dropped(const FittedPrompt& prompt, const ContextPolicy& policy) {
  if (prompt.dropped_messages == 0) return;
  const bool unsummarised = policy.kind == ContextPolicy::Kind::summary && !prompt.summarised;
  spdlog::warn("context policy {}: the model no longer sees the oldest {} ({}){}", describe(policy),
               counted(prompt.dropped_messages, "message"), counted(prompt.dropped_tokens, "token"),
               prompt.summarised ? "; a summary stands for them"
               : unsummarised    ? "; the model wrote no summary of them"
                                 : "");
}

Json token_counts(const PromptTokens& counts) {
  Json list = Json::array();
  for (const MessageTokens& message : counts.messages) {
    list.push_back(message.tokens ? Json(*message.tokens) : Json(nullptr));
  }
  return list;
}

}  // namespace

ChatSession::ChatSession(Session& session, ChatFormat chat_format, Conversation start,
                         ChatOptions chat_options)
    : conversation(std::move(start)),
      format(std::move(chat_format)),
      options(std::move(chat_options)),
      session_(session),
      sequence_(session.open(options.completion.context)) {}

ContextRoom ChatSession::room() const {
  return context_room(options.completion.context, options.completion.max_tokens);
}

bool ChatSession::interrupted() const {
  return last_ && last_->reason == FinishReason::interrupted;
}

void ChatSession::ask(std::string_view text) {
  const Conversation before = conversation;
  try {
    conversation.add("user", text);
    answer();
  } catch (...) {
    conversation = before;
    throw;
  }
}

void ChatSession::answer() {
  redraws_ = 0;
  turn(PromptEnd::generation);
}

void ChatSession::continue_answer() {
  redraws_ = 0;
  turn(PromptEnd::continued);
}

void ChatSession::regenerate() {
  const Conversation before = conversation;
  if (!conversation.forget_answer()) throw Error("there is no answer to replace");
  const SamplingSettings& sampling = options.completion.sampling;
  if (sampling.greedy || sampling.temperature == 0) {
    spdlog::warn("the answer will be the same: greedy, or a temperature of 0, draws nothing");
  }
  ++redraws_;
  try {
    turn(PromptEnd::generation);
  } catch (...) {
    conversation = before;
    throw;
  }
}

void ChatSession::answer_tool(std::string_view result) {
  const Conversation before = conversation;
  try {
    if (conversation.add_tool_result(result)) answer();
  } catch (...) {
    conversation = before;
    throw;
  }
}

FittedPrompt ChatSession::fit(PromptEnd end) {
  const auto summarise = [this](const std::vector<Token>& prompt, std::int64_t tokens) {
    CompletionSettings settings = options.completion;
    settings.max_tokens = tokens;
    settings.sampling.greedy = true;
    const Progress progress("summing up what no longer fits");
    const ChatAnswer summary = generate(prompt, settings, false, nullptr);
    if (interrupted()) {
      throw Error("interrupted while summing up what no longer fits; nothing was dropped");
    }
    return summary.content();
  };
  return fit_prompt(conversation, format, end, room(), options.policy, summarise);
}

ChatAnswer ChatSession::generate(const std::vector<Token>& prompt, CompletionSettings settings,
                                 bool in_reasoning, ChatPrinter* printer) {
  const AnswerForm& form = format.answer_form;
  settings.show_special = form.reasoning || form.calls != CallForm::none;
  AnswerStream stream(form, in_reasoning, ToolSchemas(format.variables().tools));
  ChatAnswer answer;
  const auto take = [&](const std::vector<AnswerEvent>& events) {
    for (const AnswerEvent& event : events) {
      answer.add(event);
      if (printer != nullptr) printer->print(event);
    }
  };
  auto progress = std::make_unique<Progress>(
      "reading the prompt", printer != nullptr ? progress_on_terminal() : ProgressPlace{});
  const Interrupt interrupt{SIGINT};
  GenerateHooks hooks;
  hooks.on_prefill = [&, total = static_cast<std::int64_t>(prompt.size())](std::int64_t done) {
    progress->set(done, total);
    if (done == total) progress.reset();
  };
  hooks.interrupted = [&] { return interrupt.requested(); };
  hooks.on_text = [&](std::string_view text) { take(stream.feed(text)); };
  last_ = session_.complete(*sequence_, prompt, settings, hooks);
  reused_ = static_cast<std::int64_t>(prompt.size()) - last_->timings.prompt_n;
  take(stream.finish());
  return answer;
}

void ChatSession::turn(PromptEnd end) {
  if (!warned_of_bytes_ && has_ill_formed(conversation.messages())) {
    warned_of_bytes_ = true;
    spdlog::warn(
        "a message is no UTF-8: the model sees U+FFFD for what is none; /save keeps it all");
  }
  const FittedPrompt prompt = fit(end);
  report_dropped(prompt, options.policy);
  const bool in_reasoning =
      opens_reasoning(format.answer_form, whole_text(format.render(conversation.visible(), end)));
  const bool to_terminal = isatty(STDOUT_FILENO) != 0;
  ChatPrinter printer(options.show_reasoning, to_terminal);
  CompletionSettings settings = options.completion;
  if (settings.sampling.seed) *settings.sampling.seed += redraws_;
  const ChatAnswer answer =
      generate(prompt.tokens, std::move(settings), in_reasoning, options.json ? nullptr : &printer);
  if (interrupted() && last_->tokens.empty()) {
    throw Error("interrupted before the answer began; nothing was added");
  }
  Json object;
  if (options.json) object = report(answer, prompt);
  remember(answer, end);
  if (options.json) {
    print_json(object, -1);
  } else {
    printer.finish();
    if (!options.interactive) print_timings(last_->timings, load_ms());
  }
}

void ChatSession::remember(const ChatAnswer& answer, PromptEnd end) {
  if (end == PromptEnd::continued) {
    conversation.continue_last(answer.content());
  } else {
    conversation.add(answer.message());
  }
}

Json ChatSession::report(const ChatAnswer& answer, const FittedPrompt& prompt) const {
  const auto answered = static_cast<std::int64_t>(last_->tokens.size());
  const auto read = static_cast<std::int64_t>(prompt.tokens.size());
  const PromptTokens counts = format.count(conversation.visible(), prompt.end);
  const bool calls = !answer.calls().empty() && last_->reason == FinishReason::stop;
  Json object = answer.message();
  object["finish_reason"] = calls ? "tool_calls" : name(last_->reason);
  object["usage"] = {{"prompt_tokens", read},
                     {"completion_tokens", answered},
                     {"total_tokens", read + answered},
                     {"prompt_tokens_details", {{"cached_tokens", reused_}}}};
  object["message_tokens"] = token_counts(counts);
  object["marker_tokens"] = counts.markers();
  if (prompt.dropped_messages > 0) {
    object["dropped"] = {{"messages", prompt.dropped_messages},
                         {"tokens", prompt.dropped_tokens},
                         {"summarised", prompt.summarised}};
  }
  object["timings"] = timings_json(last_->timings, load_ms());
  return object;
}

}  // namespace lamina
