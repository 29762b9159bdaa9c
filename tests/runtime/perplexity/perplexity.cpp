// Which tokens are fed, which positions count, and how a text that is too short is refused.
#include "runtime/perplexity/perplexity.h"

#include "message_of.h"
#include "runtime/toy_model.h"

#include <boost/test/unit_test.hpp>

#include <numeric>

namespace lamina {
namespace {

namespace tt = boost::test_tools;
using test::contains;
using test::message_of;
using test::ToyModel;

std::vector<Token> ascending(std::size_t count) {
  std::vector<Token> tokens(count);
  std::iota(tokens.begin(), tokens.end(), 100);
  return tokens;
}

BOOST_AUTO_TEST_SUITE(perplexity_chunks)

BOOST_AUTO_TEST_CASE(a_text_is_cut_and_the_rest_left) {
  const auto text = ascending(35);
  const Chunks plain = cut_chunks(text, 10, std::nullopt, std::nullopt, "-f x");
  BOOST_TEST(plain.count() == 3u);
  BOOST_TEST(plain.tokens == std::vector<Token>(text.begin(), text.begin() + 30),
             tt::per_element());
  const Chunks begun = cut_chunks(text, 10, 7, 2, "-f x");
  BOOST_TEST(begun.count() == 2u);
  auto expected = std::vector<Token>(text.begin(), text.begin() + 20);
  expected[0] = expected[10] = 7;
  BOOST_TEST(begun.tokens == expected, tt::per_element());
  BOOST_TEST(begun[1].front() == 7);
  BOOST_TEST(begun[1].back() == 119);
  BOOST_TEST(cut_chunks(text, 10, 7, 99, "-f x").count() == 3u);
}

BOOST_AUTO_TEST_CASE(a_short_text_is_refused) {
  BOOST_TEST(cut_chunks(ascending(20), 10, 7, {}, "-f x").count() == 2u);
  BOOST_TEST(message_of([] { cut_chunks(ascending(19), 10, 7, {}, "-f x"); }) ==
             "-f x: has 19 tokens; chunks of 10 (-c) need a text of at least 20: give a longer "
             "one, or a smaller -c");
  BOOST_TEST(contains(message_of([] { cut_chunks({}, 512, {}, {}, "-f x"); }), "0 tokens"));
}

BOOST_AUTO_TEST_CASE(which_positions_count) {
  // llama-perplexity: from n/2 on, n - 1 - n/2 of them.
  for (const Position n : {8, 9, 512, 513}) {
    BOOST_TEST(first_scored(n) == static_cast<std::size_t>(n / 2));
    BOOST_TEST(first_scored(n) + scored_positions(n) == static_cast<std::size_t>(n - 1));
  }
  BOOST_TEST(scored_positions(512) == 255u);
}

/// Feeds one chunk of `context`; checks that each scored position comes once, with its logits.
void check_slices(Position context, std::int64_t vocab, std::size_t expected_slices) {
  std::vector<Token> chunk(static_cast<std::size_t>(context));
  for (std::size_t i = 0; i < chunk.size(); ++i) chunk[i] = static_cast<Token>(i * 7 % 50);
  ToyModel model(chunk, vocab);  // foretells the chunk itself
  std::size_t seen = 0, slices = 0;
  const bool done = feed_chunk(
      model, chunk,
      [&](const ScoredSlice& slice) {
        BOOST_TEST(slice.first == seen);
        for (std::size_t i = 0; i < slice.next.size(); ++i, ++seen) {
          const Token next = chunk[first_scored(context) + seen + 1];
          BOOST_TEST(slice.next[i] == next);
          BOOST_TEST(slice.outputs.row(i)[static_cast<std::size_t>(next)] == 1.0f);
        }
        ++slices;
      },
      [] { return false; });
  BOOST_TEST(done);
  BOOST_TEST(seen == scored_positions(context));
  BOOST_TEST(slices == expected_slices);
  chunk.pop_back();
  BOOST_TEST(model.fed() == chunk, tt::per_element());  // the last one foretells nothing known
}

BOOST_AUTO_TEST_CASE(every_position_that_counts_is_handed_over_once) {
  check_slices(8, 50, 1);
  check_slices(9, 50, 1);
  check_slices(2050, 50, 2);                   // 1024 positions, 512 at once
  check_slices(40, std::int64_t{1} << 20, 2);  // 4 MiB a row: 16 at once
}

BOOST_AUTO_TEST_CASE(an_interrupt_stops_between_slices) {
  const std::vector<Token> chunk(2050, 1);
  for (int stop_at = 0; stop_at < 6; ++stop_at) {
    ToyModel model(chunk, 4);
    int asked = 0, taken = 0;
    const bool done = feed_chunk(
        model, chunk, [&](const ScoredSlice&) { ++taken; }, [&] { return asked++ == stop_at; });
    BOOST_TEST(!done);
    BOOST_TEST(taken == std::max(0, stop_at - 3));  // 1025 tokens go first, in three pieces
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
