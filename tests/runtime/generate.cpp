// The loop with a model whose every answer is known.
#include "runtime/generate.h"

#include "message_of.h"
#include "runtime/toy_model.h"
#include "runtime/streaming/utf8_stream.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <random>

namespace lamina {
namespace {

constexpr Token end_token = 0;

/// Everything one generation needs, with pieces of text for tokens 1, 2, ...
struct Bench {
  std::vector<std::string> pieces;  // of token i + 1
  std::vector<Token> prompt = {1, 1, 1};
  std::vector<Token> answer;  // what the model says after the prompt
  GenerateSettings settings{.context = 1000};
  std::vector<std::string> shown = {};  // each text as it was given
  std::vector<Token> fed = {};
  std::vector<std::size_t> batches = {};
  std::int64_t interrupt_after = -1;  // tokens picked

  Generation run() {
    std::vector<Token> script = prompt;
    script.insert(script.end(), answer.begin(), answer.end());
    script.resize(script.size() + 1000, end_token);
    test::ToyModel model(script, static_cast<std::int64_t>(pieces.size()) + 1);
    settings.end_tokens = {end_token};
    std::int64_t picked = 0;
    GenerateHooks hooks;
    hooks.pick = [&](std::span<const float> logits, Position position) {
      BOOST_REQUIRE_EQUAL(position, static_cast<Position>(prompt.size()) + picked);
      ++picked;
      return static_cast<Token>(std::max_element(logits.begin(), logits.end()) - logits.begin());
    };
    hooks.piece = [&](Token token) { return pieces[static_cast<std::size_t>(token) - 1]; };
    hooks.on_text = [&](std::string_view text) { shown.emplace_back(text); };
    hooks.interrupted = [&] { return picked == interrupt_after; };
    Generation result = generate(model, model.open(settings.context), prompt, settings, hooks);
    fed = model.fed();
    batches = model.batches();
    return result;
  }

  std::string all_shown() const {
    std::string text;
    for (const std::string& part : shown) text += part;
    return text;
  }
};

/// Whether the text ends on a character boundary and holds no stray byte.
bool is_valid_utf8(const std::string& text) {
  Utf8Stream stream;
  const bool same = stream.feed(text) == text;
  return same && stream.finish().empty();
}

BOOST_AUTO_TEST_SUITE(generation)

BOOST_AUTO_TEST_CASE(until_an_end_token) {
  Bench bench{.pieces = {"a", "b"}, .answer = {2, 1, 2, end_token, 1}};
  const Generation result = bench.run();
  BOOST_TEST(result.text == "bab");
  BOOST_TEST(bench.all_shown() == "bab");
  BOOST_TEST(result.tokens == (std::vector<Token>{2, 1, 2}), boost::test_tools::per_element());
  BOOST_TEST(name(result.reason) == "stop");
  BOOST_TEST(result.timings.prompt_n == 3);
  BOOST_TEST(result.timings.predicted_n == 3);
  BOOST_TEST(bench.fed == (std::vector<Token>{1, 1, 1, 2, 1, 2}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(end_tokens_can_be_ignored) {
  Bench bench{.pieces = {"a", "b"}, .answer = {2, 1}};
  bench.settings.max_tokens = 2;
  BOOST_TEST(name(bench.run().reason) == "length");
}

BOOST_AUTO_TEST_CASE(never_more_than_asked_for_and_the_last_is_not_fed) {
  for (const std::int64_t n : {0, 1, 2, 5}) {
    Bench bench{.pieces = {"a"}, .answer = std::vector<Token>(10, 1)};
    bench.settings.max_tokens = n;
    const Generation result = bench.run();
    BOOST_TEST(static_cast<std::int64_t>(result.tokens.size()) == n);
    BOOST_TEST(name(result.reason) == "length");
    BOOST_TEST(static_cast<std::int64_t>(bench.fed.size()) == 3 + std::max<std::int64_t>(0, n - 1));
  }
}

BOOST_AUTO_TEST_CASE(never_more_than_the_context_holds) {
  for (const Position context : {3, 4, 7}) {
    Bench bench{.pieces = {"a"}, .answer = std::vector<Token>(10, 1)};
    bench.settings.context = context;
    const Generation result = bench.run();
    BOOST_TEST(static_cast<Position>(result.tokens.size()) == context - 3);
    BOOST_TEST(name(result.reason) == "length");
  }
}

BOOST_AUTO_TEST_CASE(prompts_that_cannot_be) {
  Bench none{.pieces = {"a"}, .prompt = {}, .answer = {}};
  BOOST_TEST(test::contains(test::message_of([&] { none.run(); }), "the prompt has no tokens"));
  Bench longer{.pieces = {"a"}, .answer = {}};
  longer.settings.context = 2;
  const std::string message = test::message_of([&] { longer.run(); });
  BOOST_TEST(test::contains(message, "3 tokens, but the context only 2"));
}

BOOST_AUTO_TEST_CASE(the_prompt_is_fed_in_pieces) {
  Bench bench{.pieces = {"a"}, .prompt = std::vector<Token>(10, 1), .answer = {1}};
  bench.settings.prefill = 4;
  BOOST_TEST(bench.run().text == "a");
  BOOST_TEST(bench.batches == (std::vector<std::size_t>{4, 4, 2, 1}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(interrupted) {
  Bench bench{.pieces = {"a", "S"}, .answer = {1, 1, 2, 1, 1}};
  bench.settings.stops = {"STOP"};
  bench.interrupt_after = 3;
  const Generation result = bench.run();
  BOOST_TEST(name(result.reason) == "interrupted");
  BOOST_TEST(result.text == "aaS");  // what was held back is not lost
  Bench before{.pieces = {"a"}, .answer = {1}};
  before.interrupt_after = 0;
  BOOST_TEST(name(before.run().reason) == "interrupted");
  BOOST_TEST(before.fed.empty());
}

BOOST_AUTO_TEST_CASE(characters_split_over_tokens) {
  Bench bench{.pieces = {"\xF0\x9F", "\x8C", "\x8D", "\xFF", "x"}, .answer = {1, 2, 3, 4, 5, 1}};
  const Generation result = bench.run();
  BOOST_TEST(result.text == "\xF0\x9F\x8C\x8D\xEF\xBF\xBDx\xEF\xBF\xBD");
  BOOST_TEST(bench.shown.front() == "\xF0\x9F\x8C\x8D");
}

BOOST_AUTO_TEST_CASE(a_stop_string_over_tokens) {
  Bench bench{.pieces = {"DEF", "G", "HI", "J", "x"}, .answer = {5, 1, 2, 3, 4, 5}};
  bench.settings.stops = {"DEFGHIJ"};
  const Generation result = bench.run();
  BOOST_TEST(result.text == "x");
  BOOST_TEST(bench.all_shown() == "x");
  BOOST_TEST(name(result.reason) == "stop");
  BOOST_TEST(result.tokens.size() == 5u);  // the token that completed it is the last
}

BOOST_AUTO_TEST_CASE(a_stop_found_only_at_the_end_is_a_stop) {
  Bench bench{.pieces = {"abcd"}, .answer = {1, end_token}};
  bench.settings.stops = {"abcde", "cd"};
  const Generation result = bench.run();
  BOOST_TEST(result.text == "ab");
  BOOST_TEST(name(result.reason) == "stop");
}

BOOST_AUTO_TEST_CASE(text_leaves_as_much_at_once_as_asked_for) {
  Bench bench{.pieces = {"a", "b c", ""}, .answer = {1, 2, 1, 3, 1}};
  bench.settings.interval = {StreamInterval::Unit::tokens, 2};
  BOOST_TEST(bench.run().text == "ab caa");
  BOOST_TEST(bench.shown == (std::vector<std::string>{"ab c", "a", "a"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(streamed_text_equals_the_text_cut_once) {
  const auto seed = std::random_device{}();
  BOOST_TEST_MESSAGE("seed " << seed);
  std::mt19937 random(seed);
  const auto draw = [&](int from, int to) {
    return std::uniform_int_distribution(from, to)(random);
  };
  const std::vector<std::string> alphabet = {"a", "b", "\xC3\xA9", "\xF0\x9F\x8C\x8D"};
  const auto word = [&](int length) {
    std::string text;
    for (int i = 0; i < length; ++i) text += alphabet[static_cast<std::size_t>(draw(0, 3))];
    return text;
  };
  for (int round = 0; round < 3000; ++round) {
    const std::string text = word(draw(0, 25));
    Bench bench{.pieces = {}, .answer = {}};
    for (std::size_t at = 0; at < text.size();) {  // at any byte, also inside characters
      const auto length = static_cast<std::size_t>(draw(1, 5));
      bench.pieces.push_back(text.substr(at, length));
      bench.answer.push_back(static_cast<Token>(bench.pieces.size()));
      at += length;
    }
    std::size_t cut = text.size();
    for (int i = draw(0, 3); i > 0; --i) {
      bench.settings.stops.push_back(word(draw(1, 4)));
      cut = std::min(cut, text.find(bench.settings.stops.back()));
    }
    bench.pieces.push_back("never");
    bench.settings.interval.unit = static_cast<StreamInterval::Unit>(draw(0, 2));
    bench.settings.interval.count = draw(1, 4);
    const Generation result = bench.run();
    BOOST_REQUIRE_MESSAGE(result.text == text.substr(0, cut), "seed " << seed << ", text " << text);
    BOOST_REQUIRE_EQUAL(bench.all_shown(), result.text);
    for (const std::string& part : bench.shown) BOOST_REQUIRE(is_valid_utf8(part));
  }
}

BOOST_AUTO_TEST_CASE(rates_are_counts_by_times) {
  const Timings timings{.prompt_n = 10, .prompt_ms = 500, .predicted_n = 5, .predicted_ms = 2000};
  BOOST_TEST(timings.prompt_per_second() == 20.0);
  BOOST_TEST(timings.predicted_per_second() == 2.5);
  BOOST_TEST(Timings{}.prompt_per_second() == 0.0);
  const Timings one{.predicted_n = 1, .predicted_ms = 0.001};
  BOOST_TEST(one.predicted_per_second() == 0.0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
