// Planted repetitions are found where they are, others not, in the time of reading the text.
#include "runtime/prompt/repeated_passages.h"

#include "tests/runtime/tokenizer/cpu_time.h"
#include "tests/runtime/tokenizer/seed.h"

#include <boost/test/unit_test.hpp>

#include <random>
#include <string>

namespace lamina {
namespace {

BOOST_AUTO_TEST_SUITE(passages)

BOOST_AUTO_TEST_CASE(a_passage_said_again) {
  const std::string passage = "one two three four five",
                    text = "a. " + passage + "! b, " + passage + "\nc " + passage + " d";
  const auto found = repeated_passages(text, 5);
  BOOST_TEST_REQUIRE(found.size() == 1u);
  BOOST_TEST(found[0].first == text.find(passage));
  BOOST_TEST(found[0].length == passage.size());
  BOOST_TEST(
      found[0].again == (std::vector<std::size_t>{text.find(passage, 10), text.rfind(passage)}),
      boost::test_tools::per_element());
  BOOST_TEST(repeated_passages(text, 6).empty());
  BOOST_TEST(repeated_passages("", 3).empty());
  BOOST_TEST(repeated_passages("a b", 3).empty());
}

BOOST_AUTO_TEST_CASE(white_space_does_not_count_but_marks_and_ideographs_do) {
  BOOST_TEST(repeated_passages("a b c d, a  b\nc\td", 4).size() == 1u);
  BOOST_TEST(repeated_passages("a, b, c; a. b. c", 3).empty());
  BOOST_TEST(repeated_passages("天地玄黃 天地玄黃", 4).size() == 1u);
  BOOST_TEST(repeated_passages("天地玄黃", 2).empty());
}

BOOST_AUTO_TEST_CASE(a_passage_does_not_overlap_its_repetition) {
  const auto found = repeated_passages("a a a a a a a", 3);
  BOOST_TEST_REQUIRE(found.size() == 1u);
  BOOST_TEST(found[0].length == 5u);
  BOOST_TEST(found[0].again == std::vector<std::size_t>{6}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_costliest_comes_first) {
  const auto found = repeated_passages("a b c x a b c yy ww zz k yy ww zz", 3);
  BOOST_TEST_REQUIRE(found.size() == 2u);
  BOOST_TEST(found[0].length == 8u);
  BOOST_TEST(found[1].length == 5u);
}

BOOST_AUTO_TEST_CASE(random_words_and_one_planted_passage) {
  std::mt19937 random(test::seed());
  for (int round = 0; round < 500; ++round) {
    auto words = [next = 0](std::size_t count) mutable {  // no word occurs twice
      std::string text;
      for (; count > 0; --count) text += "w" + std::to_string(next++) + " ";
      return text;
    };
    const std::size_t count = 1 + random() % 12;
    const std::string start = words(random() % 20), passage = words(count),
                      text = start + passage + words(random() % 20) + passage + words(random() % 9);
    const auto found = repeated_passages(text, 6);
    BOOST_TEST_REQUIRE(found.size() == (count < 6 ? 0u : 1u));
    if (found.empty()) continue;
    BOOST_TEST(found[0].first == start.size());
    BOOST_TEST(found[0].length == passage.size() - 1);
    BOOST_TEST_REQUIRE(found[0].again.size() == 1u);
    BOOST_TEST(found[0].again[0] == text.rfind(passage));
  }
}

BOOST_AUTO_TEST_CASE(long_texts_take_linear_time) {
  const test::CpuTime time;
  std::string all_different, all_same;
  for (int i = 0; i < 100000; ++i) {
    all_different += std::to_string(i) + " ";
    all_same += "same ";
  }
  BOOST_TEST(repeated_passages(all_different, 8).empty());
  BOOST_TEST(repeated_passages(all_same, 8).size() < 30u);
  BOOST_TEST(repeated_passages(all_different + all_different, 8).size() == 1u);
  BOOST_TEST(time.seconds() < test::limit(2.0));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
