// Defaults, limits, and one completion from open to close.
#include "runtime/session.h"

#include "lamina/core/error.h"
#include "runtime/system.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace lamina {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// Takes the value of `key` where the file has it.
template <class T>
void take(const Metadata& metadata, std::string_view key, T& setting) {
  if (const auto found = metadata.find<T>(key)) setting = *found;
}

void warn_of_unknown(const Metadata& metadata) {
  constexpr std::string_view known[] = {"temp",  "top_k",          "top_p",
                                        "min_p", "penalty_last_n", "penalty_repeat"};
  constexpr std::string_view prefix = "general.sampling.";
  for (const MetadataEntry& entry : metadata.entries()) {
    if (!entry.key.starts_with(prefix)) continue;
    const auto name = entry.key.substr(prefix.size());
    if (std::find(std::begin(known), std::end(known), name) != std::end(known)) continue;
    spdlog::warn("{}: {} has no counterpart here and is not followed", metadata.source(),
                 quoted(entry.key));
  }
}

}  // namespace

SamplingSettings sampling_defaults(const Metadata& metadata) {
  SamplingSettings settings;
  take(metadata, "general.sampling.temp", settings.temperature);
  take(metadata, "general.sampling.top_k", settings.top_k);
  take(metadata, "general.sampling.top_p", settings.top_p);
  take(metadata, "general.sampling.min_p", settings.min_p);
  take(metadata, "general.sampling.penalty_last_n", settings.repeat_last_n);
  take(metadata, "general.sampling.penalty_repeat", settings.repeat_penalty);
  warn_of_unknown(metadata);
  try {
    validate(settings);
  } catch (const Error& error) {
    throw Error(
        fmt::format("{}: the keys general.sampling.* ask for what cannot be done: {}; correct the "
                    "file",
                    metadata.source(), error.what()));
  }
  return settings;
}

Position choose_context(const LanguageModel& model, std::optional<Position> asked) {
  constexpr Position most = 4096;
  const Position trained = model.info().trained_context;
  if (!asked) return trained > 0 ? std::min(trained, most) : most;
  if (trained > 0 && *asked > trained) {
    spdlog::warn(
        "the context of {} tokens is longer than the {} the model was trained for; its answers "
        "may get worse beyond",
        *asked, trained);
  }
  return *asked;
}

Position largest_context(const LanguageModel& model, std::uint64_t bytes, Position limit) {
  Position fits = 0;
  for (Position above = limit;
       fits < above;) {  // invariant: `fits` fits, nothing beyond `above` does
    const Position middle = above - (above - fits) / 2;
    if (model.kv_bytes(middle) <= bytes) {
      fits = middle;
    } else {
      above = middle - 1;
    }
  }
  return fits;
}

std::uint64_t memory_for_kv() {
  const std::uint64_t available = available_memory();
  return available - available / 16;
}

void check_context(const LanguageModel& model, Position context, std::uint64_t bytes) {
  const std::uint64_t needed = model.kv_bytes(context);
  if (needed <= bytes) return;
  throw Error(fmt::format(
      "a context of {} tokens (-c) takes {} of KV memory, but this machine has only {} to "
      "give; the largest context that fits is {}",
      context, readable_size(needed), readable_size(bytes),
      // A little less, so that it still fits when it is tried.
      largest_context(model, bytes - bytes / 32, context)));
}

std::vector<Token> stop_tokens(const Tokenizer& tokenizer, std::span<const std::string> stops) {
  std::vector<Token> tokens;
  for (const std::string& stop : stops) {
    const auto ids = tokenizer.encode(stop, {.add_special = false, .parse_special = true});
    if (ids.size() == 1 && tokenizer.piece(ids[0]).empty()) tokens.push_back(ids[0]);
  }
  return tokens;
}

Session::Session(const std::filesystem::path& path, const LoadOptions& options) : files_(path) {
  model_ = load_model(files_, options);
  load_ms_ = milliseconds_since(start_);
}

const Tokenizer& Session::tokenizer() {
  if (!tokenizer_) {
    const auto start = Clock::now();
    tokenizer_ = Tokenizer::from_metadata(files_.metadata());
    load_ms_ += milliseconds_since(start);
  }
  return *tokenizer_;
}

KeptSequence::KeptSequence(LanguageModel& model, Position context)
    : model_(model), context_(context), id_(model.open(context)) {}

KeptSequence::~KeptSequence() { model_.close(id_); }

Position KeptSequence::keep(std::span<const Token> prompt) {
  const auto most = prompt.empty() ? prompt : prompt.first(prompt.size() - 1);
  const auto [end, ignored] =
      std::mismatch(tokens_.begin(), tokens_.end(), most.begin(), most.end());
  auto common = static_cast<Position>(end - tokens_.begin());
  try {
    model_.rollback(id_, common);
  } catch (const Error& error) {
    spdlog::debug("the whole prompt is read again: {}", error.what());
    model_.rollback(id_, common = 0);
  }
  tokens_.resize(static_cast<std::size_t>(common));
  return common;
}

void KeptSequence::hold(std::span<const Token> prompt, std::span<const Token> answer,
                        Position length) {
  tokens_.assign(prompt.begin(), prompt.end());
  tokens_.insert(tokens_.end(), answer.begin(), answer.end());
  tokens_.resize(static_cast<std::size_t>(length));
}

std::unique_ptr<KeptSequence> Session::open(Position context) {
  check_context(*model_, context, memory_for_kv());
  spdlog::info("KV memory: {} for a context of {} tokens", readable_size(model_->kv_bytes(context)),
               context);
  return std::make_unique<KeptSequence>(*model_, context);
}

Generation Session::complete(std::span<const Token> prompt, const CompletionSettings& settings,
                             GenerateHooks hooks) {
  check_prompt(prompt, settings.context);
  const auto sequence = open(settings.context);
  return complete(*sequence, prompt, settings, std::move(hooks));
}

Generation Session::complete(KeptSequence& sequence, std::span<const Token> prompt,
                             const CompletionSettings& settings, GenerateHooks hooks) {
  check_prompt(prompt, sequence.context());
  GenerateSettings loop{.context = sequence.context(), .max_tokens = settings.max_tokens};
  loop.interval = settings.interval;
  loop.stops = settings.stops;
  loop.end_tokens = stop_tokens(tokenizer(), settings.stops);
  if (!settings.ignore_end) {
    const auto ends = tokenizer().end_tokens();
    loop.end_tokens.insert(loop.end_tokens.end(), ends.begin(), ends.end());
  }
  TokenPicker picker(settings.sampling);
  if (!picker.greedy()) spdlog::debug("seed: {}", picker.seed());
  for (const Token token : prompt) picker.accept(token);
  hooks.pick = [&](std::span<const float> logits, Position position) {
    const Token token = picker.pick(logits, position);
    picker.accept(token);
    return token;
  };
  hooks.piece = [&](Token token) { return tokenizer_->piece(token, settings.show_special); };
  loop.held = sequence.keep(prompt);
  Generation result = generate(*model_, sequence.id(), prompt, loop, hooks);
  sequence.hold(prompt, result.tokens, result.length);
  return result;
}

}  // namespace lamina
