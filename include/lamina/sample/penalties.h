// Penalties: lower the logits of tokens seen before, by how often they stand among the last n
// accepted.
//
// For a token seen c > 0 times: logit = logit > 0 ? logit / repeat : logit * repeat (Keskar et al.,
// "CTRL", 2019, section 4.1, mended so that a negative logit also falls), then logit -= c *
// frequency + presence (the terms of OpenAI's API). The prompt's tokens are accepted too. Repeat 1,
// frequency 0, presence 0 change nothing.
#pragma once

#include "lamina/sample/sampler.h"

#include <cstdint>
#include <deque>

namespace lamina {

struct PenaltySettings {
  double repeat = 1;
  double frequency = 0;
  double presence = 0;
  std::int64_t window = 64;  // tokens looked back at; 0: none, -1: all
};

class Penalties {
 public:
  /// Throws where a number is not finite, `repeat` is not above 0, or the window is below -1.
  explicit Penalties(const PenaltySettings& settings = {});

  void apply(Candidates& candidates) const;
  void accept(Token token);

 private:
  struct Count {
    Token token;
    std::int64_t count;
  };

  bool neutral() const;
  void add(Token token, std::int64_t difference);
  float lowered(float logit, std::int64_t count) const;

  PenaltySettings settings_;
  std::deque<Token> recent_;   // oldest first, at most `window`
  std::vector<Count> counts_;  // of the tokens in recent_, by token
};

static_assert(Sampler<Penalties>);

inline Penalties::Penalties(const PenaltySettings& settings) : settings_(settings) {
  if (!(settings.repeat > 0) || std::isinf(settings.repeat)) {
    throw Error("penalties: repeat is " + std::to_string(settings.repeat) +
                "; expected a number above 0 (1: no penalty)");
  }
  if (!std::isfinite(settings.frequency) || !std::isfinite(settings.presence)) {
    throw Error("penalties: frequency is " + std::to_string(settings.frequency) + " and presence " +
                std::to_string(settings.presence) + "; expected finite numbers (0: no penalty)");
  }
  if (settings.window < -1) {
    throw Error("penalties: the window is " + std::to_string(settings.window) +
                " tokens; expected a length, 0 (off) or -1 (everything accepted)");
  }
}

inline bool Penalties::neutral() const {
  return settings_.window == 0 ||
         (settings_.repeat == 1 && settings_.frequency == 0 && settings_.presence == 0);
}

inline void Penalties::add(Token token, std::int64_t difference) {
  auto place =
      std::lower_bound(counts_.begin(), counts_.end(), token,
                       [](const Count& count, Token wanted) { return count.token < wanted; });
  if (place == counts_.end() || place->token != token) place = counts_.insert(place, {token, 0});
  place->count += difference;
  if (place->count == 0) counts_.erase(place);
}

inline void Penalties::accept(Token token) {
  if (settings_.window == 0) return;
  add(token, 1);
  if (settings_.window < 0) return;  // nothing ever leaves: the counts are the history
  recent_.push_back(token);
  if (static_cast<std::int64_t>(recent_.size()) <= settings_.window) return;
  add(recent_.front(), -1);
  recent_.pop_front();
}

inline float Penalties::lowered(float before, std::int64_t count) const {
  double logit = static_cast<double>(before);
  logit = logit > 0 ? logit / settings_.repeat : logit * settings_.repeat;
  logit -= static_cast<double>(count) * settings_.frequency + settings_.presence;
  return static_cast<float>(logit);
}

inline void Penalties::apply(Candidates& candidates) const {
  if (neutral()) return;
  for (const Count& seen : counts_) {
    candidates.adjust(seen.token, [&](float logit) { return lowered(logit, seen.count); });
  }
}

}  // namespace lamina
