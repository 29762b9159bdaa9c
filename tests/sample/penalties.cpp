// Penalties against counts taken from the whole history, and their formula in double.
#include "lamina/sample/penalties.h"

#include "sample/brute_force.h"

namespace {

using namespace lamina;
using namespace lamina::test;

Penalties told(const PenaltySettings& settings, const std::vector<Token>& history) {
  Penalties penalties(settings);
  for (const Token token : history) penalties.accept(token);
  return penalties;
}

std::vector<float> lowered(std::vector<float> logits, const PenaltySettings& s,
                           const std::vector<Token>& history) {
  const auto length = static_cast<std::int64_t>(history.size());
  const std::int64_t window = s.window < 0 ? length : std::min(s.window, length);
  for (std::size_t t = 0; t < logits.size(); ++t) {
    const auto count = std::count(history.end() - window, history.end(), static_cast<Token>(t));
    if (count == 0) continue;
    double logit = static_cast<double>(logits[t]);
    logit = logit <= 0 ? logit * s.repeat : logit / s.repeat;
    logits[t] = static_cast<float>(logit - (static_cast<double>(count) * s.frequency + s.presence));
  }
  return logits;
}

std::vector<Token> random_history(std::size_t n, int vocab, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Token> history;
  for (std::size_t i = 0; i < n; ++i) {
    history.push_back(static_cast<Token>(random() % static_cast<unsigned>(vocab)));
  }
  return history;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(penalties)

BOOST_AUTO_TEST_CASE(logits_fall_by_the_formula) {
  for (const std::size_t length : {0u, 1u, 10u, 300u}) {
    const auto history = random_history(length, 40, static_cast<unsigned>(length));
    const auto logits = random_logits(60, 2);
    for (const std::int64_t window : {-1, 1, 4, 64, 299, 1000}) {
      for (const PenaltySettings& settings :
           {PenaltySettings{.repeat = 1.3, .window = window},
            PenaltySettings{.frequency = 0.25, .window = window},
            PenaltySettings{.presence = 1.5, .window = window},
            PenaltySettings{.repeat = 0.7, .frequency = -0.5, .presence = 0.1, .window = window}}) {
        check_equal(left_by(told(settings, history), logits),
                    ranked(lowered(logits, settings, history)));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(closed_forms) {
  // Seen twice: 4 / 2 - (2 * 0.5 + 0.25) = 0.75; once and negative: -4 * 2 - (0.5 + 0.25) = -8.75.
  const PenaltySettings settings{.repeat = 2, .frequency = 0.5, .presence = 0.25};
  check_equal(left_by(told(settings, {0, 1, 0}), {4, -4, 4}), {{2, 4}, {0, 0.75f}, {1, -8.75f}});
  check_equal(left_by(told(settings, {0}), {0, -1}), {{0, -0.75f}, {1, -1}});  // 0 is neither
}

BOOST_AUTO_TEST_CASE(only_the_last_n_count) {
  const PenaltySettings settings{.presence = 1, .window = 4};
  const auto left =
      left_by(told(settings, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), std::vector<float>(12, 0));
  for (const Candidate& c : left) {
    BOOST_TEST(c.logit == (c.token >= 7 && c.token <= 10 ? -1.0f : 0.0f));
  }
}

BOOST_AUTO_TEST_CASE(a_token_that_leaves_the_window_is_forgotten_one_by_one) {
  const PenaltySettings settings{.frequency = 1, .window = 3};
  BOOST_TEST(left_by(told(settings, {0, 0, 0}), {0})[0].logit == -3.0f);
  BOOST_TEST(left_by(told(settings, {0, 0, 0, 5}), {0})[0].logit == -2.0f);
  BOOST_TEST(left_by(told(settings, {0, 0, 0, 5, 5, 5}), {0})[0].logit == 0.0f);
}

BOOST_AUTO_TEST_CASE(neutral_settings_change_nothing_whatever_was_accepted) {
  const auto logits = random_logits(50, 1);
  for (const PenaltySettings& settings :
       {PenaltySettings{}, PenaltySettings{.window = -1},
        PenaltySettings{.repeat = 2, .frequency = 1, .presence = 1, .window = 0}}) {
    Candidates candidates{logits};
    candidates.sort_by_logit();
    told(settings, {1, 2, 3, 3}).apply(candidates);
    BOOST_TEST((candidates.order() == CandidateOrder::by_logit));
    check_equal(contents(candidates), ranked(logits));
  }
}

BOOST_AUTO_TEST_CASE(a_copy_keeps_its_counts_and_goes_its_own_way) {
  const PenaltySettings settings{.frequency = 1};
  Penalties original = told(settings, {0});
  Penalties copy = original;
  copy.accept(0);
  BOOST_TEST(left_by(original, {0})[0].logit == -1.0f);
  BOOST_TEST(left_by(copy, {0})[0].logit == -2.0f);
}

BOOST_AUTO_TEST_CASE(tokens_that_are_no_candidates_are_passed_over) {
  const PenaltySettings settings{.presence = 1};
  check_equal(left_by(told(settings, {-1, 1, 2, 99}), {5, not_a_number, 4}), {{0, 5}, {2, 3}});
  check_equal(left_by(told({.repeat = 2}, {0}), {infinity, 1}), {{0, infinity}, {1, 1}});
}

BOOST_AUTO_TEST_CASE(settings_that_mean_nothing_are_refused) {
  const double nan = std::nan("");
  const double inf = std::numeric_limits<double>::infinity();
  for (const PenaltySettings& settings :
       {PenaltySettings{.repeat = 0}, PenaltySettings{.repeat = -1}, PenaltySettings{.repeat = nan},
        PenaltySettings{.repeat = inf}, PenaltySettings{.frequency = nan},
        PenaltySettings{.presence = -inf}, PenaltySettings{.window = -2}}) {
    BOOST_CHECK_THROW(Penalties{settings}, Error);
  }
}

BOOST_AUTO_TEST_SUITE_END()
