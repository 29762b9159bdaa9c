// Numbers are moved by memcpy: rows lie at any address of a mapped file.
#include "runtime/perplexity/stored_row.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace lamina {
namespace {

static_assert(std::endian::native == std::endian::little, "rows are written as they lie in memory");

constexpr double widest = 40;  // nats below the highest
constexpr double top_code = 65535;

struct Head {
  double nll, highest, step;
  Token top;
  std::int32_t zero;
};
static_assert(sizeof(Head) == 32);

}  // namespace

double log_sum_exp(std::span<const float> logits) {
  const double largest = *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (const float x : logits) sum += std::exp(x - largest);
  return largest + std::log(sum);
}

Token likeliest(std::span<const float> logits) {
  return static_cast<Token>(std::max_element(logits.begin(), logits.end()) - logits.begin());
}

std::size_t StoredRow::size(std::int64_t vocab) {
  return sizeof(Head) + (static_cast<std::size_t>(vocab) * sizeof(std::uint16_t) + 7) / 8 * 8;
}

void StoredRow::write(std::span<const float> logits, double sum, Token next,
                      std::span<std::byte> bytes) {
  const Token top = likeliest(logits);
  const double highest = logits[static_cast<std::size_t>(top)] - sum;
  double lowest = highest;
  for (const float x : logits) {
    if (x - sum >= highest - widest) lowest = std::min(lowest, x - sum);
  }
  const double step = (highest - lowest) / (top_code - 1);
  const Head head{sum - logits[static_cast<std::size_t>(next)], highest, step, top, 0};
  std::fill(bytes.begin(), bytes.end(), std::byte{0});
  std::memcpy(bytes.data(), &head, sizeof head);
  for (std::size_t i = 0; i < logits.size(); ++i) {
    const double below = highest - (logits[i] - sum);
    const double steps = step > 0 ? std::nearbyint(below / step) : 0;
    const auto code = static_cast<std::uint16_t>(below <= widest ? top_code - steps : 0);
    std::memcpy(bytes.data() + sizeof head + i * sizeof code, &code, sizeof code);
  }
}

StoredRow::StoredRow(std::span<const std::byte> bytes, std::int64_t vocab)
    : codes_(bytes.subspan(sizeof(Head))), vocab_(vocab) {
  Head head;
  std::memcpy(&head, bytes.data(), sizeof head);
  nll_ = head.nll;
  highest_ = head.highest;
  step_ = head.step;
  top_ = head.top;
}

std::uint16_t StoredRow::code(std::size_t i) const {
  std::uint16_t code = 0;
  std::memcpy(&code, codes_.data() + i * sizeof code, sizeof code);
  return code;
}

double StoredRow::level(std::uint16_t code) const { return highest_ - (top_code - code) * step_; }

std::vector<double> StoredRow::log_probabilities() const {
  std::vector<double> result(static_cast<std::size_t>(vocab_));
  double total = 0;
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = code(i) > 0 ? level(code(i)) : -std::numeric_limits<double>::infinity();
    total += std::exp(result[i]);
  }
  for (double& x : result) x -= std::log(total);
  return result;
}

double StoredRow::divergence(std::span<const float> logits, double sum) const {
  double total = 0, weighted = 0;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    const std::uint16_t c = code(i);
    if (c == 0) continue;
    const double stored = level(c), p = std::exp(stored);
    total += p;
    weighted += p * (stored - (logits[i] - sum));
  }
  return weighted / total - std::log(total);
}

}  // namespace lamina
