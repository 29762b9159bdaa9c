// StoredRow: a model's log-probabilities at one position in two bytes each, for comparing others
// with it.
//
// Layout, little-endian: float64 -ln p(next token); float64 highest log-probability; float64 step;
// int32 likeliest token (of equal ones the lowest); 4 zero bytes; uint16 codes[vocabulary], padded
// with zeros to a multiple of 8 bytes. Code c > 0 means highest - (65535 - c) step, with step =
// (highest - lowest) / 65534 over the log-probabilities of at most 40 below the highest; code 0 is
// what lies lower, and counts as impossible. A reader divides the probabilities by their sum. The
// first number and the likeliest token are exact: only divergences see the rounding.
//
// What the rounding costs, for a base p and a model q: a code is wrong by at most step/2, after the
// division by at most s = step <= 40/65534 = 6.1e-4 (what code 0 leaves out is less than
// vocabulary * e^-40 = 1.1e-12 for 262144 tokens). With p' = p e^d / sum as read,
//   KL(p'||q) - KL(p||q) = KL(p'||p) + sum (p' - p) ln(p/q).
// The first term is at most s^2/8 (a tilt by d in an interval of length s: Hoeffding's lemma), the
// second at most (e^s - 1) sum p |ln(p/q)| <= (e^s - 1) (KL + sqrt(2 KL)) (Pinsker's inequality).
// So a model's divergence from itself is found below 4.7e-8, and one of 0.0015 within 3.5e-5;
// positions and tokens round independently, so that means come much closer.
#pragma once

#include "lamina/core/types.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lamina {

/// ln of the sum of e^x over the logits, in double, the largest taken out first.
double log_sum_exp(std::span<const float> logits);

/// The token of the largest logit, of equal ones the lowest.
Token likeliest(std::span<const float> logits);

class StoredRow {
 public:
  /// Bytes of a row.
  static std::size_t size(std::int64_t vocab);

  /// Writes the row of `logits` into `bytes`, of that size. `sum` is their log_sum_exp.
  static void write(std::span<const float> logits, double sum, Token next,
                    std::span<std::byte> bytes);

  /// A view on the bytes of one row.
  StoredRow(std::span<const std::byte> bytes, std::int64_t vocab);

  double nll() const { return nll_; }
  Token top() const { return top_; }
  /// Log-probabilities as read, divided as they should be; -infinity for code 0.
  std::vector<double> log_probabilities() const;
  /// KL(this || the model whose logits these are).
  double divergence(std::span<const float> logits, double sum) const;

 private:
  std::uint16_t code(std::size_t i) const;
  double level(std::uint16_t code) const;

  std::span<const std::byte> codes_;  // may lie at any address
  std::int64_t vocab_;
  double nll_ = 0, highest_ = 0, step_ = 0;
  Token top_ = 0;
};

}  // namespace lamina
