// Rows by their layout; divergences by closed forms and within the bound the header derives.
// Covers runtime/perplexity/measure.h.
#include "runtime/perplexity/stored_row.h"

#include "message_of.h"
#include "runtime/perplexity/measure.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

namespace lamina {
namespace {

using test::contains;
using test::message_of;

std::vector<float> random_logits(std::size_t count, unsigned seed, double spread) {
  std::mt19937 random(seed);
  std::vector<float> logits(count);
  for (float& x : logits) {
    // Sums of uniform numbers, whose bits the standard defines, unlike those of distributions.
    double sum = 0;
    for (int k = 0; k < 4; ++k) sum += static_cast<double>(random()) / 4294967296.0 - 0.5;
    x = static_cast<float>(spread * sum);
  }
  return logits;
}

std::vector<long double> exact(std::span<const float> logits) {
  long double total = 0;
  for (const float x : logits) total += std::exp(static_cast<long double>(x));
  std::vector<long double> result;
  for (const float x : logits) result.push_back(static_cast<long double>(x) - std::log(total));
  return result;
}

double exact_divergence(std::span<const float> p, std::span<const float> q) {
  const auto a = exact(p), b = exact(q);
  long double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::exp(a[i]) * (a[i] - b[i]);
  return static_cast<double>(sum);
}

struct Stored {
  std::vector<std::byte> bytes;
  std::int64_t vocab;

  Stored(std::span<const float> logits, Token next)
      : bytes(StoredRow::size(static_cast<std::int64_t>(logits.size()))),
        vocab(static_cast<std::int64_t>(logits.size())) {
    StoredRow::write(logits, log_sum_exp(logits), next, bytes);
  }
  StoredRow row() const { return StoredRow(bytes, vocab); }
};

constexpr double step = 40.0 / 65534;

BOOST_AUTO_TEST_SUITE(stored_row)

BOOST_AUTO_TEST_CASE(sums_of_exponentials) {
  BOOST_TEST(std::abs(log_sum_exp(std::vector<float>(8, 0.0f)) - std::log(8.0)) < 1e-15);
  BOOST_TEST(std::abs(log_sum_exp(std::vector<float>(8, 5000.0f)) - 5000 - std::log(8.0)) < 1e-11);
  BOOST_TEST(std::abs(log_sum_exp(std::vector<float>{-9000.0f, -9000.0f}) + 9000 - std::log(2.0)) <
             1e-11);
  BOOST_TEST(likeliest(std::vector<float>{1, 3, 2, 3}) == 1);  // of equal ones the lowest
}

BOOST_AUTO_TEST_CASE(the_layout) {
  // 1/2, 1/4, 1/8, 1/8 and one that is impossible.
  const float ln2 = std::log(2.0f);
  const std::vector<float> logits = {-ln2, 0, -2 * ln2, -2 * ln2, -1000};
  const Stored stored(logits, 2);
  BOOST_TEST(stored.bytes.size() == 32u + 16u);  // five codes, padded to eight
  double numbers[3];
  std::int32_t top[2];
  std::uint16_t codes[8];
  std::memcpy(numbers, stored.bytes.data(), sizeof numbers);
  std::memcpy(top, stored.bytes.data() + 24, sizeof top);
  std::memcpy(codes, stored.bytes.data() + 32, sizeof codes);
  BOOST_TEST(std::abs(numbers[0] - 3 * std::log(2.0)) < 1e-7);
  BOOST_TEST(std::abs(numbers[1] + std::log(2.0)) < 1e-7);
  BOOST_TEST(std::abs(numbers[2] - 2 * std::log(2.0) / 65534) < 1e-11);
  BOOST_TEST(top[0] == 1);
  BOOST_TEST(top[1] == 0);
  const std::uint16_t expected[8] = {32768, 65535, 1, 1, 0, 0, 0, 0};
  BOOST_TEST(codes == expected, boost::test_tools::per_element());
  BOOST_TEST(stored.row().nll() == numbers[0]);
  BOOST_TEST(stored.row().top() == 1);
}

BOOST_AUTO_TEST_CASE(log_probabilities_come_back_within_half_a_step_of_themselves) {
  for (const double spread : {0.0, 1e-3, 1.0, 20.0, 200.0}) {
    const auto logits = random_logits(3001, 7, spread);
    const auto expected = exact(logits);
    const auto found = Stored(logits, 0).row().log_probabilities();
    const long double highest = *std::max_element(expected.begin(), expected.end());
    double sum = 0;
    long double worst = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      sum += std::exp(found[i]);
      if (expected[i] < highest - 40) {
        BOOST_TEST(found[i] == -std::numeric_limits<double>::infinity());
      } else {
        worst = std::max(worst, std::abs(found[i] - expected[i]));
      }
    }
    BOOST_TEST(std::abs(sum - 1) < 1e-12);
    BOOST_TEST(worst <= step + 1e-12, "spread " << spread << ": " << worst);
  }
}

BOOST_AUTO_TEST_CASE(a_divergence_of_two_known_distributions) {
  // (1/2, 1/4, 1/4) from (1/4, 1/4, 1/2): ln 2 / 2 - ln 2 / 4.
  const float ln2 = std::log(2.0f);
  const std::vector<float> p = {ln2, 0, 0}, q = {1, 1, 1 + ln2};  // a constant changes nothing
  const Stored stored(p, 0);
  BOOST_TEST(std::abs(stored.row().divergence(q, log_sum_exp(q)) - std::log(2.0) / 4) < 1e-7);
  BOOST_TEST(std::abs(stored.row().divergence(p, log_sum_exp(p))) < 1e-15);
}

BOOST_AUTO_TEST_CASE(divergences_stay_within_the_derived_bound) {
  for (const double spread : {1.0, 10.0, 60.0}) {
    const auto p = random_logits(5000, 11, spread);
    const Stored stored(p, 3);
    const double itself = stored.row().divergence(p, log_sum_exp(p));
    BOOST_TEST(itself >= -1e-15);
    BOOST_TEST(itself <= step * step / 8);
    for (const double noise : {0.01, 0.1, 2.0}) {
      auto q = random_logits(p.size(), 12, noise);
      for (std::size_t i = 0; i < q.size(); ++i) q[i] += p[i];
      const double kl = exact_divergence(p, q);
      const double bound = step * step / 8 + std::expm1(step) * (kl + std::sqrt(2 * kl)) + 1e-10;
      const double found = stored.row().divergence(q, log_sum_exp(q));
      BOOST_TEST(std::abs(found - kl) <= bound, spread << ", " << noise << ": " << found - kl);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_slice_is_measured_by_any_number_of_threads) {
  constexpr std::size_t rows = 9, vocab = 300;
  Outputs base{.logits = random_logits(rows * vocab, 5, 12), .vocab = vocab};
  Outputs other = base;
  for (std::size_t i = 0; i < other.logits.size(); i += 3) other.logits[i] += 0.5f;
  std::vector<Token> next;
  for (std::size_t i = 0; i < rows; ++i) next.push_back(static_cast<Token>(i * 31));
  const ScoredSlice slice{.first = 4, .outputs = base, .next = next};
  const ScoredSlice second{.first = 4, .outputs = other, .next = next};
  std::vector<Measured> first(rows);
  std::vector<std::byte> first_bytes;
  for (const int threads : {1, 3}) {
    ThreadPool pool(threads);
    std::vector<Measured> alone(rows), stored(rows), against(rows);
    std::vector<std::byte> bytes(rows * StoredRow::size(vocab));
    measure(slice, pool, alone);
    measure_and_store(slice, pool, stored, bytes);
    measure_against(second, pool, against, bytes);
    BOOST_TEST((alone == stored));
    for (std::size_t i = 0; i < rows; ++i) {
      const auto p = exact(base.row(i)), q = exact(other.row(i));
      const auto at = static_cast<std::size_t>(next[i]);
      BOOST_TEST(std::abs(alone[i].nll + static_cast<double>(p[at])) < 1e-12);
      BOOST_TEST(against[i].base_nll == alone[i].nll);
      BOOST_TEST(std::abs(against[i].nll + static_cast<double>(q[at])) < 1e-12);
      const double kl = exact_divergence(base.row(i), other.row(i));
      BOOST_TEST(std::abs(against[i].divergence - kl) < 1e-3 * std::sqrt(kl));
      BOOST_TEST(against[i].same_top == (likeliest(base.row(i)) == likeliest(other.row(i))));
    }
    if (threads == 1) first = against, first_bytes = bytes;
    BOOST_TEST((first == against));
    BOOST_TEST((first_bytes == bytes));
  }
}

BOOST_AUTO_TEST_CASE(logits_that_are_no_numbers_are_refused) {
  ThreadPool pool(1);
  const float infinity = std::numeric_limits<float>::infinity();
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), infinity}) {
    const Outputs outputs{.logits = {1, bad, 2, 3}, .vocab = 4};
    const std::vector<Token> next = {2};
    const ScoredSlice slice{.first = 0, .outputs = outputs, .next = next};
    std::vector<Measured> measured(1);
    std::vector<std::byte> bytes(StoredRow::size(4));
    BOOST_TEST(contains(message_of([&] { measure(slice, pool, measured); }), "NaN or infinity"));
    BOOST_TEST(contains(message_of([&] { measure_and_store(slice, pool, measured, bytes); }),
                        "NaN or infinity"));
  }
  // A token that cannot come is no mistake while it does not, and the base thinks so too.
  const Outputs outputs{.logits = {1, -infinity, 2, 3}, .vocab = 4};
  const std::vector<Token> next = {2};
  const ScoredSlice slice{.first = 0, .outputs = outputs, .next = next};
  std::vector<Measured> measured(1);
  std::vector<std::byte> bytes(StoredRow::size(4));
  measure_and_store(slice, pool, measured, bytes);
  measure_against(slice, pool, measured, bytes);
  BOOST_TEST(std::abs(measured[0].divergence) < 1e-8);
  const Outputs all{.logits = {1, 1, 2, 3}, .vocab = 4};
  measure_and_store({.first = 0, .outputs = all, .next = next}, pool, measured, bytes);
  BOOST_TEST(
      contains(message_of([&] { measure_against(slice, pool, measured, bytes); }), "infinity"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
