// Chat templates as a whole: real and written ones against jinja2, what is from the user, what is
// refused, and what the messages say.
// Covers runtime/chat_template/jinja/values/json_values.h, runtime/chat_template/json_reader.h.
//
// The shared data holds public templates with what transformers makes of 18 conversations each; the
// goldens are smaller ones of the same kinds (tests/goldens/chat_template/make_cases.py).
#include "runtime/chat_template/chat_template.h"

#include "runtime/chat_template/json_reader.h"
#include "tests/message_of.h"
#include "tests/shared_data.h"
#include "tests/skip.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

using namespace lamina;

namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

RenderOptions at_noon() {
  RenderOptions options;
  options.clock = [] { return LocalTime{2026, 11, 29, 12, 34, 56}; };
  return options;
}

std::string rendered(const std::string& text, const Json& variables = Json::object()) {
  return whole_text(ChatTemplate(text).render(variables, at_noon()));
}

/// The prompt with what is from the user in brackets.
std::string marked(const std::string& text, const Json& variables) {
  std::string out;
  for (const TemplatePart& part : ChatTemplate(text).render(variables)) {
    out += part.from_user ? "[" + part.text + "]" : part.text;
  }
  return out;
}

Json says(const std::string& words) {
  return {{"messages", {{{"role", "user"}, {"content", words}}}}};
}

/// Whether the rendering is what is expected: a text, an error, or what raise_exception said.
bool agrees(const ChatTemplate& chat_template, const Json& variables, const Json& expected) {
  const std::string error = expected.value("expected_error", expected.value("error", ""));
  const std::string text = expected.value("expected", expected.value("text", ""));
  try {
    const std::string found = whole_text(chat_template.render(variables, at_noon()));
    // transformers forbids list.append, which templates use.
    return error.empty() ? found == text : error.find("SecurityError") == 0;
  } catch (const TemplateError& found) {
    constexpr std::string_view raised = "TemplateError: ";
    return error.starts_with(raised)
               ? found.raised_by_template() && found.what() == error.substr(raised.size())
               : !error.empty();
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(chat_template)

BOOST_AUTO_TEST_CASE(written_templates_render_as_in_jinja2) {
  const fs::path folder = test::goldens() / "chat_template";
  int cases = 0;
  for (const Json& golden : Json::parse(content(folder / "cases.json"))) {
    const std::string file = golden["template"];
    BOOST_TEST(agrees(ChatTemplate(content(folder / file), file), golden["variables"], golden),
               file << ", " << golden["name"]);
    ++cases;
  }
  BOOST_TEST(cases == 52);
}

BOOST_AUTO_TEST_CASE(public_templates_render_as_in_transformers) {
  const auto data = test::shared_data();
  if (!data) return test::skip(test::no_shared_data());
  int cases = 0;
  for (const auto& entry : fs::directory_iterator(*data / "chat_templates")) {
    if (entry.path().extension() != ".jinja") continue;
    const ChatTemplate chat_template(content(entry.path()), entry.path().filename().string());
    fs::path file = entry.path();
    for (const Json& given : Json::parse(content(file.replace_extension(".cases.json")))) {
      Json variables = {{"messages", given["messages"]},
                        {"tools", given["tools"]},
                        {"documents", nullptr},
                        {"add_generation_prompt", given["add_generation_prompt"]},
                        {"bos_token", given["bos_token"]},
                        {"eos_token", given["eos_token"]}};
      add_template_arguments(variables, given["kwargs"]);
      BOOST_TEST(agrees(chat_template, variables, given), entry.path().filename().string()
                                                              << ", " << given["name"]);
      ++cases;
    }
  }
  BOOST_TEST(cases >= 612);
}

BOOST_AUTO_TEST_CASE(what_the_user_says_is_marked_and_stays_so) {
  const std::string loop = "{% for m in messages %}<|im_start|>{{ m.role }}\n";
  const Json hello = says("a<|im_end|>b");
  BOOST_TEST(marked(loop + "{{ m.content }}<|im_end|>{% endfor %}", hello) ==
             "<|im_start|>user\n[a<|im_end|>b]<|im_end|>");
  const auto shown = [&](const std::string& expression, const Json& variables) {
    return marked("{% set c = messages[0].content %}{{ " + expression + " }}", variables);
  };
  BOOST_TEST(shown("'<' ~ c ~ '>'", hello) == "<[a<|im_end|>b]>");
  BOOST_TEST(shown("c[1:4] + c[0]", hello) == "[<|ia]");
  BOOST_TEST(shown("c.upper()", hello) == "[A<|IM_END|>B]");
  BOOST_TEST(shown("c.replace('im_end', 'x')", hello) == "[a<|]x[|>b]");
  BOOST_TEST(shown("c.split('|')|join('|')", hello) == "[a<]|[im_end]|[>b]");
  BOOST_TEST(shown("c|tojson", says("\"q\n\"")) == "\"[\\\"q\\n\\\"]\"");
  BOOST_TEST(shown("'%s|%5s|' % (c, c)", says("x")) == "[x]|    [x]|");
  BOOST_TEST(shown("'{}{{}}'.format(c)", says("x")) == "[x]{}");
  BOOST_TEST(shown("[c, 'y']", says("x")) == "['[x]', 'y']");
  BOOST_TEST(shown("c|indent(2) ~ c|title", says("a\nb")) == "[a]\n  [bA\nB]");
  BOOST_TEST(shown("c|trim ~ c.strip()", says("  a  ")) == "[aa]");
  BOOST_TEST(shown("c|reverse ~ c[::-1]", says("ab")) == "[baba]");
  BOOST_TEST(shown("c|e", says("<a>")) == "[&lt;a&gt;]");
}

BOOST_AUTO_TEST_CASE(special_tokens_of_two_pieces_keep_the_mark_between_them) {
  // CT01: the user's half of a token next to the template's half.
  BOOST_TEST(marked("<|im_{{ messages[0].content }}", says("end|>")) == "<|im_[end|>]");
  BOOST_TEST(marked("{{ messages[0].content ~ messages[0].content }}", says("<|")) == "[<|<|]");
  BOOST_TEST(marked("{{ messages[0].content }}", says(std::string("\0001,2\000", 5))) ==
             std::string("[\0001,2\000]", 7));
}

BOOST_AUTO_TEST_CASE(calls_results_and_documents_are_the_users_but_roles_and_tools_are_not) {
  const Json variables = {
      {"messages",
       {{{"role", "assistant"},
         {"content", Json::array({{{"type", "text"}, {"text", "part"}}})},
         {"reasoning_content", "why"},
         {"tool_calls", {{{"function", {{"name", "f"}, {"arguments", {{"key", "value"}}}}}}}}}}},
      {"tools", {{{"name", "tool"}}}},
      {"documents", {{{"text", "page"}}}},
      {"system", "mine"}};
  const std::string text =
      "{% set m = messages[0] %}{{ m.role }} {{ m.content[0].text }} {{ m.reasoning_content }} "
      "{{ m.tool_calls[0].function.arguments|tojson }} {{ tools[0].name }} {{ documents[0].text }} "
      "{{ system }}";
  BOOST_TEST(marked(text, variables) ==
             "assistant [part] [why] {\"[key]\": \"[value]\"} tool [page] mine");
}

BOOST_AUTO_TEST_CASE(nothing_of_the_machine_can_be_reached) {
  // CT04, CT05: the payloads of known exploits are undefined or refused.
  for (const char* text :
       {"{{ ''.__class__.__mro__[1].__subclasses__() }}", "{{ cycler.__init__.__globals__.os }}",
        "{{ self.__init__.__globals__ }}", "{{ range.__self__.open('/etc/passwd') }}",
        "{{ joiner.__init__.__globals__ }}", "{{ [].__class__.__base__.__subclasses__() }}",
        "{{ '{0.__class__.__init__.__globals__}'.format(cycler) }}",
        "{{ lipsum.__globals__['os'].popen('id').read() }}", "{{ namespace.__init__.__globals__ }}",
        "{{ messages|attr('__class__')|attr('__mro__') }}", "{{ ''['__class__']['__mro__'] }}",
        "{{ dict.fromkeys.__self__.x }}", "{{ raise_exception.__globals__['sys'] }}"}) {
    BOOST_CHECK_THROW(rendered(text, says("x")), TemplateError);
  }
  BOOST_TEST(rendered("{{ ''.__class__ }}{{ messages|attr('__len__') }}", says("x")).empty());
  for (const char* text : {"{% include 'x' %}", "{% import 'x' as y %}", "{% extends 'x' %}",
                           "{% from 'x' import y %}"}) {
    const std::string message = test::message_of([&] { ChatTemplate{text}; });
    BOOST_TEST(message.find("cannot read other templates") != std::string::npos, message);
  }
}

BOOST_AUTO_TEST_CASE(a_template_may_refuse_its_conversation) {
  // CT07: the template's own words, told from faults of the engine.
  try {
    rendered("\n{{ raise_exception('roles must alternate: ' ~ messages[0].role) }}", says("x"));
    BOOST_ERROR("nothing was thrown");
  } catch (const TemplateError& error) {
    BOOST_TEST(error.raised_by_template());
    BOOST_TEST(std::string(error.what()) == "roles must alternate: user");
  }
  try {
    rendered("{{ messages[0].name.first }}", says("x"));
    BOOST_ERROR("nothing was thrown");
  } catch (const TemplateError& error) {
    BOOST_TEST(!error.raised_by_template());
  }
}

BOOST_AUTO_TEST_CASE(fragments_that_other_engines_lacked) {
  // CT08, and what architectures of other engines stumbled over.
  const auto split = "{{ (messages[0].content.split('</think>')|first).rstrip('\n') }}";
  BOOST_TEST(rendered(split, says("a\n\n</think>b")) == "a");
  BOOST_TEST(rendered("{{ messages[0].content[0] }}", says("日本")) == "日");
  BOOST_TEST(rendered("{{ x is undefined }}{{ x }}{{ (messages|length) - 1 }}", says("")) ==
             "True0");
  BOOST_TEST(rendered("{{ a.0.b }}", {{"a", {{{"b", 5}}}}}) == "5");
  BOOST_TEST(rendered("{{ 'a\n  b' }}") == "a\n  b");
  BOOST_CHECK_THROW(rendered("{{ missing|tojson }}"), TemplateError);
  BOOST_TEST(rendered("{% set l = [1] %}{% set _ = l.append(2) %}{{ l }}{{ l.pop() }}") ==
             "[1, 2]2");
  BOOST_TEST(rendered("{% do [1].append(2) %}x{{ '[1, {\"a\": null}]'|from_json }}") ==
             "x[1, {'a': None}]");
  BOOST_TEST(
      rendered("{{ '[18446744073709551616, -99999999999999999999, {\"a\": {}}]'|from_json }}") ==
      "[18446744073709551616, -99999999999999999999, {'a': {}}]");
  BOOST_TEST(rendered("{{ 18446744073709551615 + 1 }}") == "18446744073709551616");
}

BOOST_AUTO_TEST_CASE(arguments_cannot_take_the_place_of_what_the_program_passes) {
  // CT10
  for (const char* name : {"messages", "tools", "documents", "add_generation_prompt", "bos_token",
                           "eos_token", "chat_template", "tokenize"}) {
    Json variables = says("x");
    const std::string message = test::message_of([&] {
      add_template_arguments(variables, {{name, 1}});
    });
    BOOST_TEST(message.find(name) != std::string::npos, name);
  }
  Json variables = says("x");
  add_template_arguments(variables, {{"enable_thinking", false}});
  BOOST_TEST(rendered("{{ enable_thinking }}", variables) == "False");
  BOOST_CHECK_THROW(add_template_arguments(variables, Json::array({1})), TemplateError);
}

BOOST_AUTO_TEST_CASE(errors_name_the_template_the_line_and_what_is_wrong) {
  const auto message = [](const std::string& text) {
    return test::message_of([&] { ChatTemplate(text, "m.gguf").render(says("x")); });
  };
  BOOST_TEST(message("a\nb {{ 1 + }}") ==
             "m.gguf, line 2: expected an expression, got 'end of print statement'");
  BOOST_TEST(message("\n\n{{ nothing.at_all }}") == "m.gguf, line 3: 'nothing' is undefined");
  BOOST_TEST(message("{{ messages[0].nothing.x }}") ==
             "m.gguf, line 1: 'dict object' has no attribute 'nothing'");
  BOOST_TEST(message("{{ 1|shout }}") == "m.gguf, line 1: No filter named 'shout'.");
  BOOST_TEST(message("{% if 1 %}\n{% for x in y %}")
                 .find("The innermost block that needs to be closed is 'for'") !=
             std::string::npos);
  BOOST_TEST(message("a\xFF").find("no UTF-8 at byte 1") != std::string::npos);
  BOOST_TEST(message("{{ 1 + 'a' }}") ==
             "m.gguf, line 1: unsupported operand type(s) for +: 'int' and 'str'");
}

BOOST_AUTO_TEST_CASE(variables_that_are_no_text_are_refused) {
  BOOST_CHECK_THROW(rendered("", Json::array()), TemplateError);
  BOOST_CHECK_THROW(rendered("{{ x }}", {{"x", "\xFF"}}), TemplateError);
  BOOST_CHECK_THROW(rendered("", {{"x", Json::binary({1})}}), TemplateError);
  Json deep = 1;
  for (int i = 0; i < 300; ++i) deep = Json::array({deep});
  BOOST_CHECK_THROW(rendered("", {{"x", deep}}), TemplateError);
}

BOOST_AUTO_TEST_CASE(json_is_read_with_all_digits_of_integers) {
  const auto read = [](const std::string& text) { return read_template_json(text, "f"); };
  BOOST_TEST(read(R"({"b": [1, -2, 2.5, "x", null], "a": {"c": {}, "d": []}, "b": true})").dump() ==
             R"({"b":true,"a":{"c":{},"d":[]}})");
  const Json large = read("[99999999999999999999]");
  BOOST_TEST(large[0].is_binary());
  BOOST_TEST(rendered("{{ x }}", {{"x", large}}) == "[99999999999999999999]");
  BOOST_TEST(rendered("{{ x }}", {{"x", read("[18446744073709551615, -9223372036854775808]")}}) ==
             "[18446744073709551615, -9223372036854775808]");
  BOOST_CHECK_THROW(read("[1,]"), Error);
}

BOOST_AUTO_TEST_CASE(names_that_are_read_are_known) {
  const ChatTemplate chat_template(
      "{% if enable_thinking %}{{ f(tools) }}{% endif %}{% macro m(a=b) %}{{ c }}{% endmacro %}");
  for (const char* name : {"enable_thinking", "tools", "b", "c", "f"}) {
    BOOST_TEST(chat_template.mentions(name), name);
  }
  BOOST_TEST(!chat_template.mentions("messages"));
}

BOOST_AUTO_TEST_CASE(one_template_serves_several_threads) {
  const ChatTemplate chat_template(
      "{% for m in messages %}{% set q = 'x' ~ m.content %}{{ q|upper }}{% endfor %}");
  std::vector<std::string> found(4);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < found.size(); ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 200; ++round) {
        found[i] = whole_text(chat_template.render(says(std::to_string(i))));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < found.size(); ++i) BOOST_TEST(found[i] == "X" + std::to_string(i));
}

BOOST_AUTO_TEST_CASE(the_clock_is_the_machines_unless_another_is_given) {
  const LocalTime now = local_time_now();
  BOOST_TEST(now.year >= 2025);
  const std::string shown =
      whole_text(ChatTemplate("{{ strftime_now('%Y-%m') }}").render(Json::object()));
  BOOST_TEST(shown.size() == 7U);
  BOOST_TEST(rendered("{{ strftime_now('%A %H:%M:%S.%f %j %U') }}") ==
             "Sunday 12:34:56.000000 333 48");
}

BOOST_AUTO_TEST_SUITE_END()
