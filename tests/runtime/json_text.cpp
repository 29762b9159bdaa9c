// Where a mistake in JSON is, compared with what an editor says of the same text.
#include "runtime/json_text.h"

#include "message_of.h"

#include <boost/test/unit_test.hpp>

namespace lamina {
namespace {

using Json = nlohmann::ordered_json;

std::string mistake(const std::string& text) {
  return test::message_of([&] { parse_ordered_json(text, "--tools f.json"); });
}

BOOST_AUTO_TEST_SUITE(json_text)

BOOST_AUTO_TEST_CASE(what_is_json) {
  BOOST_TEST(parse_ordered_json(R"({"b": 1, "a": [true, null, "\u00e4"]})", "f").dump() ==
             R"({"b":1,"a":[true,null,"ä"]})");
  BOOST_TEST(parse_ordered_json("\xEF\xBB\xBF 7\n", "f") == 7);  // a byte order mark may precede
  BOOST_TEST(parse_ordered_json(std::string(100, '[') + std::string(100, ']'), "f").is_array());
}

BOOST_AUTO_TEST_CASE(mistakes_have_a_place) {
  for (const auto& [text, said] : std::vector<std::pair<std::string, std::string>>{
           {"", "there is nothing in it"},
           {" \n ", "there is nothing in it"},
           {"[{", "it ends too early"},
           {"\"abc", "it ends too early"},
           {"{'a': 1}", "line 1, column 2: ''', which cannot stand there"},
           {"[1,\n 2,\n]", "line 3, column 1: ']', which cannot stand there"},
           {"{\"ä😀\": x}", "line 1, column 8: 'x', which cannot stand there"},
           {"[] []", "line 1, column 4: '[', which"},
           {"[1 é]", "line 1, column 4: 'é', which cannot stand there"},
           {"[\"a\nb\"]", "line 1, column 4: a control character or the end of the line"},
           {"\n[\"\xFF\"]", "line 2, column 3: bytes that are no UTF-8"},
           {"[\"\xE2\x82\"]", "line 1, column 3: bytes that are no UTF-8"},
           {"[1e999]", "a number is too large"},
       }) {
    BOOST_TEST(
        mistake(text) == "--tools f.json: this is no JSON: " + said +
                             mistake(text).substr(std::min(mistake(text).size(), said.size() + 33)),
        text << ": " << mistake(text));
    BOOST_TEST(!test::contains(mistake(text), "json.exception"));
    BOOST_TEST(!test::contains(mistake(text), "parse error"));
  }
}

BOOST_AUTO_TEST_CASE(deep_nesting) {
  BOOST_TEST(mistake(std::string(100000, '[')) ==
             "--tools f.json: lists and objects lie more than 100 deep in each other");
  BOOST_TEST(test::contains(mistake(std::string(101, '[')), "more than 100 deep"));
}

BOOST_AUTO_TEST_CASE(kinds) {
  BOOST_TEST(json_kind(Json::object()) == "an empty object");
  BOOST_TEST(json_kind({{"a", 1}}) == "an object");
  BOOST_TEST(json_kind(Json::array()) == "an empty list");
  BOOST_TEST(json_kind(Json::array({1})) == "a list");
  BOOST_TEST(json_kind("a\x01") == "the text 'a\\x01'");
  BOOST_TEST(json_kind(1.5) == "the number 1.5");
  BOOST_TEST(json_kind(nullptr) == "null");
  BOOST_TEST(json_kind(true) == "true");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
