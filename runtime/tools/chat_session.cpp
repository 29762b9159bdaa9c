// One turn: make the prompt fit, generate, show, remember.
#include "runtime/tools/chat_session.h"

#include "lamina/core/error.h"
#include "runtime/interrupt.h"
#include "runtime/progress.h"
#include "runtime/tools/output.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <csignal>
#include <utility>

namespace lamina {
namespace {

using Json = nlohmann::ordered_json;

std::string_view plural(std::size_t count) { return count == 1 ? "" : "s"; }

void report_dropped(const FittedPrompt& prompt, const ContextPolicy& policy) {
  if (prompt.dropped_messages == 0) return;
  const bool unsummarised = policy.kind == ContextPolicy::Kind::summary && !prompt.summarised;
  spdlog::warn(
      "context policy {}: the {} oldest message{} ({} tokens) {} no longer seen by the model{}",
      describe(policy), prompt.dropped_messages, plural(prompt.dropped_messages),
      prompt.dropped_tokens, prompt.dropped_messages == 1 ? "is" : "are",
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

void ChatSession::answer() { turn(PromptEnd::generation); }

void ChatSession::continue_answer() { turn(PromptEnd::continued); }

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
    const Generation summary = generate(prompt, settings, false);
    if (summary.reason == FinishReason::interrupted) {
      throw Error("interrupted while summing up what no longer fits; nothing was dropped");
    }
    return summary.text;
  };
  return fit_prompt(conversation, format, end, room(), options.policy, summarise);
}

Generation ChatSession::generate(const std::vector<Token>& prompt,
                                 const CompletionSettings& settings, bool shown) {
  auto progress = std::make_unique<Progress>("reading the prompt",
                                             shown ? progress_on_terminal() : ProgressPlace{});
  const auto total = static_cast<std::int64_t>(prompt.size());
  const Interrupt interrupt{SIGINT};
  GenerateHooks hooks;
  hooks.on_prefill = [&](std::int64_t done) {
    progress->set(done, total);
    if (done == total) progress.reset();
  };
  hooks.interrupted = [&] { return interrupt.requested(); };
  if (shown && !options.json) hooks.on_text = print_text;
  return session_.complete(*sequence_, prompt, settings, hooks);
}

void ChatSession::turn(PromptEnd end) {
  const FittedPrompt prompt = fit(end);
  report_dropped(prompt, options.policy);
  const Generation generation = generate(prompt.tokens, options.completion, true);
  reused_ = static_cast<std::int64_t>(prompt.tokens.size()) - generation.timings.prompt_n;
  last_ = generation;
  report(generation, prompt, end);
  if (end == PromptEnd::continued) {
    conversation.continue_last(generation.text);
  } else {
    conversation.add("assistant", generation.text);
  }
}

void ChatSession::report(const Generation& generation, const FittedPrompt& prompt,
                         PromptEnd end) const {
  if (!options.json) {
    if (!generation.text.ends_with('\n')) print_text("\n");
    if (!options.interactive) print_timings(generation.timings, load_ms());
    return;
  }
  const auto answered = static_cast<std::int64_t>(generation.tokens.size());
  const auto read = static_cast<std::int64_t>(prompt.tokens.size());
  const PromptTokens counts = format.count(conversation.visible(), end);
  Json object = {{"role", "assistant"},
                 {"content", generation.text},
                 {"finish_reason", name(generation.reason)},
                 {"usage",
                  {{"prompt_tokens", read},
                   {"completion_tokens", answered},
                   {"total_tokens", read + answered},
                   {"prompt_tokens_details", {{"cached_tokens", reused_}}}}},
                 {"message_tokens", token_counts(counts)},
                 {"marker_tokens", counts.markers()}};
  if (prompt.dropped_messages > 0) {
    object["dropped"] = {{"messages", prompt.dropped_messages}, {"tokens", prompt.dropped_tokens}};
  }
  object["timings"] = timings_json(generation.timings, load_ms());
  print_json(object, -1);
}

}  // namespace lamina
