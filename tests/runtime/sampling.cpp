// TokenPicker: the chain it builds, the settings it refuses, and that equal settings give equal
// tokens.
#include "runtime/sampling.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace lamina;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

std::vector<float> random_logits(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0, 4);
  std::vector<float> logits(n);
  for (float& logit : logits) logit = normal(random);
  return logits;
}

std::string refusal(const SamplingSettings& settings) {
  try {
    validate(settings);
  } catch (const Error& error) {
    BOOST_CHECK_THROW(TokenPicker{settings}, Error);
    return error.what();
  }
  return "accepted";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(sampling)

BOOST_AUTO_TEST_CASE(errors_name_the_flag_the_value_and_the_range) {
  using S = SamplingSettings;
  BOOST_TEST(refusal(S{}) == "accepted");
  BOOST_TEST(refusal(S{.top_p = 1.5}) == "--top-p 1.5: expected a number in (0, 1] (1: off)");
  BOOST_TEST(refusal(S{.top_p = 0}) == "--top-p 0: expected a number in (0, 1] (1: off)");
  BOOST_TEST(refusal(S{.top_p = not_a_number}) ==
             "--top-p nan: expected a number in (0, 1] (1: off)");
  BOOST_TEST(refusal(S{.temperature = -1}) ==
             "--temperature -1: expected a number >= 0 (0: greedy)");
  BOOST_TEST(refusal(S{.temperature = inf}).starts_with("--temperature inf"));
  BOOST_TEST(refusal(S{.top_k = -1}) == "--top-k -1: expected a number of tokens, or 0 for all");
  BOOST_TEST(refusal(S{.min_p = 1.1}) == "--min-p 1.1: expected a number in [0, 1] (0: off)");
  BOOST_TEST(refusal(S{.min_p = not_a_number}).starts_with("--min-p nan"));
  BOOST_TEST(refusal(S{.repeat_penalty = 0}).starts_with("--repeat-penalty 0: expected"));
  BOOST_TEST(refusal(S{.repeat_last_n = -2}).starts_with("--repeat-last-n -2: expected"));
  BOOST_TEST(refusal(S{.frequency_penalty = inf}).starts_with("--frequency-penalty inf"));
  BOOST_TEST(refusal(S{.presence_penalty = not_a_number}).starts_with("--presence-penalty nan"));
}

BOOST_AUTO_TEST_CASE(an_unknown_or_repeated_sampler_is_refused_with_the_known_ones) {
  using S = SamplingSettings;
  BOOST_TEST(
      refusal(S{.samplers = "top_k;topp"}) ==
      "--samplers: 'topp' is no sampler; expected names separated by ';' of: penalties, top_k, "
      "top_p, min_p, temperature");
  BOOST_TEST(refusal(S{.samplers = "top_k;top_k"}).find("stands there twice") != std::string::npos);
  for (const char* order : {";", "top_k;", ";top_k", "top_k;;top_p"}) {
    BOOST_TEST(refusal(S{.samplers = order}).find("'' is no sampler") != std::string::npos, order);
  }
  BOOST_TEST(refusal(S{.samplers = ""}) == "accepted");
  BOOST_TEST(refusal(S{.samplers = "temperature;top_k"}) == "accepted");
}

BOOST_AUTO_TEST_CASE(the_default_order_is_that_of_the_table) {
  const auto logits = random_logits(500, 1);
  TokenPicker picker({.repeat_penalty = 1.4, .frequency_penalty = 0.2, .seed = 7});
  Penalties penalties({.repeat = 1.4, .frequency = 0.2});
  for (const Token token : {5, 6, 5}) {
    picker.accept(token);
    penalties.accept(token);
  }
  for (Position i = 0; i < 200; ++i) {
    Candidates candidates{logits};
    penalties.apply(candidates);
    TopK{40}.apply(candidates);
    TopP{0.95}.apply(candidates);
    MinP{0.05}.apply(candidates);
    Temperature{0.8}.apply(candidates);
    BOOST_TEST(picker.pick(logits, i) == Categorical{7}.pick(candidates, i));
  }
}

BOOST_AUTO_TEST_CASE(the_order_asked_for_is_the_order_applied) {
  // Token 0 is best but penalised below the others: with top_k 1 first, nothing else is left.
  const std::vector<float> logits{3, 2, 1};
  const auto picked = [&](const std::string& order) {
    TokenPicker picker({.top_k = 1, .presence_penalty = 5, .seed = 1, .samplers = order});
    picker.accept(0);
    return picker.pick(logits, 0);
  };
  BOOST_TEST(picked("penalties;top_k") == 1);
  BOOST_TEST(picked("top_k;penalties") == 0);
}

BOOST_AUTO_TEST_CASE(greedy_is_greedy_after_penalties) {
  const std::vector<float> logits{3, 5, 5, 1};
  for (const SamplingSettings& settings :
       {SamplingSettings{.greedy = true}, SamplingSettings{.temperature = 0},
        SamplingSettings{.temperature = 0, .samplers = ""}}) {
    TokenPicker picker(settings);
    BOOST_TEST(picker.greedy());
    for (Position i = 0; i < 20; ++i) BOOST_TEST(picker.pick(logits, i) == 1);
  }
  TokenPicker picker({.repeat_penalty = 10, .greedy = true});
  picker.accept(1);
  BOOST_TEST(picker.pick(logits, 0) == 2);
  BOOST_TEST(!TokenPicker(SamplingSettings{}).greedy());
}

BOOST_AUTO_TEST_CASE(the_seed_decides_and_one_is_drawn_where_none_is_given) {
  const std::vector<float> flat(1000, 0);
  const SamplingSettings open{.top_k = 0, .top_p = 1, .min_p = 0, .seed = 3};
  TokenPicker a(open), b(open);
  std::vector<Token> forward, backward;
  for (Position i = 0; i < 50; ++i) forward.push_back(a.pick(flat, i));
  for (Position i = 49; i >= 0; --i) backward.push_back(b.pick(flat, i));
  BOOST_TEST(std::vector<Token>(backward.rbegin(), backward.rend()) == forward,
             boost::test_tools::per_element());
  BOOST_TEST(a.seed() == 3u);

  SamplingSettings unseeded = open;
  unseeded.seed.reset();
  TokenPicker first(unseeded), second(unseeded);
  BOOST_TEST(first.seed() != second.seed());
  SamplingSettings again = open;
  again.seed = first.seed();
  TokenPicker replay(again);
  for (Position i = 0; i < 50; ++i) BOOST_TEST(first.pick(flat, i) == replay.pick(flat, i));
}

BOOST_AUTO_TEST_CASE(one_nan_is_passed_over_and_nothing_but_nan_is_an_error) {
  const auto quiet = std::numeric_limits<float>::quiet_NaN();
  TokenPicker picker({.seed = 1});
  const std::vector<float> one{quiet, 1, quiet};
  const std::vector<float> none{quiet, quiet};
  BOOST_TEST(picker.pick(one, 0) == 1);
  BOOST_CHECK_THROW(picker.pick(none, 0), Error);
  BOOST_TEST(picker.pick(one, 1) == 1);  // and goes on
}

BOOST_AUTO_TEST_CASE(every_sampler_at_every_edge_picks_a_possible_token) {
  const auto infinite = std::numeric_limits<float>::infinity();
  const auto quiet = std::numeric_limits<float>::quiet_NaN();
  const std::vector<std::vector<float>> rows{
      {1},       {infinite, 1, infinite},    {quiet, 2, 1},
      {0, 0, 0}, {-infinite, -5, -infinite}, {-3e38f, 3e38f}};
  for (const auto& logits : rows) {
    for (const double t : {0.0, 1e-300, 1.0, 1e300}) {
      for (const std::int64_t k : {0, 1, 5}) {
        for (const double p : {1e-300, 0.5, 1.0}) {
          for (const double m : {0.0, 0.5, 1.0}) {
            TokenPicker picker({.temperature = t,
                                .top_k = k,
                                .top_p = p,
                                .min_p = m,
                                .repeat_penalty = 1.5,
                                .seed = 1});
            picker.accept(0);
            const Token token = picker.pick(logits, 3);
            BOOST_TEST_REQUIRE((token >= 0 && token < static_cast<Token>(logits.size())));
            BOOST_TEST(logits[static_cast<std::size_t>(token)] > -infinite);
          }
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(settings_are_described_line_by_line) {
  BOOST_TEST(
      describe({.seed = 5}) ==
      "temperature 0.8\ntop_k 40\ntop_p 0.95\nmin_p 0.05\nrepeat_penalty 1\nrepeat_last_n 64\n"
      "frequency_penalty 0\npresence_penalty 0\nseed 5\ngreedy false\n"
      "samplers penalties;top_k;top_p;min_p;temperature\n");
}

BOOST_AUTO_TEST_SUITE_END()
