// The generation loop: feed the prompt, then pick, show and feed one token at a time.
//
// It knows a model, and through functions how a token is picked and what text it stands for;
// neither the program's flags nor a file. Text leaves as whole UTF-8 characters and never holds any
// part of a stop string; a token's text that had to wait is shown as soon as it can be, or with the
// text of other tokens where `interval` asks for it, at the latest at the end.
#pragma once

#include "lamina/core/types.h"
#include "runtime/language_model.h"
#include "runtime/streaming/chunker.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lamina {

/// Why a generation ended: an end token or stop string, a limit (tokens asked for, or the context),
/// or the caller.
enum class FinishReason { stop, length, interrupted };

std::string_view name(FinishReason reason);

struct GenerateSettings {
  Position context = 0;                      // tokens that prompt and answer may have together
  std::optional<std::int64_t> max_tokens{};  // of the answer; none: as many as the context admits
  std::vector<Token> end_tokens{};           // the answer ends before any of them
  std::vector<std::string> stops{};          // the text ends before any of them
  std::int32_t prefill = 512;                // tokens of the prompt in one forward call
  StreamInterval interval{};                 // how much text `on_text` is given at once
  Position held = 0;  // tokens of the prompt that the sequence holds already: fewer than it has
};

/// What the loop asks its caller for.
struct GenerateHooks {
  /// The token for `position` of the sequence; called once for each token, in order.
  std::function<Token(std::span<const float> logits, Position position)> pick;
  std::function<std::string(Token)> piece;  // the bytes a token adds to the text
  std::function<void(std::string_view)> on_text = [](std::string_view) {};
  std::function<void(std::int64_t)> on_prefill = [](std::int64_t) {};  // tokens of the prompt done
  std::function<bool()> interrupted = [] { return false; };  // asked between forward calls
};

/// Times in milliseconds. The first token comes out of the prompt's last forward call, and its time
/// is the prompt's; `predicted` is what follows.
struct Timings {
  std::int64_t prompt_n = 0;     // tokens fed, without those held before
  double prompt_ms = 0;          // until the logits of the first token
  std::int64_t predicted_n = 0;  // tokens generated
  double predicted_ms = 0;       // from there to the end
  double first_token_ms = 0;  // from the start until the first token has been picked; 0 without one

  double prompt_per_second() const;
  /// As llama.cpp counts: all tokens by the time since the first one; 0 for a single token.
  double predicted_per_second() const;
};

struct Generation {
  std::vector<Token> tokens;  // without the end token
  std::string text;           // valid UTF-8: what `on_text` was given, in one piece
  FinishReason reason = FinishReason::length;
  Timings timings;
  Position length = 0;  // tokens that the sequence holds now: the first of the prompt and `tokens`
};

/// Throws Error for an empty prompt and for one longer than the context.
void check_prompt(std::span<const Token> prompt, Position context);

/// Continues `prompt` in `sequence`, which must hold the first `settings.held` tokens of it and no
/// others, and be open for `settings.context` tokens. Throws what check_prompt throws.
Generation generate(LanguageModel& model, SequenceId sequence, std::span<const Token> prompt,
                    const GenerateSettings& settings, const GenerateHooks& hooks);

}  // namespace lamina
