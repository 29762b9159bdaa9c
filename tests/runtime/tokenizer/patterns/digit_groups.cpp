// Groups of digits against PCRE2 with the pattern that they stand for.
#include "runtime/tokenizer/patterns/digit_groups.h"

#include "runtime/tokenizer/patterns/text_pattern.h"
#include "tests/runtime/tokenizer/cpu_time.h"
#include "tests/runtime/tokenizer/seed.h"

#include <boost/test/unit_test.hpp>

#include <random>
#include <string>
#include <vector>

using namespace lamina;

namespace {

constexpr const char* patterns[] = {R"(\d{1,3}(?=(?:\d{3})*\b))",
                                    R"(\p{N}{1,3}(?=(?:\p{N}{3})*(?!\p{N})))",
                                    R"((?=(\d{3})+(?!\d)))"};

std::string pieces(std::string_view pattern, std::string_view text) {
  std::vector<std::size_t> ends;
  find_digit_groups(pattern)(text, 0, ends);
  std::string out;
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    if (begin > 0) out += '|';
    out += text.substr(begin, end - begin);
    begin = end;
  }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(digit_groups)

BOOST_AUTO_TEST_CASE(digits_are_grouped_from_the_right) {
  BOOST_TEST(pieces(patterns[0], "1234567 1234x 12") == "1|234|567| 1234x |12");
  BOOST_TEST(pieces(patterns[1], "1234567 1234x ½12") == "1|234|567| |1|234|x |½12");
  BOOST_TEST(pieces(patterns[2], "a1234567b123") == "a1|234|567b|123");
  BOOST_TEST(pieces(patterns[2], "").empty());
  BOOST_TEST((find_digit_groups(R"(\d{1,3})") == nullptr));
}

BOOST_AUTO_TEST_CASE(groups_are_those_of_pcre2) {
  static const char* const some[] = {"1", "1", "12", "345",    "٣", "½",  "²", "Ⅷ", "③",
                                     "a", "_", " ",  "\u0301", "Ⓐ", "中", ".", "\n"};
  std::mt19937 random(test::seed());
  for (const char* pattern : patterns) {
    const PatternSearch search({.text = pattern, .regex = true});
    int wrong = 0;
    for (int i = 0; i < 20000; ++i) {
      std::string text;
      for (auto count = 1 + random() % 12; count > 0; --count)
        text += some[random() % std::size(some)];
      std::vector<std::size_t> ends;
      find_digit_groups(pattern)(text, 7, ends);
      std::vector<std::size_t> expected;
      for (const PatternSpan& span : search.spans(text)) {
        if (span.end > span.begin) expected.push_back(7 + span.end);
      }
      wrong += ends != expected;
    }
    BOOST_TEST(wrong == 0, wrong << " texts differ for " << pattern);
  }
}

BOOST_AUTO_TEST_CASE(a_long_number_takes_linear_time) {
  for (const char* pattern : patterns) {
    const std::string number(4000000, '1');
    const test::CpuTime time;
    std::vector<std::size_t> ends;
    find_digit_groups(pattern)(number, 0, ends);
    BOOST_TEST(ends.size() == (number.size() + 2) / 3);
    BOOST_TEST(time.seconds() < test::limit(1.0));
  }
}

BOOST_AUTO_TEST_SUITE_END()
