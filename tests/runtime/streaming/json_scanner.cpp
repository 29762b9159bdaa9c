// Values and what is none, against another parser, at every place where they could end.
#include "runtime/streaming/json_scanner.h"

#include "tests/runtime/tokenizer/seed.h"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <random>
#include <string>
#include <vector>

namespace lamina {
namespace {

using Step = JsonScanner::Step;

/// Bytes up to where the value ends, `inside` of it or not at all.
std::string taken(std::string_view text) {
  JsonScanner scanner;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const Step step = scanner.feed(text[i]);
    const std::string before(text.substr(0, i));
    if (step == Step::last) return before + text[i];
    if (step == Step::after) return before;
    if (step == Step::wrong) return before + "?";
  }
  return std::string(text) + (scanner.complete() ? "" : "...");
}

BOOST_AUTO_TEST_SUITE(json_scanner)

BOOST_AUTO_TEST_CASE(a_value_ends_where_it_ends) {
  BOOST_TEST(taken(R"({"a": [1, {}]} x)") == R"({"a": [1, {}]})");
  BOOST_TEST(taken(R"("a\"b" x)") == R"("a\"b")");
  BOOST_TEST(taken("12, 3") == "12");
  BOOST_TEST(taken("-0.5e+3]") == "-0.5e+3");
  BOOST_TEST(taken("12") == "12");
  BOOST_TEST(taken("1e") == "1e...");
  BOOST_TEST(taken("truex") == "true");
  BOOST_TEST(taken("01") == "0");
  BOOST_TEST(taken("{\"a\" 1}") == "{\"a\" ?");
  BOOST_TEST(taken("[1,]") == "[1,?");
  BOOST_TEST(taken("[1}") == "[1?");
  BOOST_TEST(taken("\"\n\"") == "\"?");
  BOOST_TEST(taken(R"("\ud83c\udf0d")") == R"("\ud83c\udf0d")");
  for (const char* wrong : {R"("\udf0d")", R"("\ud83cx")", R"("\ud83c\n")", "\"\\ud83c\\u0041\""})
    BOOST_TEST(!is_json(wrong));
  BOOST_TEST(is_json_object(" {} "));
  BOOST_TEST(!is_json_object("[{}]"));
  BOOST_TEST(!is_json_object("{} {}"));
  BOOST_TEST(!is_json(""));
}

BOOST_AUTO_TEST_CASE(depth_is_bounded) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  BOOST_TEST(is_json(nested(256)));
  BOOST_TEST(!is_json(nested(257)));
}

BOOST_AUTO_TEST_CASE(accepts_what_another_parser_accepts) {
  std::mt19937 random(test::seed());
  const auto draw = [&](std::size_t below) { return random() % below; };
  const std::vector<std::string> parts = {"{",
                                          "}",
                                          "[",
                                          "]",
                                          ",",
                                          ":",
                                          "\"",
                                          "\"a\"",
                                          "\"a\":",
                                          "0",
                                          "1",
                                          "-",
                                          ".5",
                                          "e2",
                                          "E+1",
                                          "true",
                                          "null",
                                          "fals",
                                          "e",
                                          " ",
                                          "\n",
                                          "\\",
                                          "\\u00e9",
                                          "\\ud83c",
                                          "\\udf0d",
                                          "\\n",
                                          "é",
                                          "\t",
                                          "{}",
                                          "[1,2]",
                                          "\"x\": {\"y\": [null]}"};
  int accepted = 0;
  for (int round = 0; round < 200000; ++round) {
    std::string text;
    for (std::size_t i = 1 + draw(7); i > 0; --i) text += parts[draw(parts.size())];
    const bool expected = nlohmann::json::accept(text);
    accepted += expected ? 1 : 0;
    BOOST_REQUIRE_MESSAGE(is_json(text) == expected, text);
  }
  BOOST_TEST(accepted > 1000);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
