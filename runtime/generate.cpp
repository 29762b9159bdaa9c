// The loop's state between forward calls, and the way of text from a token to the caller.
#include "runtime/generate.h"

#include "lamina/core/error.h"
#include "runtime/streaming/stop_strings.h"
#include "runtime/streaming/utf8_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <utility>

namespace lamina {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds(Clock::duration time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

class Generating {
 public:
  Generating(LanguageModel& model, SequenceId sequence, const GenerateSettings& settings,
             const GenerateHooks& hooks)
      : model_(model),
        sequence_(sequence),
        settings_(settings),
        hooks_(hooks),
        stops_(settings.stops),
        chunks_(settings.interval),
        position_(settings.held) {}

  Generation run(std::span<const Token> prompt);

 private:
  bool feed_prompt(std::span<const Token> prompt, bool want_logits);
  void feed(std::span<const Token> tokens, bool want_logits);
  FinishReason answer(std::int64_t limit);
  bool ends(Token token) const;
  void show(const std::string& text);
  void show_rest();

  LanguageModel& model_;
  SequenceId sequence_;
  const GenerateSettings& settings_;
  const GenerateHooks& hooks_;
  StopStrings stops_;
  Utf8Stream characters_;
  Chunker chunks_;
  Outputs outputs_;
  Position position_;  // of the next token fed
  Clock::time_point start_ = Clock::now();
  Generation result_;
};

void Generating::feed(std::span<const Token> tokens, bool want_logits) {
  std::vector<Position> positions(tokens.size());
  std::iota(positions.begin(), positions.end(), position_);
  const std::vector<SequenceId> sequences(tokens.size(), sequence_);
  const std::int32_t last[] = {static_cast<std::int32_t>(tokens.size()) - 1};
  outputs_ = model_.forward({.tokens = tokens,
                             .positions = positions,
                             .sequences = sequences,
                             .outputs = std::span(last).first(want_logits ? 1 : 0)});
  position_ += static_cast<Position>(tokens.size());
}

/// False where the caller interrupted it.
bool Generating::feed_prompt(std::span<const Token> prompt, bool want_logits) {
  const auto chunk = static_cast<std::size_t>(std::max(settings_.prefill, 1));
  for (auto at = static_cast<std::size_t>(settings_.held); at < prompt.size(); at += chunk) {
    if (hooks_.interrupted()) return false;
    const auto part = prompt.subspan(at, std::min(chunk, prompt.size() - at));
    feed(part, want_logits && at + part.size() == prompt.size());
    hooks_.on_prefill(position_);
  }
  return true;
}

bool Generating::ends(Token token) const {
  return std::find(settings_.end_tokens.begin(), settings_.end_tokens.end(), token) !=
         settings_.end_tokens.end();
}

void Generating::show(const std::string& text) {
  if (text.empty()) return;
  result_.text += text;
  hooks_.on_text(text);
}

void Generating::show_rest() {
  const std::string characters = characters_.feed(stops_.finish());
  const std::string chunk = chunks_.feed(characters + characters_.finish());
  show(chunk + chunks_.finish());
}

FinishReason Generating::answer(std::int64_t limit) {
  for (std::int64_t n = 0; n < limit; ++n) {
    if (n > 0) feed(std::span(result_.tokens).last(1), true);
    if (hooks_.interrupted()) return FinishReason::interrupted;
    const Token token = hooks_.pick(outputs_.row(0), position_);
    if (n == 0) result_.timings.first_token_ms = milliseconds(Clock::now() - start_);
    if (ends(token)) return FinishReason::stop;
    result_.tokens.push_back(token);
    show(chunks_.feed(characters_.feed(stops_.feed(hooks_.piece(token)))));
    if (stops_.stopped()) return FinishReason::stop;
  }
  return FinishReason::length;
}

Generation Generating::run(std::span<const Token> prompt) {
  const std::int64_t room = settings_.context - static_cast<std::int64_t>(prompt.size());
  const std::int64_t limit = std::min(settings_.max_tokens.value_or(room), room);
  const bool fed = feed_prompt(prompt, limit > 0);
  const Clock::time_point answering = Clock::now();
  result_.reason = fed ? answer(limit) : FinishReason::interrupted;
  show_rest();
  if (stops_.stopped()) result_.reason = FinishReason::stop;  // perhaps found in what was held back
  result_.timings.prompt_n =
      std::min<std::int64_t>(position_, static_cast<std::int64_t>(prompt.size())) - settings_.held;
  result_.timings.prompt_ms = milliseconds(answering - start_);
  result_.timings.predicted_n = static_cast<std::int64_t>(result_.tokens.size());
  result_.timings.predicted_ms = milliseconds(Clock::now() - answering);
  result_.length = position_;
  return std::move(result_);
}

}  // namespace

std::string_view name(FinishReason reason) {
  switch (reason) {
    case FinishReason::stop:
      return "stop";
    case FinishReason::length:
      return "length";
    case FinishReason::interrupted:
      return "interrupted";
  }
  return "unknown";
}

double Timings::prompt_per_second() const {
  return prompt_ms > 0 ? static_cast<double>(prompt_n) * 1000 / prompt_ms : 0;
}

double Timings::predicted_per_second() const {
  return predicted_n > 1 && predicted_ms > 0
             ? static_cast<double>(predicted_n) * 1000 / predicted_ms
             : 0;
}

void check_prompt(std::span<const Token> prompt, Position context) {
  if (prompt.empty()) {
    throw Error(
        "the prompt has no tokens, and the model's tokenizer adds none of its own; give it some "
        "text");
  }
  if (static_cast<std::int64_t>(prompt.size()) > context) {
    throw Error(
        fmt::format("the prompt has {} tokens, but the context only {}; shorten it or raise -c",
                    prompt.size(), context));
  }
}

Generation generate(LanguageModel& model, SequenceId sequence, std::span<const Token> prompt,
                    const GenerateSettings& settings, const GenerateHooks& hooks) {
  check_prompt(prompt, settings.context);
  if (settings.held < 0 || settings.held >= static_cast<std::int64_t>(prompt.size())) {
    throw Error(fmt::format("{} of {} tokens of the prompt are said to be held; expected fewer",
                            settings.held, prompt.size()));
  }
  return Generating(model, sequence, settings, hooks).run(prompt);
}

}  // namespace lamina
