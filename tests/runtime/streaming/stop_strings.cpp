// A text cut piece by piece equals the text cut once, for every way to cut it into pieces.
#include "runtime/streaming/stop_strings.h"

#include "lamina/core/error.h"
#include "tests/runtime/tokenizer/cpu_time.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <random>

namespace lamina {
namespace {

/// The definition: everything before the lowest position at which a stop string begins.
std::string cut_once(const std::string& text, const std::vector<std::string>& stops) {
  std::size_t at = text.size();
  for (const std::string& stop : stops) at = std::min(at, text.find(stop));
  return text.substr(0, at);
}

/// The pieces' text as released; checks that nothing comes after a stop.
std::string stream(const std::vector<std::string>& pieces, const std::vector<std::string>& stops) {
  StopStrings stream(stops);
  std::string shown;
  for (const std::string& piece : pieces) {
    if (stream.stopped()) BOOST_TEST(stream.feed(piece).empty());
    shown += stream.feed(piece);
  }
  return shown + stream.finish();
}

BOOST_AUTO_TEST_SUITE(stop_strings)

BOOST_AUTO_TEST_CASE(every_split_of_a_short_text) {
  const std::string text = "xSTSTOPySTO";
  const std::vector<std::vector<std::string>> sets = {
      {"STOP"},    {"STO"}, {"STOPy", "TOP"}, {"TOP", "STOPz"}, {"y"},
      {"nothing"}, {},      {"xSTSTOPySTO"}};
  for (const auto& stops : sets) {
    for (unsigned cuts = 0; cuts < 1u << (text.size() - 1); ++cuts) {
      std::vector<std::string> pieces(1);
      for (std::size_t i = 0; i < text.size(); ++i) {
        pieces.back() += text[i];
        if (i + 1 < text.size() && (cuts >> i & 1u) != 0) pieces.emplace_back();
      }
      BOOST_REQUIRE_EQUAL(stream(pieces, stops), cut_once(text, stops));
    }
  }
}

BOOST_AUTO_TEST_CASE(random_texts_and_splits) {
  const auto seed = std::random_device{}();
  BOOST_TEST_MESSAGE("seed " << seed);
  std::mt19937 random(seed);
  const auto draw = [&](int from, int to) {
    return std::uniform_int_distribution(from, to)(random);
  };
  const auto word = [&](int length) {
    std::string text;
    for (int i = 0; i < length; ++i) text += static_cast<char>('a' + draw(0, 2));
    return text;
  };
  for (int round = 0; round < 20000; ++round) {
    const std::string text = word(draw(0, 40));
    std::vector<std::string> stops;
    for (int i = draw(0, 4); i > 0; --i) stops.push_back(word(draw(1, 7)));
    std::vector<std::string> pieces;
    for (std::size_t at = 0; at < text.size();) {
      const auto length = static_cast<std::size_t>(draw(0, 6));
      pieces.push_back(text.substr(at, length));
      at += length;
    }
    BOOST_REQUIRE_MESSAGE(stream(pieces, stops) == cut_once(text, stops),
                          "seed " << seed << ", text " << text);
  }
}

BOOST_AUTO_TEST_CASE(holds_back_only_what_may_become_a_stop) {
  StopStrings stream({"STOP"});
  BOOST_TEST(stream.feed("one S") == "one ");
  BOOST_TEST(stream.feed("TO") == "");
  BOOST_TEST(stream.feed("R") == "STOR");
  BOOST_TEST(stream.feed("ST") == "");
  BOOST_TEST(stream.finish() == "ST");
  BOOST_TEST(!stream.stopped());
}

BOOST_AUTO_TEST_CASE(knows_that_it_stopped) {
  StopStrings stream({"abcde", "cd"});
  BOOST_TEST(stream.feed("abcd") == "");  // "abcde" would begin earlier
  BOOST_TEST(!stream.stopped());
  BOOST_TEST(stream.finish() == "ab");
  BOOST_TEST(stream.stopped());
}

BOOST_AUTO_TEST_CASE(a_thousand_stops) {
  std::vector<std::string> stops;
  for (int i = 0; i < 1000; ++i) stops.push_back("<" + std::to_string(i) + ">");
  BOOST_TEST(stream({"a<", "99", "9>b"}, stops) == "a");
  BOOST_TEST(stream({"a<", "99", "9"}, stops) == "a<999");
}

BOOST_AUTO_TEST_CASE(many_stops_and_a_long_text_take_the_time_of_reading_it) {
  std::vector<std::string> stops;
  std::string prefix;  // each stop goes on where the one before ends: many are begun all the time
  for (int i = 0; i < 1000; ++i) stops.push_back((prefix += 'a') + "b");
  const std::string text(1 << 20, 'a');
  StopStrings stream(stops);
  const test::CpuTime time;
  std::string shown;
  for (std::size_t at = 0; at < text.size(); at += 4) shown += stream.feed(text.substr(at, 4));
  BOOST_TEST(shown.size() == text.size() - 1000);
  BOOST_TEST(stream.feed("b").empty());
  BOOST_TEST(stream.stopped());
  BOOST_TEST(time.seconds() < test::limit(4.0));
}

BOOST_AUTO_TEST_CASE(an_empty_stop_is_refused) { BOOST_CHECK_THROW(StopStrings({"a", ""}), Error); }

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
