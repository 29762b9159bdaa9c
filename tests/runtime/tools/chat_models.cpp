// A real model in conversation, and one that calls a tool.
#include "runtime/model_catalog.h"
#include "skip.h"
#include "tests/sanitized.h"
#include "tests/runtime/tools/chat_program.h"

#include <filesystem>

namespace lamina {
namespace {

using test::ChatProgram;
using test::contains;
using test::Json;
using test::Outcome;

/// Whether the tests here can run; says why where they cannot.
bool has_real_model() {
  if (!std::filesystem::exists(cached_file(*find_model("smollm2-135m"), cache_folder()))) {
    test::skip("smollm2-135m has not been downloaded");
    return false;
  }
  if (!test::sanitized) return true;
  test::skip("real models take minutes under a sanitizer; the small ones run");
  return false;
}

BOOST_AUTO_TEST_SUITE(chat_models)

BOOST_AUTO_TEST_CASE(a_real_model_in_conversation) {
  if (!has_real_model()) return;
  const ChatProgram lamina;
  const Outcome outcome =
      lamina({"chat", "smollm2-135m", "--greedy", "-n", "6", "-c", "256", "--output", "json", "-p",
              "What is the capital of France? Answer in one sentence."});
  BOOST_TEST_REQUIRE(outcome.code == 0, outcome.err);
  const Json turn = Json::parse(outcome.out);
  BOOST_TEST(turn["usage"]["prompt_tokens"] == 42);
  BOOST_TEST(contains(turn["content"].get<std::string>(), "capital of France"));
}

BOOST_AUTO_TEST_CASE(a_real_model_calls_a_tool) {
  if (!has_real_model()) return;
  const ChatProgram lamina;
  lamina.folder().write("calls.jinja",
                        "{% if tools %}Tool: {{ tools[0].function.name }}\n{% endif %}"
                        "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}"
                        "{% for c in m.tool_calls or [] %}<tool_call>\n{{ c.function | tojson }}\n"
                        "</tool_call>{% endfor %}<|im_end|>\n{% endfor %}"
                        "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}");
  lamina.folder().write("tools.json", R"([{"type": "function", "function": {"name": "age"}}])");
  const auto called = [](const std::string& name) {
    const Json arguments = {{"of", name}};
    const Json function = {{"name", "age"}, {"arguments", arguments.dump()}};
    return Json{{"role", "assistant"}, {"content", ""}, {"tool_calls", {{{"function", function}}}}};
  };
  Json messages = Json::array();
  for (const char* name : {"Ann", "Bob"}) {  // a small model needs to be shown what a call is
    messages.push_back({{"role", "user"}, {"content", std::string("Age of ") + name + "?"}});
    messages.push_back(called(name));
  }
  lamina.folder().write("shown.json", messages.dump());
  const Outcome outcome = lamina(
      {"chat", "smollm2-135m", "--chat-template", "calls.jinja", "--tools", "tools.json",
       "--call-form", "hermes", "--messages", "shown.json", "--greedy", "-n", "32", "-c", "256"},
      "Age of Eve?\n/save saved.json\n");
  BOOST_TEST(outcome.code == 0, outcome.err);
  const Json shown = Json::parse(outcome.out);
  BOOST_TEST(shown["tool_call"] == "age");
  BOOST_TEST(shown["arguments"] == Json({{"of", "Eve"}}));
  const Json call = lamina.saved()["messages"].back()["tool_calls"][0]["function"];
  BOOST_TEST(call["name"] == "age");
  BOOST_TEST(Json::parse(call["arguments"].get<std::string>()) == shown["arguments"]);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
