// Chunks of every kind are the text in order, and each ends where its kind says.
#include "runtime/streaming/chunker.h"

#include "lamina/core/error.h"
#include "runtime/unicode/utf8.h"
#include "tests/runtime/tokenizer/seed.h"

#include <boost/test/unit_test.hpp>

#include <random>
#include <string>
#include <vector>

namespace lamina {
namespace {

using Texts = std::vector<std::string>;

/// What leaves for each token, then at the end.
Texts chunks(Chunker chunker, const Texts& tokens) {
  Texts result;
  for (const std::string& token : tokens) result.push_back(chunker.feed(token));
  result.push_back(chunker.finish());
  return result;
}

Chunker made(std::string_view interval) { return Chunker(parse_stream_interval(interval)); }

BOOST_AUTO_TEST_SUITE(chunker)

BOOST_AUTO_TEST_CASE(intervals_as_they_are_written) {
  using Unit = StreamInterval::Unit;
  BOOST_TEST((parse_stream_interval("token") == StreamInterval{Unit::tokens, 1}));
  BOOST_TEST((parse_stream_interval("12") == StreamInterval{Unit::tokens, 12}));
  BOOST_TEST((parse_stream_interval("word") == StreamInterval{Unit::words, 1}));
  BOOST_TEST((parse_stream_interval("50ms") == StreamInterval{Unit::milliseconds, 50}));
  for (const char* wrong : {"", "0", "-1", "words", "5s", "5 ms", "ms", "1.5",
                            "99999999999999999999", "1000001", "tokens", " 5"}) {
    BOOST_CHECK_THROW(parse_stream_interval(wrong), Error);
  }
}

BOOST_AUTO_TEST_CASE(by_the_token) {
  const Texts tokens = {"Hel", "lo", "", " world"};
  BOOST_TEST(chunks(made("token"), tokens) == (Texts{"Hel", "lo", "", " world", ""}),
             boost::test_tools::per_element());
  BOOST_TEST(chunks(made("3"), tokens) == (Texts{"", "", "Hello", "", " world"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(by_the_word) {
  BOOST_TEST(chunks(made("word"), {"Hel", "lo", " wor", "ld! ", "a\tb c", "d\n"}) ==
                 (Texts{"", "", "Hello ", "world! ", "a\tb ", "cd\n", ""}),
             boost::test_tools::per_element());
  // Ideographs and kana need no spaces; Korean has them; U+00A0 keeps together.
  BOOST_TEST(chunks(made("word"), {"x中文", "です", "한국", "어 a\u00A0b", "\u3000c"}) ==
                 (Texts{"x中文", "です", "", "한국어 ", "a\u00A0b\u3000", "c"}),
             boost::test_tools::per_element());
  BOOST_TEST(chunks(made("word"), {std::string(64, 'x'), "y", "z"}) ==
                 (Texts{"", std::string(64, 'x') + "y", "", "z"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(by_the_clock) {
  Chunker::Clock::time_point now{std::chrono::hours(1)};
  Chunker chunker(parse_stream_interval("50ms"), [&] { return now; });
  const auto after = [&](int milliseconds, std::string_view text) {
    now += std::chrono::milliseconds(milliseconds);
    return chunker.feed(text);
  };
  BOOST_TEST(after(0, "a") == "a");  // the first text does not wait
  BOOST_TEST(after(30, "b") == "");
  BOOST_TEST(after(19, "c") == "");
  BOOST_TEST(after(1, "d") == "bcd");
  BOOST_TEST(after(49, "e") == "");
  BOOST_TEST(after(1, "") == "e");
  BOOST_TEST(after(500, "") == "");  // nothing left, so that the next text need not wait
  BOOST_TEST(after(1, "f") == "f");
  BOOST_TEST(after(1, "g") == "");
  BOOST_TEST(chunker.finish() == "g");
}

BOOST_AUTO_TEST_CASE(nothing_is_lost_and_no_character_cut) {
  std::mt19937 random(test::seed());
  const auto draw = [&](std::size_t below) { return random() % below; };
  const Texts alphabet = {"a", "bc", " ", "\n", "é", "中", "👍🏽", "\u2003", "\u0301", "dé f"};
  for (int round = 0; round < 3000; ++round) {
    Texts tokens(draw(40));
    for (std::string& token : tokens)
      for (std::size_t i = draw(4); i > 0; --i) token += alphabet[draw(alphabet.size())];
    for (const char* interval : {"token", "2", "7", "word", "1ms"}) {
      std::string all, got;
      for (const std::string& token : tokens) all += token;
      for (const std::string& chunk : chunks(made(interval), tokens)) {
        got += chunk;
        BOOST_REQUIRE(chunk.empty() || first_utf8_part(chunk).kind == Utf8Part::Kind::character);
      }
      BOOST_REQUIRE(got == all);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
