// Every character's properties and cases against Python's str methods.
#include "runtime/chat_template/jinja/values/python_characters.h"

#include "runtime/unicode/utf8.h"
#include "tests/runtime/chat_template/python_script.h"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <map>
#include <string>

using namespace lamina;
using namespace lamina::jinja;

namespace {

std::string in_case(char32_t code, Case wanted) {
  std::string text;
  append_in_case(text, code, wanted);
  return text;
}

int flags_of(char32_t code) {
  return is_space(code) | is_letter(code) << 1 | is_decimal(code) << 2 | is_digit(code) << 3 |
         is_numeric(code) << 4 | is_printable(code) << 5 |
         ((is_upper(code) && !is_title(code)) << 6) | is_lower(code) << 7 | is_line_end(code) << 8;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unicode)

BOOST_AUTO_TEST_CASE(properties_and_cases_are_those_of_python) {
  const auto output = test::output_of_script("python_characters_oracle.py", "unicodedata");
  if (!output) return;
  const auto oracle = nlohmann::json::parse(*output);
  std::map<char32_t, std::array<std::string, 4>> cases;
  for (const auto& row : oracle["cases"]) {
    cases[row[0].get<char32_t>()] = {row[1], row[2], row[3], row[4]};
  }
  int compared = 0, other = 0;
  for (char32_t code = 0; code < 0x110000; ++code) {
    const int expected = oracle["flags"][code].get<int>();
    if (expected < 0) continue;
    ++compared;
    std::string same;
    append_utf8(same, code);
    const auto changed = cases.find(code);
    const std::array<std::string, 4> found = {
        in_case(code, Case::upper), in_case(code, Case::lower), in_case(code, Case::title),
        in_case(code, Case::fold)};
    for (std::size_t i = 0; i < 4; ++i) {
      const std::string& wanted = changed == cases.end() ? same : changed->second[i];
      if (found[i] != wanted && ++other < 9) {
        BOOST_TEST_MESSAGE(std::hex << static_cast<unsigned>(code) << ", case " << i);
      }
    }
    if (flags_of(code) != expected && ++other < 9) {
      BOOST_TEST_MESSAGE(std::hex << static_cast<unsigned>(code) << ": " << flags_of(code)
                                  << ", expected " << expected);
    }
  }
  // Two versions of Unicode differ in a few characters that exist in both.
  BOOST_TEST_MESSAGE(compared << " characters, " << other << " differ from Python's Unicode "
                              << oracle["version"]);
  BOOST_TEST(compared > 250000);
  BOOST_TEST(other < 60);
}

BOOST_AUTO_TEST_CASE(digits_of_any_script_have_their_value) {
  BOOST_TEST(decimal_value(U'7') == 7);
  BOOST_TEST(decimal_value(U'\u0663') == 3);      // Arabic
  BOOST_TEST(decimal_value(U'\U0001D7D8') == 0);  // the second ten of the mathematical digits
  BOOST_TEST(decimal_value(U'\U0001D7FF') == 9);
}

BOOST_AUTO_TEST_SUITE_END()
