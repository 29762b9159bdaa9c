// `lamina template` from outside.
#include "tests/runtime/tools/run_program.h"

#include <boost/test/unit_test.hpp>

#include <string>

namespace lamina {
namespace {

using test::Outcome;
using test::Program;

BOOST_AUTO_TEST_SUITE(template_tool)

const std::string prompt =
    "{% for m in messages %}<{{ m.role }}>{{ m.content }}\n{% endfor %}"
    "{{ bos_token }}{{ tools }}{{ mood }}{{ strftime_now('%d %b %Y') }}"
    "{{ '>' if add_generation_prompt }}\n";

BOOST_AUTO_TEST_CASE(a_prompt_is_printed_as_it_is) {
  const Program lamina;
  const std::string file = lamina.folder().write("t.jinja", prompt).string();
  const std::string given =
      lamina.folder()
          .write("case.json", R"({"messages": [{"role": "user", "content": "é <|x|>"}],
                  "tools": null, "add_generation_prompt": true, "bos_token": "<s>",
                  "kwargs": {"mood": "good"}, "now": "2026-11-29T12:34:56"})")
          .string();
  const Outcome outcome = lamina({"template", file, given});
  BOOST_TEST(outcome.code == 0, outcome.err);
  BOOST_TEST(outcome.out == "<user>é <|x|>\n<s>Nonegood29 Nov 2026>");
  const Outcome parts = lamina({"template", file, given, "--output", "json"});
  const auto json = test::Json::parse(parts.out);
  BOOST_TEST(json["text"] == outcome.out);
  BOOST_TEST(json["parts"][1]["text"] == "é <|x|>");
  BOOST_TEST(json["parts"][1]["from_user"] == true);
  BOOST_TEST(json["parts"][0]["from_user"] == false);
}

BOOST_AUTO_TEST_CASE(a_case_of_a_list_is_picked_by_name) {
  const Program lamina;
  const std::string file = lamina.folder().write("t.jinja", "{{ messages[0] }}").string();
  const std::string cases = lamina.folder()
                                .write("cases.json", R"([{"name": "a", "messages": ["x"]},
                                                         {"name": "b", "messages": ["y"]}])")
                                .string();
  BOOST_TEST(lamina({"template", file, cases, "--case", "b"}).out == "y");
  BOOST_TEST(lamina({"template", file, cases}).code == 2);
  const Outcome unknown = lamina({"template", file, cases, "--case", "c"});
  BOOST_TEST(unknown.code == 2);
  BOOST_TEST(unknown.err.find("a, b") != std::string::npos, unknown.err);
}

BOOST_AUTO_TEST_CASE(what_the_template_refuses_is_an_error_with_its_words) {
  const Program lamina;
  const auto fails = [&](const std::string& text, const std::string& given) {
    const std::string file = lamina.folder().write("t.jinja", text).string();
    const Outcome outcome =
        lamina({"template", file, lamina.folder().write("case.json", given).string()});
    BOOST_TEST(outcome.code == 1, text);
    BOOST_TEST(outcome.out.empty(), text);
    return outcome.err;
  };
  const auto contains = [](const std::string& text, const std::string& part) {
    BOOST_TEST(text.find(part) != std::string::npos, text);
  };
  contains(fails("a{{ raise_exception('Roles must alternate') }}", R"({"messages": []})"),
           "error: Roles must alternate\n");
  contains(fails("a\n{{ b.c }}", R"({"messages": []})"), "t.jinja, line 2: 'b' is undefined");
  contains(fails("{% if %}", R"({"messages": []})"), "t.jinja, line 1");
  contains(fails("", R"({"messages": [], "kwargs": {"messages": 1}})"), "'messages'");
  contains(fails("", R"({"messages": [], "now": "today"})"), "'today'");
  contains(fails("", R"({"tools": []})"), "messages");
  contains(fails("", "{"), "is no JSON");
  BOOST_TEST(lamina({"template", "t.jinja"}).code == 2);
  BOOST_TEST(lamina({"template", "missing.jinja", "case.json"}).code == 1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
