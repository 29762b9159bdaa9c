// `lamina chat` from outside, with a model of 61 tokens and a template of letters.
// Covers runtime/tools/chat_session.h and runtime/tools/chat_commands.h.
// Covers runtime/tools/chat_settings.h.
#include "message_of.h"
#include "runtime/environment.h"
#include "runtime/model_catalog.h"
#include "skip.h"
#include "tests/runtime/tools/run_program.h"

#include <algorithm>

namespace lamina {
namespace {

using test::Arguments;
using test::contains;
using test::Json;
using test::Outcome;
using test::operator+;

/// The program with its toy model and a template that the model's vocabulary can spell.
struct ChatProgram : test::Program {
  ChatProgram() {
    folder().write("chat.jinja",
                   "{% for m in messages %}{{ m.role }} {{ m.content }}<end>{% endfor %}"
                   "{% if add_generation_prompt %}assistant {% endif %}");
  }

  Arguments command(const Arguments& more = {}) const {
    return Arguments{"chat", model(), "--chat-template", "chat.jinja", "--greedy", "-n", "8"} +
           more;
  }
  Outcome talk(const std::string& lines, const Arguments& more = {}) const {
    return (*this)(command(more), lines);
  }
  /// The objects printed, one a line.
  std::vector<Json> objects(const std::string& lines, const Arguments& more = {}) const {
    const Outcome outcome = talk(lines, more + Arguments{"--output", "json"});
    BOOST_TEST_REQUIRE(outcome.code == 0, outcome.err);
    std::vector<Json> all;
    std::istringstream stream(outcome.out);
    for (std::string line; std::getline(stream, line);) all.push_back(Json::parse(line));
    return all;
  }
  Json saved(const std::string& name = "saved.json") const {
    return Json::parse(test::content(folder().path() / name));
  }
  void fails(int code, const std::string& lines, const Arguments& more,
             const std::string& said) const {
    const Outcome outcome = talk(lines, more);
    BOOST_TEST(outcome.code == code, outcome.err);
    BOOST_TEST(contains(outcome.err, said), outcome.err << "\nexpected: " << said);
  }
};

BOOST_AUTO_TEST_SUITE(chat)

BOOST_AUTO_TEST_CASE(a_script_and_questions_of_the_command_line) {
  const ChatProgram lamina;
  const auto objects = lamina.objects("hello there\nand then\n");
  BOOST_TEST_REQUIRE(objects.size() == 2u);
  std::string expected;
  for (const Json& one : objects) {
    BOOST_TEST(one["role"] == "assistant");
    expected += one["content"].get<std::string>() + "\n";
  }
  const Outcome script = lamina.talk("hello there\nand then");  // no line break at the end
  BOOST_TEST(script.code == 0, script.err);
  BOOST_TEST(script.out == expected);
  BOOST_TEST(!contains(script.err, "> "));
  BOOST_TEST(script.err.find('\x1b') == std::string::npos);
  BOOST_TEST(contains(script.err, "KV memory"));
  BOOST_TEST(lamina.talk("", {"-p", "hello there", "-p", "and then"}).out == expected);
  BOOST_TEST(lamina.talk("").out == "");
  BOOST_TEST(lamina.talk("\n  \n").out == "");
}

BOOST_AUTO_TEST_CASE(what_is_held_gives_the_same_answers) {
  const ChatProgram lamina;
  for (const char* model : {"llama", "gemma3"}) {
    const Arguments other = {"chat", lamina.model(model)};
    Arguments arguments = lamina.command({"--output", "json"});
    std::copy(other.begin(), other.end(), arguments.begin());
    const std::string out =
        lamina(arguments, "hello there\nand then\nthe end\n/save -f s.json").out;
    std::istringstream stream(out);
    std::vector<Json> turns;
    for (std::string line; std::getline(stream, line);) turns.push_back(Json::parse(line));
    BOOST_TEST_REQUIRE(turns.size() == 3u);
    Json messages = lamina.saved("s.json")["messages"];
    BOOST_TEST(messages.size() == 6u);
    for (std::size_t i = 0; i < 3; ++i) {  // each turn once more, from nothing
      const Json head(std::vector<Json>(messages.begin(),
                                        messages.begin() + static_cast<std::ptrdiff_t>(2 * i + 1)));
      lamina.folder().write("head.json", head.dump());
      const Json alone = Json::parse(lamina(arguments + Arguments{"--messages", "head.json"}).out);
      BOOST_TEST(alone["content"] == turns[i]["content"]);
      BOOST_TEST(alone["usage"]["prompt_tokens"] == turns[i]["usage"]["prompt_tokens"]);
      BOOST_TEST(alone["usage"]["prompt_tokens_details"]["cached_tokens"] == 0);
      const int cached = turns[i]["usage"]["prompt_tokens_details"]["cached_tokens"];
      BOOST_TEST((cached > 0) == (i > 0));
      BOOST_TEST(turns[i]["timings"]["prompt_n"] ==
                 turns[i]["usage"]["prompt_tokens"].get<int>() - cached);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_json_object_of_a_turn) {
  const ChatProgram lamina;
  const Json turn = lamina.objects("hello\n", {"--system", "be brief"})[0];
  BOOST_TEST(turn["finish_reason"] == "length");
  BOOST_TEST(turn["usage"]["completion_tokens"] == 8);
  BOOST_TEST(turn["usage"]["total_tokens"] == turn["usage"]["prompt_tokens"].get<int>() + 8);
  BOOST_TEST_REQUIRE(turn["message_tokens"].size() == 2u);
  int sum = 10;  // "assistant " has no longer tokens
  for (const Json& count : turn["message_tokens"]) sum += count.get<int>();
  BOOST_TEST(sum == turn["usage"]["prompt_tokens"]);
  const int text = 8 + 5;  // "be brief" and "hello"
  BOOST_TEST(turn["marker_tokens"] == sum - text);
  BOOST_TEST(turn["timings"].contains("predicted_per_second"));
}

BOOST_AUTO_TEST_CASE(lines_and_blocks) {
  const ChatProgram lamina;
  const Outcome outcome = lamina.talk(
      "one\\\ntwo\n\"\"\"first\n  /second\\\n\n\"\"\"\n\"\"\"/third\"\"\"\r\n/save saved.json\n");
  BOOST_TEST(outcome.code == 0, outcome.err);
  const Json messages = lamina.saved()["messages"];
  BOOST_TEST_REQUIRE(messages.size() == 6u);
  BOOST_TEST(messages[0]["content"] == "one\ntwo");
  BOOST_TEST(messages[2]["content"] == "first\n  /second\\\n");
  BOOST_TEST(messages[4]["content"] == "/third");
  lamina.fails(1, "\"\"\"open\n", {}, "the input ended in a block");
}

BOOST_AUTO_TEST_CASE(commands) {
  const ChatProgram lamina;
  const Outcome outcome = lamina.talk(
      "/system be brief\nhello\n/stats\n/regenerate\n/save saved.json\n/undo\n/set top_k 7\n/set\n"
      "/set template.mood \"calm\"\n/save other.json\n/help\n/quit\nnever\n");
  BOOST_TEST(outcome.code == 0, outcome.err);
  const Json saved = lamina.saved();
  BOOST_TEST(saved["messages"][0]["content"] == "be brief");
  const auto answer = saved["messages"][2]["content"].get<std::string>();
  BOOST_TEST(outcome.out == answer + "\n" + answer + "\n");
  for (const char* said :
       {"system", "markers of the chat template", "held already", "taken back: hello",
        "top_k                7", "saved to saved.json", "/regenerate"}) {
    BOOST_TEST(contains(outcome.err, said), said << " is not in " << outcome.err);
  }
  BOOST_TEST(lamina.saved("other.json")["messages"].size() == 1u);
  BOOST_TEST(lamina.saved("other.json")["settings"]["top_k"] == 7);
  BOOST_TEST(lamina.saved("other.json")["settings"]["template_arguments"]["mood"] == "calm");
}

BOOST_AUTO_TEST_CASE(commands_that_fail_end_a_script) {
  const ChatProgram lamina;
  lamina.folder().write("damaged.json", "[{\"role\": ");
  lamina.folder().write("settings.json", R"({"messages": [], "settings": {"top_q": 1}})");
  for (const auto& [line, said] : std::vector<std::pair<std::string, std::string>>{
           {"/dance", "/dance is no command; expected one of: /help, /system, /regenerate"},
           {"/", "/ is no command"},
           {"/undo", "/undo: there is nothing to undo"},
           {"/regenerate", "there is no answer to replace"},
           {"/set top_q 1", "'top_q' is no setting; expected one of: temperature, top_k"},
           {"/set top_k", "expected a name and a value"},
           {"/set top_p 7", "expected a number in (0, 1]"},
           {"/set n -3", "n '-3'"},
           {"/set greedy maybe", "expected on or off"},
           {"/set context_policy never", "is no context policy"},
           {"/set reasoning on", "reads neither enable_thinking nor thinking"},
           {"/set template.messages 1", "messages"},
           {"/tool 3", "no call of a tool waits"},
           {"/save", "expected a file"},
           {"/save no/such/folder", "no/such/folder"},
           {"/load missing.json", "missing.json"},
           {"/load damaged.json", "/load: damaged.json: this is no JSON: it ends too early"},
           {"/load settings.json", "settings.json: settings: 'top_q'"},
           {"/load .", "is a directory"},
       }) {
    const Outcome outcome = lamina.talk(line + "\nhello\n");
    BOOST_TEST(outcome.code == 1, line);
    BOOST_TEST(outcome.out == "", line);
    BOOST_TEST(contains(outcome.err, said), outcome.err << "\nexpected: " << said);
  }
}

BOOST_AUTO_TEST_CASE(saved_and_loaded) {
  const ChatProgram lamina;
  BOOST_TEST(lamina.talk("hello\n/set seed 5\n/set n 3\n/save saved.json\n").code == 0);
  const Json saved = lamina.saved();
  const std::string before = test::content(lamina.folder().path() / "saved.json");
  lamina.fails(1, "/save saved.json\n", {}, "exists already; /save -f FILE replaces it");
  BOOST_TEST(test::content(lamina.folder().path() / "saved.json") == before);
  // Its own file is replaced, another one with -f.
  const Outcome again =
      lamina.talk("/load saved.json\nand\n/save saved.json\n/save -f other.json\n");
  BOOST_TEST(again.code == 0, again.err);
  Json longer = lamina.saved();
  BOOST_TEST(longer["messages"].size() == 4u);
  BOOST_TEST(longer["settings"] == saved["settings"]);
  BOOST_TEST(longer["settings"]["n"] == 3);
  BOOST_TEST(lamina.saved("other.json") == longer);
  // A saved conversation is one to start from, too.
  const auto turns = lamina.objects("more\n", {"--messages", "saved.json"});
  BOOST_TEST(turns[0]["message_tokens"].size() == 5u);
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(lamina.folder().path())) {
    files += entry.path().filename().string().starts_with("saved.json") ? 1u : 0u;
  }
  BOOST_TEST(files == 1u);  // nothing is left beside it
}

BOOST_AUTO_TEST_CASE(when_the_context_is_full) {
  const ChatProgram lamina;
  const std::string lines = "hello there\nand then\nthe end\n";
  lamina.fails(1, lines, {"-c", "80"}, "tokens, but the context of 80 has room for 72");
  const Arguments drop = {"-c", "80", "--context-policy", "drop-oldest"};
  const Outcome outcome = lamina.talk(lines + "/save saved.json\n", drop);
  BOOST_TEST(outcome.code == 0, outcome.err);
  BOOST_TEST(contains(outcome.err, "context policy drop-oldest: the 2 oldest messages ("),
             outcome.err);
  BOOST_TEST(lamina.saved()["messages"].size() == 6u);
  BOOST_TEST(lamina.saved()["context"]["dropped"] == 2);
  const Json last = lamina.objects(lines, drop).back();
  BOOST_TEST(last["dropped"]["messages"] == 2);
  BOOST_TEST(last["usage"]["prompt_tokens"] <= 72);
  const Json window = lamina.objects(lines, {"--context-policy", "window=1"}).back();
  BOOST_TEST(window["message_tokens"].size() == 1u);
  const Outcome summary = lamina.talk(lines, {"-c", "400", "--context-policy", "summary"});
  BOOST_TEST(summary.code == 0, summary.err);
}

BOOST_AUTO_TEST_CASE(a_failed_turn_leaves_the_conversation) {
  const ChatProgram lamina;
  const std::string question(60, 'x');
  lamina.folder().write("c.json", R"([{"role": "user", "content": "a"},
                                      {"role": "assistant", "content": "b"}])");
  lamina.fails(1, question + "\n", {"-c", "80", "--messages", "c.json"}, "the conversation needs");
}

BOOST_AUTO_TEST_CASE(continuing_an_answer) {
  const ChatProgram lamina;
  lamina.folder().write("c.json", R"([{"role": "user", "content": "hello"},
                                      {"role": "assistant", "content": "the "}])");
  const Arguments go_on = {"--messages", "c.json", "--continue-final-message"};
  const Json turn = lamina.objects("/save saved.json\n", go_on)[0];
  const Json messages = lamina.saved()["messages"];
  BOOST_TEST(messages.size() == 2u);
  BOOST_TEST(messages[1]["content"] == "the " + turn["content"].get<std::string>());
  const Outcome raw =
      lamina({"run", lamina.model(), "-p", "user hello<end>assistant the ", "-n", "8", "--greedy"});
  BOOST_TEST(raw.out == turn["content"].get<std::string>());
  lamina.folder().write("c.json", R"([{"role": "user", "content": "hello"}])");
  lamina.fails(1, "", go_on, "not an assistant's");
  lamina.fails(2, "", {"--continue-final-message"}, "goes with --messages");
}

BOOST_AUTO_TEST_CASE(templates) {
  const ChatProgram lamina;
  const std::string model = lamina.model();
  test::check_fails(lamina, 1, {"chat", model, "-p", "a"}, "has no chat template; give one with");
  test::check_fails(lamina, 1, {"chat", model, "-p", "a", "--chat-template", "x.jinja"},
                    "--chat-template x.jinja");
  const Outcome list = lamina({"chat", model, "--chat-template", "list"});
  BOOST_TEST(list.code == 0, list.err);
  BOOST_TEST(contains(list.out, "chatml"));
  lamina.folder().write("bad.jinja", "{% for %}");
  test::check_fails(lamina, 1, {"chat", model, "-p", "a", "--chat-template", "bad.jinja"},
                    "bad.jinja");
  lamina.folder().write("mood.jinja", "{{ mood }}{{ tools | length }}{{ messages[0].content }}");
  lamina.folder().write("tools.json", "[{}, {}]");
  const Json turn = Json::parse(
      lamina({"chat", model, "--chat-template", "mood.jinja", "-p", "a", "-n", "1", "--output",
              "json", "--template-kwarg", "mood=calm", "--tools", "tools.json"})
          .out);
  BOOST_TEST(turn["usage"]["prompt_tokens"] == 5);  // calm, a; no token spells 2
}

BOOST_AUTO_TEST_CASE(wrong_command_lines) {
  const ChatProgram lamina;
  lamina.folder().write("object.json", "{}");
  lamina.fails(2, "", {"--system", "a", "--system-file", "b"}, "expected one of them");
  lamina.fails(2, "", {"--context-policy", "forget"}, "--context-policy: 'forget'");
  lamina.fails(2, "", {"--template-kwarg", "mood"}, "expected NAME=VALUE");
  lamina.fails(2, "", {"--template-kwargs", "[1]"}, "expected a JSON object");
  lamina.fails(2, "", {"--template-kwargs", "{"}, "--template-kwargs");
  lamina.fails(2, "", {"--special-in-user-text", "no"}, "expected parse or text");
  lamina.fails(2, "", {"--show-reasoning", "maybe"}, "expected yes or no");
  lamina.fails(2, "", {"--call-form", "morse"}, "expected one of: none, hermes");
  lamina.fails(2, "", {"--reasoning", "1"}, "expected on or off");
  lamina.fails(1, "", {"--reasoning", "on"}, "cannot be switched");
  lamina.fails(1, "", {"--tools", "object.json"}, "--tools object.json: found an empty object, expected a list of objects such as");
  lamina.fails(1, "", {"--messages", "object.json"}, "--messages object.json");
  lamina.fails(1, "", {"--system-file", "missing.txt"}, "missing.txt");
}

BOOST_AUTO_TEST_CASE(ctrl_c) {
  const ChatProgram lamina;
  const Arguments endless = {"-c", "1000000", "-n", "1000000"};
  const Outcome question = lamina(lamina.command(endless + Arguments{"-p", "a"}), "", true);
  BOOST_TEST(question.code == 0, question.err);
  BOOST_TEST(question.out.ends_with('\n'));
  const Outcome script = lamina(lamina.command(endless), "a\nb\n", true);
  BOOST_TEST(script.code == 1);
  BOOST_TEST(contains(script.err, "interrupted; the rest of the input is not answered"),
             script.err);
}

BOOST_AUTO_TEST_CASE(a_real_model_in_conversation) {
  if (!std::filesystem::exists(cached_file(*find_model("smollm2-135m"), cache_folder()))) {
    return test::skip("smollm2-135m has not been downloaded");
  }
#if defined(__SANITIZE_ADDRESS__)
  return test::skip("real models take minutes under a sanitizer; the small ones run");
#endif
  const ChatProgram lamina;
  const Outcome outcome = lamina({"chat", "smollm2-135m", "--greedy", "-n", "6", "-c", "256",
                                  "--output", "json", "-p", "What is the capital of France?"});
  BOOST_TEST_REQUIRE(outcome.code == 0, outcome.err);
  const Json turn = Json::parse(outcome.out);
  BOOST_TEST(turn["usage"]["prompt_tokens"] == 37);
  BOOST_TEST(contains(turn["content"].get<std::string>(), "capital of France"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
