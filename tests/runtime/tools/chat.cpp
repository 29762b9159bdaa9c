// `lamina chat` from outside, with a model of 61 tokens and a template of letters.
// Covers runtime/tools/chat_session.h and runtime/tools/chat_commands.h.
// Covers runtime/tools/chat_settings.h.
#include "message_of.h"
#include "tests/runtime/tools/chat_program.h"

#include <algorithm>

namespace lamina {
namespace {

using test::Arguments;
using test::ChatProgram;
using test::contains;
using test::Json;
using test::Outcome;
using test::operator+;

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

BOOST_AUTO_TEST_CASE(another_draw) {
  const ChatProgram lamina;
  const auto answers = [&](const std::string& seed, const std::string& lines) {
    const Outcome outcome =
        lamina({"chat", lamina.model(), "--chat-template", "chat.jinja", "-n", "8", "--top-p", "1",
                "--min-p", "0", "--temperature", "2", "--output", "json", "--seed", seed},
               lines);
    BOOST_TEST(outcome.code == 0, outcome.err);
    std::vector<std::string> all;
    std::istringstream stream(outcome.out);
    for (std::string line; std::getline(stream, line);) {
      all.push_back(Json::parse(line)["content"].get<std::string>());
    }
    return all;
  };
  const auto redrawn = answers("5", "hello\n/regenerate\n/regenerate\n");
  BOOST_TEST_REQUIRE(redrawn.size() == 3u);
  BOOST_TEST(redrawn[0] != redrawn[1]);
  BOOST_TEST(redrawn[1] != redrawn[2]);
  BOOST_TEST(answers("6", "hello\n")[0] == redrawn[1]);  // the k-th time with the seed plus k
  BOOST_TEST(answers("7", "hello\n")[0] == redrawn[2]);
  // The next question begins with the seed again, and so does one that is asked anew.
  const auto again = answers("5", "hello\n/regenerate\n/undo\nhello\n");
  BOOST_TEST(again[2] == again[0]);
  BOOST_TEST(contains(lamina.talk("hello\n/regenerate\n").err, "the answer will be the same"));
}

BOOST_AUTO_TEST_CASE(when_the_context_is_full) {
  const ChatProgram lamina;
  const std::string lines = "hello there\nand then\nthe end\n";
  lamina.fails(1, lines, {"-c", "80"}, "tokens, but the context of 80 has room for 72");
  const Arguments drop = {"-c", "80", "--context-policy", "drop-oldest"};
  const Outcome outcome = lamina.talk(lines + "/save saved.json\n", drop);
  BOOST_TEST(outcome.code == 0, outcome.err);
  BOOST_TEST(
      contains(outcome.err,
               "context policy drop-oldest: the model no longer sees the oldest 2 messages ("),
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
  const Outcome unread =
      lamina.talk("", {"--tools", "tools.json", "--template-kwarg", "mood=calm"});
  BOOST_TEST(unread.code == 0, unread.err);
  BOOST_TEST(contains(unread.err, "--tools: the chat template (chat.jinja) does not read tools"),
             unread.err);
  BOOST_TEST(contains(unread.err, "--template-kwarg: the chat template (chat.jinja) does not"),
             unread.err);
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
  lamina.fails(1, "", {"--tools", "object.json"},
               "--tools object.json: found an empty object, expected a list of objects such as");
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

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
