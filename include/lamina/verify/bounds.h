// Derived error bounds: how far a correctly rounded kernel may be from the exact result, and no
// further.
//
// The model is |fl(x op y) - (x op y)| <= unit * |x op y| + tiny, and gamma(n) = n u / (1 - n u)
// bounds the product of n factors (1 + e) with |e| <= u (Higham, Accuracy and Stability of
// Numerical Algorithms, 2nd ed., eq. 2.8 and Lemma 3.1). An error of k ulp counts as 2 k roundings,
// since an ulp is at most 2 u relative. Bounds hold for every order of summation and for fused
// multiply-add; they include the error of a float64 reference that does the same sum. Overflow is
// outside the model.
#pragma once

#include "lamina/core/error.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace lamina {

/// One rounding to a float type: |fl(x) - x| <= unit * |x| + tiny. Where subnormals are flushed to
/// zero, `tiny` is the smallest normal number instead.
struct Rounding {
  double unit = 0;  // unit roundoff u: half the spacing of numbers just above 1
  double tiny = 0;  // half the smallest subnormal number
};

inline constexpr Rounding float64_rounding{0x1p-53, 0};  // 2^-1075 is below what a double can say
inline constexpr Rounding float32_rounding{0x1p-24, 0x1p-150};
inline constexpr Rounding float16_rounding{0x1p-11, 0x1p-25};
inline constexpr Rounding bfloat16_rounding{0x1p-8, 0x1p-134};

/// Bound on |product of n factors (1 + e) - 1|, |e| <= u; throws where n u >= 1, since nothing is
/// bounded then.
inline double gamma(std::int64_t n, double u) {
  const double nu = static_cast<double>(n) * u;
  if (n >= 0 && nu < 1) return nu / (1 - nu);
  throw Error("gamma: " + std::to_string(n) + " roundings of " + std::to_string(u) +
              " bound nothing; expected n >= 0 and n u < 1: sum in parts or accumulate wider");
}

/// The same if the errors are mean-independent with mean zero: holds with probability at least
/// 1 - 2 exp(-lambda^2 (1 - u)^2 / 2) (Higham and Mary, SIAM J. Sci. Comput. 41(5), 2019,
/// Theorem 2.4). Use it to catch a lost term of a long sum, which the worst case hides.
inline double likely_gamma(std::int64_t n, double u, double lambda) {
  const double count = static_cast<double>(n);
  return std::expm1((lambda * std::sqrt(count) * u + count * u * u) / (1 - u));
}

/// The spacing of numbers at x: what "one ulp" means in every report.
inline double ulp(double x, Rounding rounding = float32_rounding) {
  const double smallest =
      rounding.tiny > 0 ? 2 * rounding.tiny : std::numeric_limits<double>::denorm_min();
  if (x == 0 || !std::isfinite(x)) return smallest;
  return std::fmax(std::ldexp(2 * rounding.unit, std::ilogb(x)), smallest);
}

/// A function stated to be within `ulps` of the exact value, for instance an exp of 2 ulp.
inline double ulp_bound(double reference, double ulps, Rounding rounding = float32_rounding) {
  return ulps * ulp(reference, rounding);
}

/// A value known within `bound` and then rounded once more, to the type it is stored in:
/// |fl(y) - r| <= |y - r| + u (|r| + |y - r|) + tiny.
inline double store_bound(double reference, double bound, Rounding storage) {
  return bound + storage.unit * (std::fabs(reference) + bound) + storage.tiny;
}

/// A dot product of n terms in any order, rounding of the result included; `magnitude` = sum
/// |a||b|. Each term meets 1 product and at most n - 1 sums: gamma_n * magnitude (Higham, eq. 3.5),
/// and each product may lose `tiny` to underflow (sums lose nothing). A bias is one more term.
inline double dot_bound(std::int64_t n, double magnitude, Rounding sums = float32_rounding) {
  const double growth = gamma(n, sums.unit);
  return (growth + gamma(n, float64_rounding.unit)) * magnitude +
         static_cast<double>(n) * sums.tiny * (1 + growth);
}

/// The same where rounding errors do not conspire: see likely_gamma.
inline double likely_dot_bound(std::int64_t n, double magnitude, double lambda,
                               Rounding sums = float32_rounding) {
  const double growth = likely_gamma(n, sums.unit, lambda);
  return (growth + gamma(n, float64_rounding.unit)) * magnitude +
         static_cast<double>(n) * sums.tiny * (1 + growth);
}

/// A score scale * q.k of d terms; `magnitude` = scale * sum |q||k|. Two more roundings: of the
/// scale and by it.
inline double score_bound(std::int64_t d, double magnitude, Rounding sums = float32_rounding) {
  return dot_bound(d + 2, magnitude, sums);
}

/// What is known of one output of softmax or attention over `keys` visible keys.
struct SoftmaxTerms {
  std::int64_t keys = 0;
  double score_error =
      0;  // bound on |computed score - exact score|; with exp2(s log2 e) add 2 u max|s|
  double score_spread = 0;  // largest minus smallest visible score
  std::int64_t rescalings =
      0;  // partial sums multiplied as the maximum moves: 0 two-pass, tiles if streaming
  std::int64_t exp_roundings = 4;  // 2 ulp
  double weight_unit =
      0;  // unit roundoff of the type weights are stored in before they meet values
  double flush = 0x1p-126;  // weights below may become 0 (or be clamped to this)
};

/// Relative error of one weight exp(s - max) against the exact one, common factors left out:
/// exp(score error + rounding of the argument) times (rescalings + 1) exponentials and their
/// products. Arguments of a streaming softmax telescope, so that their roundings sum to u * spread.
inline double softmax_weight_error(const SoftmaxTerms& terms, Rounding sums = float32_rounding) {
  const double argument =
      terms.score_error + sums.unit * (terms.score_spread + 2 * terms.score_error);
  const std::int64_t roundings = (terms.rescalings + 1) * terms.exp_roundings + terms.rescalings;
  const double relative = gamma(roundings, sums.unit);
  return std::expm1(argument) * (1 + relative) + relative;
}

/// Relative error of the sum of weights, which is at least 1 (the largest weight is exp(0)).
inline double softmax_sum_error(const SoftmaxTerms& terms, Rounding sums = float32_rounding) {
  const double weight = softmax_weight_error(terms, sums);
  const double lost = static_cast<double>(terms.keys * (terms.rescalings + 1)) * terms.flush;
  const double error = (1 + weight) * (1 + gamma(terms.keys, sums.unit)) - 1 + lost;
  if (error < 1) return error;
  throw Error("softmax bound: the sum of weights is not known within a factor of 2 (score error " +
              std::to_string(terms.score_error) + "); expected scores that are more exact");
}

/// A softmax output p: p (1 + a) / (1 + b) with |a| <= weight error, |b| <= sum error, and a
/// division.
inline double softmax_bound(const SoftmaxTerms& terms, double p, Rounding sums = float32_rounding) {
  const double a = softmax_weight_error(terms, sums);
  const double b = softmax_sum_error(terms, sums);
  const double last = gamma(2, sums.unit) + gamma(terms.keys + 4, float64_rounding.unit);
  return p * ((a + b) / (1 - b) * (1 + last) + last) + terms.flush / (1 - b);
}

/// How large the values of one attention output are.
struct ValueTerms {
  double magnitude = 0;  // sum p |v|
  double largest = 0;    // max |v| of the visible keys
};

/// An attention output sum p v = N / D. With N off by a * sum w|v| and D by the factor 1 + b,
/// |N'/D' - N/D| <= (a + b) / (1 - b) * sum p|v|, since |N/D| <= sum p|v|; then a division (or a
/// product with the reciprocal: 2 roundings), and weights lost to underflow times the largest
/// value.
inline double attention_bound(const SoftmaxTerms& terms, const ValueTerms& values,
                              Rounding sums = float32_rounding) {
  const double weight = (1 + softmax_weight_error(terms, sums)) * (1 + terms.weight_unit);
  const double a = weight * (1 + gamma(terms.keys, sums.unit)) - 1;
  const double b = softmax_sum_error(terms, sums);
  const double last = gamma(2, sums.unit) + gamma(terms.keys + 4, float64_rounding.unit);
  const double lost = static_cast<double>(terms.keys * (terms.rescalings + 1)) *
                      (terms.flush + sums.tiny) * (values.largest + 1);
  return values.magnitude * ((a + b) / (1 - b) * (1 + last) + last) + lost / (1 - b);
}

/// A natural log-sum-exp: log of a sum known within the factor 1 + b, a log of 2 ulp of a number in
/// [1, keys (1 + b)], and the sum with the maximum.
inline double log_sum_exp_bound(const SoftmaxTerms& terms, double reference,
                                Rounding sums = float32_rounding) {
  const double b = softmax_sum_error(terms, sums);
  const double log_sum = std::log(static_cast<double>(terms.keys) * (1 + b));
  const double error = -std::log1p(-b) + gamma(4, sums.unit) * log_sum;
  return store_bound(reference, error, sums) + terms.score_error * sums.unit;
}

/// What is known of one output x * w / sqrt(mean(x^2) + eps) of an RMS norm.
struct RmsNormTerms {
  std::int64_t width = 0;
  double mean_square = 0;  // mean(x^2) + eps
  double result = 0;       // the exact output
  std::int64_t roundings =
      5;  // root, reciprocal, times x, times w, 1 + w; a root of k ulp counts 2 k
};

/// The mean of squares has gamma_{n+2} (squares, sums, division, eps; nothing cancels) plus
/// underflow of the squares; the root turns a relative error e into 1/sqrt(1 - e) - 1, about e/2;
/// then `roundings` more.
inline double rms_norm_bound(const RmsNormTerms& terms, Rounding sums = float32_rounding) {
  const double square = gamma(terms.width + 2, sums.unit) + 2 * sums.tiny / terms.mean_square +
                        gamma(terms.width + 4, float64_rounding.unit);
  const double root = 1 / std::sqrt(1 - square);
  const double relative = root * (1 + gamma(terms.roundings, sums.unit)) - 1;
  return std::fabs(terms.result) * relative + 2 * sums.tiny;
}

/// A rotated pair's element x0 cos - x1 sin, `pair_norm` = hypot(x0, x1): cosine rounded, product,
/// sum are 3 roundings of |x0 cos| + |x1 sin| <= pair_norm (Cauchy-Schwarz), and an error of the
/// angle moves by as much.
inline double rope_bound(double pair_norm, double angle_error = 0,
                         Rounding sums = float32_rounding) {
  return pair_norm * (gamma(3, sums.unit) + angle_error) + 2 * sums.tiny;
}

/// silu(x) = x / (1 + exp(-x)): the exponential's error, a sum of positive terms and a division.
/// exp(-x) may overflow or be clamped where sigma(x) < 2^-126.
inline double silu_bound(double x, std::int64_t exp_roundings = 4,
                         Rounding sums = float32_rounding) {
  const double reference = x / (1 + std::exp(-x));
  return std::fabs(reference) * gamma(exp_roundings + 2, sums.unit) + std::fabs(x) * 0x1p-126 +
         sums.tiny;
}

/// gelu(x) = x/2 (1 + t), t = tanh(z), z = sqrt(2/pi) (x + 0.044715 x^3). z has 8 roundings, tanh
/// passes its error with slope 1 - t^2 and adds `tanh_roundings` (absolute, so that a tanh made of
/// exp is covered); 1 + t cancels for negative x, hence the absolute terms.
inline double gelu_tanh_bound(double x, std::int64_t tanh_roundings = 8,
                              Rounding sums = float32_rounding) {
  const double z = std::sqrt(2 / 3.14159265358979323846) * (x + 0.044715 * x * x * x);
  const double z_error = std::fabs(z) * gamma(8, sums.unit);
  const double t = std::tanh(z);
  const double slope = (1 - t * t) * std::exp(2 * z_error);  // |d log(1 - tanh^2) / dz| <= 2
  const double sum_error =
      z_error * slope + static_cast<double>(tanh_roundings) * sums.unit + sums.unit * (1 + t);
  return 0.5 * std::fabs(x) *
             (sum_error * (1 + gamma(2, sums.unit)) + (1 + t) * gamma(2, sums.unit)) +
         2 * sums.tiny;
}

/// What is known of a soft-capped score cap * tanh(score / cap).
struct SoftcapTerms {
  double cap = 0;
  double score = 0;                 // exact, before the cap
  double score_error = 0;           // bound on what comes in
  std::int64_t tanh_roundings = 8;  // absolute, as for gelu
};

/// tanh has slope <= 1, so that errors of the score (and 2 roundings of score / cap) pass
/// undiminished at most; tanh adds `tanh_roundings`, the product one more.
inline double softcap_bound(const SoftcapTerms& terms, Rounding sums = float32_rounding) {
  const double slope_error = terms.score_error + std::fabs(terms.score) * gamma(2, sums.unit);
  const double tanh_error = static_cast<double>(terms.tanh_roundings) * sums.unit * terms.cap;
  const double result = terms.cap * std::tanh(std::fabs(terms.score) / terms.cap);
  return store_bound(result, slope_error + tanh_error, sums);
}

}  // namespace lamina
