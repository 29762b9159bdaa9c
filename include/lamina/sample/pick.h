// Pick: the last step of sampling, from candidates to the one token that is taken.
//
// Greedy takes the best candidate. Categorical draws with the probability of each: u in [0, 1)
// comes from Philox, keyed by the seed and the position of the token in its sequence, and the token
// is the first in ascending order of ids whose cumulative weight exceeds u * (sum of weights), both
// in double. So the same seed, position and candidates give the same token, in whatever order
// candidates lie, however tokens are batched.
#pragma once

#include "lamina/core/philox.h"
#include "lamina/sample/sampler.h"

#include <cstdint>

namespace lamina {

/// Takes one candidate for `position`; may reorder the candidates; throws where there is none.
template <class P>
concept Picker = requires(const P picker, Candidates& candidates, Position position) {
  { picker.pick(candidates, position) } -> std::same_as<Token>;
};

/// The highest logit; of equals, the lowest token id.
struct Greedy {
  Token pick(const Candidates& candidates, Position) const { return candidates.best().token; }
};

/// A random token with the probability that the logits give it.
struct Categorical {
  std::uint64_t seed = 0;

  Token pick(Candidates& candidates, Position position) const;
};

static_assert(Picker<Greedy>);
static_assert(Picker<Categorical>);

inline Token Categorical::pick(Candidates& candidates, Position position) const {
  const float max = candidates.best().logit;
  candidates.sort_by_token();
  double total = 0;
  for (const Candidate& candidate : candidates) total += weight(candidate.logit, max);

  const auto place = static_cast<std::uint64_t>(position);
  const double u = uniform_double(philox(RandomAddress{.seed = seed, .position = place}));
  const double target = u * total;
  double sum = 0;
  Token last = candidates[0].token;
  for (const Candidate& candidate : candidates) {
    const double one = weight(candidate.logit, max);
    sum += one;
    if (sum > target) return candidate.token;
    if (one > 0) last = candidate.token;
  }
  return last;  // u * total rounded up to total
}

}  // namespace lamina
