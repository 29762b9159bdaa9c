// TokenPicker: from a row of logits to the next token, with the samplers and the order that the
// user asked for.
#pragma once

#include "lamina/sample/min_p.h"
#include "lamina/sample/penalties.h"
#include "lamina/sample/pick.h"
#include "lamina/sample/temperature.h"
#include "lamina/sample/top_k.h"
#include "lamina/sample/top_p.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace lamina {

/// What a user can ask of sampling; the defaults are the stated table of `lamina run`.
struct SamplingSettings {
  double temperature = 0.8;  // 0: greedy
  std::int64_t top_k = 40;   // 0: off
  double top_p = 0.95;       // 1: off
  double min_p = 0.05;       // 0: off
  double repeat_penalty = 1.0;
  std::int64_t repeat_last_n = 64;  // tokens the penalties look back at; 0: off, -1: all
  double frequency_penalty = 0;
  double presence_penalty = 0;
  std::optional<std::uint64_t> seed = std::nullopt;  // nothing: one is drawn, see TokenPicker::seed
  bool greedy = false;
  std::string samplers = "penalties;top_k;top_p;min_p;temperature";  // in the order of application
};

/// Throws Error naming the flag, what was found and what was expected.
void validate(const SamplingSettings& settings);

/// One line a setting, "name value", for logs.
std::string describe(const SamplingSettings& settings);

class TokenPicker {
 public:
  /// Validates the settings.
  explicit TokenPicker(const SamplingSettings& settings);

  /// The token for `position` of the sequence; throws where every logit is NaN or -inf.
  Token pick(std::span<const float> logits, Position position);
  /// Tells the samplers of a token of the sequence: of the prompt, or one that was picked and kept.
  void accept(Token token);

  /// The seed in use: the one asked for, or the one that was drawn.
  std::uint64_t seed() const { return seed_; }
  bool greedy() const { return std::holds_alternative<Greedy>(picker_); }

 private:
  using AnySampler = std::variant<Penalties, TopK, TopP, MinP, Temperature>;
  using AnyPicker = std::variant<Greedy, Categorical>;

  std::uint64_t seed_;
  std::vector<AnySampler> samplers_;
  AnyPicker picker_;
  Candidates candidates_;  // memory kept between tokens
};

}  // namespace lamina
