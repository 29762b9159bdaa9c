// `lamina template` from outside.
#include "tests/runtime/tools/run_program.h"

#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>
#include <vector>

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
  contains(fails("x", R"({"messages": [], "now": "today"})"), "\"now\" is the text 'today'");
  contains(fails("x", R"({"messages": [], "now": 5})"), "\"now\" is the number 5; expected a time");
  BOOST_TEST(lamina({"template", "t.jinja"}).code == 2);
  BOOST_TEST(lamina({"template", "missing.jinja", "case.json"}).code == 1);
}

BOOST_AUTO_TEST_CASE(files_that_hold_no_case_are_named_with_what_they_hold) {
  const Program lamina;
  const std::string file = lamina.folder().write("t.jinja", "x").string();
  for (const auto& [given, said] : std::vector<std::pair<std::string, std::string>>{
           {"", "there is nothing in it"},
           {"{", "it ends too early"},
           {"{\"messages\": [],\n x}", "line 2, column 2: 'x'"},
           {"[]", "found an empty list; expected a case, an object such as"},
           {"7", "found the number 7; expected a case"},
           {R"([{"messages": []}, 3])", "case 2 of 2 is the number 3; expected an object"},
           {R"({"tools": []})", "found no \"messages\"; expected a list \"messages\""},
           {R"({"messages": "x"})", "found as \"messages\" the text 'x'"},
           {R"({"messages": [], "kwargs": [1]})", "\"kwargs\" is a list; expected an object"},
           {R"({"messages": [1e999]})", "the number '1e999' is too large"},
           {R"({"messages": ["\ud83d\ude00 \uD800 x"]})", "the escape \\uD800, half of a pair"},
           {R"({"messages": ["\udc00"]})", "the escape \\udc00, half of a pair"},
           {"{\"messages\": [\"\\ud83d\\ude00\n\"]}", "line 1, column 28: a control character"},
           {R"({"messages": ["\ud83d\ude00\x"]})", "which cannot stand there"},
           {std::string(1000, '['), "more than 100 deep"}}) {
    const std::string path = lamina.folder().write("case.json", given).string();
    const Outcome outcome = lamina({"template", file, path});
    BOOST_TEST(outcome.code == 1, given);
    BOOST_TEST(outcome.out.empty(), given);
    BOOST_TEST(outcome.err.find("error: " + path + ": ") == 0U, outcome.err);
    BOOST_TEST(outcome.err.find(said) != std::string::npos, outcome.err);
    BOOST_TEST(outcome.err.find("exception") == std::string::npos, outcome.err);
  }
  const std::string folder = lamina.folder().path().string();
  const std::string one = lamina.folder().write("case.json", R"({"messages": []})").string();
  for (const Outcome& outcome :
       {lamina({"template", file, folder}), lamina({"template", folder, one})}) {
    BOOST_TEST(outcome.code == 1);
    BOOST_TEST(outcome.err.find(folder + ": is a directory") != std::string::npos, outcome.err);
  }
  BOOST_TEST(lamina({"template", file, one, "--case", "a"}).code == 2);
}

BOOST_AUTO_TEST_CASE(slips_are_warned_of_and_rendered) {
  const Program lamina;
  const std::string text = "{% for m in messages %}{{ m.role }}{{ 'narrator' }}{% endfor %}{{ a }}";
  const std::string file = lamina.folder().write("t.jinja", text).string();
  const auto rendered = [&](const std::string& given) {
    return lamina({"template", file, lamina.folder().write("case.json", given).string()});
  };
  const Outcome fine = rendered(
      R"({"messages": [{"role": "user"}, {"role": "narrator"}, {"role": "tool"}], "name": "n",
          "kwargs": {"a": 1}, "expected": "x"})");
  BOOST_TEST(fine.code == 0);
  BOOST_TEST(fine.err.empty(), fine.err);
  const Outcome slips =
      rendered(R"({"messages": [{"role": "usr"}, {"content": "x"}, 5], "enable_thinking": true})");
  BOOST_TEST(slips.code == 0, slips.err);
  BOOST_TEST(slips.out == "usrnarratornarratornarrator");
  for (const char* said : {"the key 'enable_thinking' is ignored", "message 1 has the role 'usr'",
                           "message 2 is an object without a role", "message 3 is the number 5"}) {
    BOOST_TEST(slips.err.find(said) != std::string::npos, slips.err);
  }
  lamina.folder().write("t.jinja", "");
  const Outcome empty = rendered(R"({"messages": []})");
  BOOST_TEST(empty.code == 0);
  BOOST_TEST(empty.err.find("t.jinja is empty") != std::string::npos, empty.err);
}

BOOST_AUTO_TEST_CASE(integers_of_a_case_keep_their_digits) {
  const Program lamina;
  const std::string file =
      lamina.folder()
          .write("t.jinja", "{{ a }} {{ b + 1 }} {{ messages }} {{ a|tojson }}")
          .string();
  const Outcome outcome =
      lamina({"template", file,
              lamina.folder()
                  .write("case.json", R"([{"messages": [-123456789012345678901234567890, 1e2],
                "kwargs": {"a": 18446744073709551616, "b": 18446744073709551615}}])")
                  .string()});
  BOOST_TEST(outcome.out ==
                 "18446744073709551616 18446744073709551616 "
                 "[-123456789012345678901234567890, 100.0] 18446744073709551616",
             outcome.err);
  const Outcome large =
      lamina({"template", file,
              lamina.folder()
                  .write("case.json", R"({"messages": [1234567890123456789012345678901234567890]})")
                  .string()});
  BOOST_TEST(large.code == 1);
  BOOST_TEST(large.err.find("'1234567890123456789012345678901234567890'") != std::string::npos,
             large.err);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
