// Defaults and limits of a session; a whole one runs in the tests of the program.
#include "runtime/session.h"

#include "message_of.h"
#include "runtime/small_files.h"
#include "runtime/toy_model.h"

#include <boost/test/unit_test.hpp>

namespace lamina {
namespace {

BOOST_AUTO_TEST_SUITE(session)

BOOST_AUTO_TEST_CASE(the_trained_context_but_at_most_4096) {
  test::ToyModel model({}, 1);
  BOOST_TEST(choose_context(model, {}) == 100);
  model.info().trained_context = 131072;
  BOOST_TEST(choose_context(model, {}) == 4096);
  model.info().trained_context = 0;
  BOOST_TEST(choose_context(model, {}) == 4096);
  BOOST_TEST(choose_context(model, 200000) == 200000);
}

BOOST_AUTO_TEST_CASE(the_largest_context_that_fits) {
  const test::ToyModel model({}, 1);  // 1000 + 100 bytes a token
  for (const Position fits : {1, 2, 63, 64, 999}) {
    const std::uint64_t bytes = model.kv_bytes(fits);
    BOOST_TEST(largest_context(model, bytes, 1000) == fits);
    BOOST_TEST(largest_context(model, bytes - 1, 1000) == fits - 1);
    BOOST_TEST(largest_context(model, bytes + 99, 1000) == fits);
  }
  BOOST_TEST(largest_context(model, 1u << 30, 1000) == 1000);
  BOOST_TEST(largest_context(model, 0, 2147483647) == 0);
}

BOOST_AUTO_TEST_CASE(too_large_a_context_says_what_fits) {
  const test::ToyModel model({}, 1);
  check_context(model, 50, model.kv_bytes(50));
  const std::string message = test::message_of([&] { check_context(model, 1'000'000, 11'050); });
  BOOST_TEST(test::contains(message, "1000000 tokens (-c)"));
  // A little less than what fits now, so that it still fits when it is tried.
  const Position fits = largest_context(model, 11'050 - 11'050 / 32, 1'000'000);
  BOOST_TEST(test::contains(message, "the largest context that fits is " + std::to_string(fits)));
  BOOST_TEST(model.kv_bytes(fits) < 11'050u);
  BOOST_TEST(model.kv_bytes(fits + fits / 16) > 11'050u);
}

BOOST_AUTO_TEST_CASE(sampling_of_the_file_goes_before_the_table) {
  const SamplingSettings table;
  const SamplingSettings none = sampling_defaults(Metadata{});
  BOOST_TEST(describe(none) == describe(table));
  const SamplingSettings some =
      sampling_defaults(Metadata({{"general.sampling.temp", 0.25f},
                                  {"general.sampling.top_k", 7},
                                  {"general.sampling.penalty_last_n", 3}}));
  BOOST_TEST(some.temperature == 0.25);
  BOOST_TEST(some.top_k == 7);
  BOOST_TEST(some.repeat_last_n == 3);
  BOOST_TEST(some.top_p == table.top_p);
}

BOOST_AUTO_TEST_CASE(sampling_of_the_file_is_checked) {
  const auto message = test::message_of([] {
    sampling_defaults(Metadata({{"general.sampling.top_p", 3.5f}}, "model.gguf"));
  });
  BOOST_TEST(test::contains(message, "model.gguf"));
  BOOST_TEST(test::contains(message, "general.sampling"));
  BOOST_TEST(test::contains(message, "3.5"));
}

/// The logits after `prompt`, of which the sequence may hold a part, and how much of it it held.
std::pair<std::vector<float>, Position> logits_after(LanguageModel& model, KeptSequence& sequence,
                                                     const std::vector<Token>& prompt) {
  std::vector<float> row;
  GenerateHooks hooks;
  hooks.pick = [&](std::span<const float> logits, Position) {
    row.assign(logits.begin(), logits.end());
    return Token{3};
  };
  hooks.piece = [](Token) { return std::string(); };
  const GenerateSettings settings{
      .context = sequence.context(), .max_tokens = 4, .held = sequence.keep(prompt)};
  const Generation result = generate(model, sequence.id(), prompt, settings, hooks);
  sequence.hold(prompt, result.tokens, result.length);
  return {row, settings.held};
}

std::vector<Token> tokens_from(int seed, std::size_t count) {
  std::vector<Token> tokens;
  for (std::size_t i = 0; i < count; ++i) {
    tokens.push_back(static_cast<Token>((static_cast<std::size_t>(seed) + 7 * i * i) % 61));
  }
  return tokens;
}

BOOST_AUTO_TEST_CASE(what_is_held_changes_no_logit) {
  for (const char* name : {"llama", "gemma3"}) {
    for (const char* backend : {"cpu", "reference"}) {
      const test::LoadedModel model = test::load_small(name, test::exact_options(backend));
      KeptSequence kept(*model.model, 200);
      std::vector<Token> prompt = tokens_from(1, 40);
      logits_after(*model.model, kept, prompt);
      BOOST_TEST(kept.tokens().size() == 43u);  // the last of four was not fed
      for (const std::size_t common : {43u, 20u, 0u}) {
        prompt.assign(kept.tokens().begin(),
                      kept.tokens().begin() + static_cast<std::ptrdiff_t>(common));
        const auto more = tokens_from(static_cast<int>(common) + 2, 30);
        prompt.insert(prompt.end(), more.begin(), more.end());
        const auto [row, held] = logits_after(*model.model, kept, prompt);
        BOOST_TEST(held >= static_cast<Position>(common));
        KeptSequence fresh(*model.model, 200);
        const auto [expected, none] = logits_after(*model.model, fresh, prompt);
        BOOST_TEST(none == 0);
        BOOST_TEST(row == expected, boost::test_tools::per_element());  // bit by bit
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(the_last_token_is_always_fed) {
  const test::LoadedModel model = test::load_small("llama", test::exact_options("cpu"));
  KeptSequence kept(*model.model, 100);
  const std::vector<Token> prompt = tokens_from(1, 10);
  logits_after(*model.model, kept, prompt);
  BOOST_TEST(kept.keep(prompt) == 9);
  BOOST_TEST(kept.tokens().size() == 9u);
}

BOOST_AUTO_TEST_CASE(a_window_that_has_moved_on_is_filled_again) {
  const test::LoadedModel model = test::load_small("gemma3", test::exact_options("cpu"));
  KeptSequence kept(*model.model, 2000);
  std::vector<Token> prompt = tokens_from(1, 1500);
  logits_after(*model.model, kept, prompt);
  prompt.resize(300);
  prompt.push_back(5);
  const auto [row, held] = logits_after(*model.model, kept, prompt);
  BOOST_TEST(held == 0);
  KeptSequence fresh(*model.model, 2000);
  BOOST_TEST(row == logits_after(*model.model, fresh, prompt).first,
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
