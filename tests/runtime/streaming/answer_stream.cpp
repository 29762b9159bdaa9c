// Answers in every form: what they say is the same however the text is cut, and nothing is lost.
// Covers runtime/streaming/answer_event.h runtime/streaming/answer_text.h.
// Covers runtime/streaming/marked_answer.h.
#include "runtime/streaming/answer_stream.h"

#include "tests/runtime/streaming/answers.h"
#include "tests/runtime/tokenizer/cpu_time.h"
#include "tests/runtime/tokenizer/seed.h"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <random>

namespace lamina {
namespace {

using test::read;
using test::streamed;
using test::Texts;

/// What answers are made of, whole and broken.
const Texts parts = {"<tool_call>",
                     "</tool_call>",
                     "<function=",
                     "f",
                     ">",
                     "<parameter=",
                     "</parameter>",
                     "</function>",
                     "\n",
                     " ",
                     "{\"name\": \"f\", \"arguments\": ",
                     "{\"name\": \"f\", \"parameters\": ",
                     "{\"a\": [1, \"x\\n\"]}",
                     "{",
                     "}",
                     "[",
                     "]",
                     ",",
                     ";",
                     "\"",
                     "\\",
                     "<think>",
                     "</think>",
                     "[THINK]",
                     "[/THINK]",
                     "<|python_tag|>",
                     "[TOOL_CALLS]",
                     "[ARGS]",
                     "[CALL_ID]",
                     "<｜tool▁calls▁begin｜>",
                     "<｜tool▁call▁begin｜>",
                     "<｜tool▁sep｜>",
                     "<｜tool▁call▁end｜>",
                     "<｜tool▁calls▁end｜>",
                     "function",
                     "```json",
                     "```",
                     "<|channel|>",
                     "analysis",
                     "final",
                     "commentary",
                     " to=functions.f",
                     "<|message|>",
                     "<|end|>",
                     "<|start|>",
                     "<|call|>",
                     "🌍",
                     "\xF0\x9F",
                     "\xFF"};

BOOST_AUTO_TEST_SUITE(answer_stream)

BOOST_AUTO_TEST_CASE(text_without_markers_is_content_as_it_is) {
  for (const CallForm form :
       {CallForm::none, CallForm::hermes, CallForm::qwen3_coder, CallForm::llama3,
        CallForm::mistral, CallForm::deepseek, CallForm::harmony}) {
    for (const char* text :
         {"", " \n", " a <b> [c] {d} \n", "<tool_cal", "<thin", "<|", "[TOOL", "<｜tool▁"}) {
      BOOST_TEST(read(form, text) == text);
    }
  }
  BOOST_TEST(read(CallForm::none, "<tool_call>{\"name\": \"f\"}</tool_call>") ==
             "<tool_call>{\"name\": \"f\"}</tool_call>");
}

BOOST_AUTO_TEST_CASE(reasoning) {
  const CallForm form = CallForm::hermes;
  BOOST_TEST(read(form, "<think>\nwhy 🌍\n</think>\n\nso") == "(why 🌍)so");
  BOOST_TEST(read(form, "a <think>b</think> c") == "a(b)c");
  BOOST_TEST(read(form, "why\n</think>\n\nso \n", true) == "(why)so \n");
  BOOST_TEST(read(form, "<think></think>so") == "so");
  BOOST_TEST(read(form, "<think>never ends </thin") == "(never ends </thin)");
  BOOST_TEST(read(form, "<think>a <tool_call> b</think>") == "(a <tool_call> b)");
  BOOST_TEST(read(form, "stray </think> end") == "stray </think> end");
  BOOST_TEST(read(CallForm::mistral, "[THINK]why[/THINK]so") == "(why)so");
  // White space beside a marker is dropped as far as it is held back: 256 bytes before it.
  BOOST_TEST(read(form, "a" + std::string(300, ' ') + "<think>" + std::string(300, ' ') + "b") ==
             "a" + std::string(44, ' ') + "(b)");
}

BOOST_AUTO_TEST_CASE(arguments_and_text_leave_as_they_come) {
  AnswerStream stream({CallForm::hermes, think_tags});
  const auto after = [&](std::string_view text) { return test::told(stream.feed(text)); };
  BOOST_TEST(after("a <thi") == "a");
  BOOST_TEST(after("s") == " <this");
  BOOST_TEST(after("<tool_call>{\"name\": \"f\", \"arguments\": ") == "");
  BOOST_TEST(after("{\"x\": \"ab") == "[f id= {\"x\": \"ab");
  BOOST_TEST(after("cd") == "cd");
  BOOST_TEST(after("\xF0\x9F\x8C") == "");
  BOOST_TEST(after("\x8D\"}") == "🌍\"} ok]");
  BOOST_TEST(test::told(stream.finish()) == "");
  AnswerStream llama({CallForm::llama3, {}});
  BOOST_TEST(test::told(llama.feed("{\"name\": \"Bob\"")) == "");
  BOOST_TEST(test::told(llama.feed(", \"age\"")) == "{\"name\": \"Bob\", \"age\"");
  AnswerStream xml(
      {CallForm::qwen3_coder, think_tags}, false,
      ToolSchemas(nlohmann::ordered_json::parse(
          R"([{"name": "f", "parameters": {"properties": {"x": {"type": "string"}}}}])")));
  xml.feed("<function=f><parameter=x>\n");
  BOOST_TEST(test::told(xml.feed("ab\n")) == "ab");
  BOOST_TEST(test::told(xml.feed("c")) == "\\nc");
}

BOOST_AUTO_TEST_CASE(what_is_held_back_is_bounded_and_the_time_linear) {
  const test::CpuTime time;
  const std::size_t size = 1 << 18;
  const std::string many(size, 'a'), blanks(size, ' ');
  std::string openers, stray;
  while (openers.size() < size) openers += "<tool_call>{\"name\": [";
  while (stray.size() < size) stray += "<think></think>";
  struct Case {
    CallForm form;
    std::string text;
    std::string expected;
  };
  const std::string hermes = "<tool_call>{\"name\": \"";
  for (const Case& each : std::vector<Case>{
           {CallForm::hermes, hermes + many, hermes + many},
           {CallForm::hermes, "<tool_call>" + blanks, "<tool_call>" + blanks},
           {CallForm::hermes, openers, openers},
           {CallForm::hermes, stray, ""},
           {CallForm::hermes, many + blanks, many + blanks},
           {CallForm::qwen3_coder, "<function=" + many, "<function=" + many},
           {CallForm::qwen3_coder, "<function=f><parameter=x>" + many,
            "[f id= {\"x\": \"" + many + " wrong]"},
           {CallForm::llama3, "{\"parameters\": \"" + many, "{\"parameters\": \"" + many},
           {CallForm::mistral, "[TOOL_CALLS]" + many, "[TOOL_CALLS]" + many},
           {CallForm::deepseek, "<｜tool▁call▁begin｜>" + many, "<｜tool▁call▁begin｜>" + many},
           {CallForm::harmony, "<|channel|>" + many, "<|channel|>" + many}}) {
    for (const std::size_t piece : {std::size_t{3}, size * 2}) {
      Texts pieces;
      for (std::size_t at = 0; at < each.text.size(); at += piece)
        pieces.push_back(each.text.substr(at, piece));
      BOOST_TEST((streamed({each.form, think_tags}, pieces) == each.expected),
                 each.text.substr(0, 40));
    }
  }
  BOOST_TEST(time.seconds() < test::limit(4.0));
}

/// Parts of all forms at random: no order is expected, but the cuts must not matter.
BOOST_AUTO_TEST_CASE(random_answers_cut_at_random) {
  std::mt19937 random(test::seed());
  const auto draw = [&](std::size_t below) { return random() % below; };
  for (int round = 0; round < 4000; ++round) {
    std::string text;
    for (std::size_t i = draw(25); i > 0; --i) {
      text += parts[draw(parts.size())];
      if (draw(12) == 0) text.resize(text.size() - draw(std::min<std::size_t>(4, text.size())));
    }
    const auto calls = static_cast<CallForm>(1 + draw(6));
    const AnswerForm form{calls, draw(3) == 0 ? mistral_think : think_tags};
    const bool inside = draw(4) == 0;
    const test::Answer whole = streamed(form, {text}, inside);
    for (int cut = 0; cut < 4; ++cut) {
      Texts pieces;
      for (std::size_t at = 0; at < text.size();) {
        pieces.push_back(text.substr(at, draw(cut == 0 ? 2 : 9)));
        at += pieces.back().size();
      }
      BOOST_REQUIRE_EQUAL(streamed(form, pieces, inside), whole);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
