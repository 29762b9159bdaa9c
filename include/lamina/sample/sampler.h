// Sampler: reshapes the candidates for the next token, and learns which token was taken.
//
// Candidates hold only tokens that can be picked: logits that are NaN or -inf never enter. One
// order is used everywhere: higher logit first, and among equal logits the lower token id first.
// The weight of a candidate is exp(logit - largest logit), its probability that over the sum of
// weights; where the largest logit is +inf, the +inf candidates have weight 1 and all others 0.
#pragma once

#include "lamina/core/error.h"
#include "lamina/core/types.h"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace lamina {

struct Candidate {
  Token token = 0;
  float logit = 0;

  bool operator==(const Candidate&) const = default;
};

/// The order of candidates: higher logit first, equal logits by token id.
inline bool better(const Candidate& a, const Candidate& b) {
  return a.logit != b.logit ? a.logit > b.logit : a.token < b.token;
}

/// exp(logit - max), exact for logit == max, infinities included.
inline double weight(float logit, float max) {
  if (logit == max) return 1;
  return std::exp(static_cast<double>(logit) - static_cast<double>(max));
}

/// What is known of the order in which candidates lie in memory.
enum class CandidateOrder { none, by_token, by_logit };

/// The tokens that may come next. Invariant: no logit is NaN or -inf.
class Candidates {
 public:
  Candidates() = default;
  /// One candidate a token, `logits[t]` being token t's; throws where no token can be picked.
  explicit Candidates(std::span<const float> logits) { assign(logits); }
  /// Candidates in any order, each token at most once.
  explicit Candidates(std::vector<Candidate> list);

  /// Starts again from logits; the memory is reused.
  void assign(std::span<const float> logits);

  std::size_t size() const { return list_.size(); }
  bool empty() const { return list_.empty(); }
  const Candidate& operator[](std::size_t i) const { return list_[i]; }
  auto begin() const { return list_.begin(); }
  auto end() const { return list_.end(); }
  CandidateOrder order() const { return order_; }
  /// How many logits of the last `assign` were NaN: a sign of a broken model or kernel.
  std::size_t nans() const { return nans_; }

  /// The candidate that stands first in the order; throws where there is none.
  const Candidate& best() const;

  void sort_by_token();
  void sort_by_logit() { sort_head(size()); }
  /// Brings the `count` best to the front, in order, without sorting the rest.
  void sort_head(std::size_t count);
  /// Keeps the first `count`.
  void truncate(std::size_t count);
  /// Keeps the `count` best, in order.
  void keep_best(std::size_t count);
  /// Keeps the candidates for which `keep` says true, in the order they have.
  template <std::predicate<const Candidate&> Keep>
  void keep_if(Keep keep);
  /// Gives each candidate the logit `f(candidate)`; one that becomes NaN or -inf is dropped.
  template <std::regular_invocable<const Candidate&> F>
  void transform(F f);
  /// The same for one token, if it is among the candidates; leaves them ordered by token.
  template <std::regular_invocable<float> F>
  void adjust(Token token, F f);

 private:
  void drop_impossible();

  std::vector<Candidate> list_;
  CandidateOrder order_ = CandidateOrder::none;
  std::size_t head_ = 0;  // the first head_ are the best, in order; the rest is in no order
  std::size_t nans_ = 0;
};

/// Reshapes candidates; learns which token was taken.
template <class S>
concept Sampler = requires(S s, Candidates& candidates, Token token) {
  { s.apply(candidates) } -> std::same_as<void>;
  { s.accept(token) } -> std::same_as<void>;
};

inline Candidates::Candidates(std::vector<Candidate> list) : list_(std::move(list)) {
  drop_impossible();
}

inline void Candidates::assign(std::span<const float> logits) {
  list_.resize(logits.size());
  std::size_t kept = 0;
  nans_ = 0;
  for (std::size_t t = 0; t < logits.size(); ++t) {
    const float logit = logits[t];
    // Written unconditionally, kept if above -inf: no branch to mispredict, and NaN compares false.
    list_[kept] = {static_cast<Token>(t), logit};
    kept += logit > -std::numeric_limits<float>::infinity() ? 1u : 0u;
    nans_ += logit != logit ? 1u : 0u;
  }
  list_.resize(kept);
  order_ = CandidateOrder::by_token;
  head_ = 0;
  if (kept != 0) return;
  throw Error("sampling: no token can be picked: of " + std::to_string(logits.size()) + " logits " +
              std::to_string(nans_) +
              " are NaN and the others -inf; expected at least one finite logit: check the model's "
              "weights, or the mask that excluded every token");
}

inline const Candidate& Candidates::best() const {
  if (empty()) {
    throw Error(
        "sampling: no candidate is left; expected each sampler to keep at least one: check the "
        "sampler that was added last");
  }
  if (order_ == CandidateOrder::by_logit || head_ > 0) return list_.front();
  return *std::min_element(list_.begin(), list_.end(), better);
}

inline void Candidates::sort_by_token() {
  if (order_ == CandidateOrder::by_token) return;
  std::sort(list_.begin(), list_.end(),
            [](const Candidate& a, const Candidate& b) { return a.token < b.token; });
  order_ = CandidateOrder::by_token;
  head_ = 0;
}

inline void Candidates::sort_head(std::size_t count) {
  count = std::min(count, size());
  if (order_ == CandidateOrder::by_logit || count <= head_) return;
  const auto first = list_.begin() + static_cast<std::ptrdiff_t>(head_);
  const auto middle = list_.begin() + static_cast<std::ptrdiff_t>(count);
  // A heap of the wanted ones beats a selection only while it is small against the list.
  if (count - head_ < size() / 64) {
    std::partial_sort(first, middle, list_.end(), better);
  } else {
    if (middle != list_.end()) std::nth_element(first, middle, list_.end(), better);
    std::sort(first, middle, better);
  }
  head_ = count;
  order_ = count == size() ? CandidateOrder::by_logit : CandidateOrder::none;
}

inline void Candidates::truncate(std::size_t count) {
  list_.resize(std::min(count, size()));
  head_ = std::min(head_, size());
}

inline void Candidates::keep_best(std::size_t count) {
  sort_head(count);
  truncate(count);
  order_ = CandidateOrder::by_logit;
}

template <std::predicate<const Candidate&> Keep>
void Candidates::keep_if(Keep keep) {
  std::erase_if(list_, [&](const Candidate& candidate) { return !keep(candidate); });
  head_ = 0;
}

template <std::regular_invocable<const Candidate&> F>
void Candidates::transform(F f) {
  for (Candidate& candidate : list_) candidate.logit = f(std::as_const(candidate));
  // Rounding may have made unequal logits equal, so that not even a monotone f keeps the order.
  if (order_ == CandidateOrder::by_logit) order_ = CandidateOrder::none;
  drop_impossible();
}

template <std::regular_invocable<float> F>
void Candidates::adjust(Token token, F f) {
  sort_by_token();
  const auto found = std::lower_bound(list_.begin(), list_.end(), token,
                                      [](const Candidate& c, Token t) { return c.token < t; });
  if (found == list_.end() || found->token != token) return;
  found->logit = f(found->logit);
  if (!(found->logit > -std::numeric_limits<float>::infinity())) list_.erase(found);
}

inline void Candidates::drop_impossible() {
  keep_if([](const Candidate& candidate) {
    return candidate.logit > -std::numeric_limits<float>::infinity();
  });
}

}  // namespace lamina
