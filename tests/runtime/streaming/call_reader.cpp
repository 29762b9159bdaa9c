// Calls in every form, whole, malformed and cut short, however the text is cut.
// Covers runtime/streaming/json_calls.h runtime/streaming/hermes_calls.h.
// Covers runtime/streaming/llama_calls.h runtime/streaming/xml_calls.h.
// Covers runtime/streaming/mistral_calls.h runtime/streaming/deepseek_calls.h.
// Covers runtime/streaming/harmony_answer.h.
#include "runtime/streaming/call_reader.h"

#include "tests/runtime/streaming/answers.h"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <string>

namespace lamina {
namespace {

using test::read;

const std::string oslo = R"([f id= {"city": "Oslo"} ok])";

BOOST_AUTO_TEST_SUITE(call_reader)

BOOST_AUTO_TEST_CASE(hermes) {
  const CallForm form = CallForm::hermes;
  BOOST_TEST(
      read(form,
           "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"city\": \"Oslo\"}}\n</tool_call>") ==
      oslo);
  BOOST_TEST(read(form,
                  "Ok.\n<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>\n"
                  "<tool_call>{\"name\": \"g\", \"arguments\": {\"a\": [1, {\"b\": "
                  "\"}\\\"🌍\"}]}}</tool_call> end") ==
             R"(Ok.[f id= {} ok][g id= {"a": [1, {"b": "}\"🌍"}]} ok]end)");
  // The name after the arguments, no arguments, arguments as a string, an id, members between.
  BOOST_TEST(read(form, R"(<tool_call>{"arguments": {"city": "Oslo"}, "name": "f"}</tool_call>)") ==
             oslo);
  BOOST_TEST(read(form, R"(<tool_call>{"name": "f"}</tool_call>)") == "[f id= {} ok]");
  BOOST_TEST(
      read(form, R"(<tool_call>{"name":"f","arguments":"{\"city\": \"Oslo\"}"}</tool_call>)") ==
      oslo);
  BOOST_TEST(read(form, R"(<tool_call>{"x": 1.5e3, "id": "c1", "name": "f", )"
                        R"("arguments": {}, "y": [null]}</tool_call>)") == "[f id=c1 {} ok]");
  BOOST_TEST(read(form, R"(<tool_call>[{"name": "f", "arguments": {}}, )"
                        R"({"name": "\u0067", "arguments": null}]</tool_call>)") ==
             "[f id= {} ok][g id= {} ok]");
  BOOST_TEST(
      read(form,
           R"(<tool_call>{"name": "f", "arguments": {"t": "</tool_call> <think>"}}</tool_call>)") ==
      R"([f id= {"t": "</tool_call> <think>"} ok])");
}

BOOST_AUTO_TEST_CASE(what_is_no_hermes_call_is_content) {
  const CallForm form = CallForm::hermes;
  for (const char* text :
       {"<tool_call> is a tag", "<tool_call>{\"a\": 1}</tool_call>", "<tool_call>[]</tool_call>",
        "<tool_call>{\"name\": 5}", "<tool_call>{\"name\": \"\"}", "<tool_call>{\"name\": \"f\"",
        "<tool_call>", "<tool_call>{\"name\" \"f\"}", "<tool_call>[[", "</tool_call>",
        "<tool_call>{\"name\": \"\\ud800\", \"arguments\": {}}"}) {
    BOOST_TEST(read(form, text) == text);
  }
  // Markers count again where the call was refused.
  BOOST_TEST(read(form, "<tool_call>x<tool_call><tool_call>{\"name\": \"f\"}</tool_call>") ==
             "<tool_call>x<tool_call>[f id= {} ok]");
}

BOOST_AUTO_TEST_CASE(a_call_that_has_begun_ends_even_if_it_is_wrong) {
  const CallForm form = CallForm::hermes;
  BOOST_TEST(read(form, R"(<tool_call>{"name": "f", "arguments": {"a": oops}}</tool_call> and)") ==
             R"([f id= {"a": oops}} wrong]and)");
  BOOST_TEST(read(form, R"(<tool_call>{"name": "f", "arguments": {"a": "🌍)") ==
             R"([f id= {"a": "🌍 wrong])");
  BOOST_TEST(read(form, R"(<tool_call>{"name": "f", "arguments": 5}</tool_call>)") ==
             "[f id= 5 wrong]");
  BOOST_TEST(read(form, R"(<tool_call>{"name": "f", "arguments": "x"}</tool_call>)") ==
             "[f id= x wrong]");
  BOOST_TEST(read(form, R"(<tool_call>{"name": "f", "arguments": {}</tool_call> and)") ==
             "[f id= {} ok]and");
  BOOST_TEST(read(form, R"(<tool_call>[{"name": "f", "arguments": {}},]</tool_call>)") ==
             "[f id= {} ok]");
  BOOST_TEST(read(form, R"(<tool_call>{"name": "f", "arguments": {}} junk)") ==
             "[f id= {} ok]junk");
  BOOST_TEST(read(form, R"(<tool_call>{"name": "f", "arguments": {}, "z" junk)") ==
             "[f id= {} ok], \"z\" junk");
  const std::string deep(257, '[');
  BOOST_TEST(read(form, R"(<tool_call>{"name": "f", "arguments": {"a": )" + deep +
                            "</tool_call>") == R"([f id= {"a": )" + deep + " wrong]");
}

BOOST_AUTO_TEST_CASE(qwen3_coder) {
  const CallForm form = CallForm::qwen3_coder;
  const std::string call =
      "<tool_call>\n<function=f>\n<parameter=city>\nOslo\n</parameter>\n</function>\n</tool_call>";
  BOOST_TEST(read(form, call) == oslo);
  BOOST_TEST(read(form, "A\n" + call + "\n" + call + "\n") == "A" + oslo + oslo);
  BOOST_TEST(read(form, "<function=f></function>") == "[f id= {} ok]");
  const auto with = [&](const std::string& value) {
    return "<tool_call><function=f><parameter=x>" + value + "</parameter></function></tool_call>";
  };
  BOOST_TEST(read(form, with("{\"a\": [1]}")) == R"([f id= {"x": {"a": [1]}} ok])");
  BOOST_TEST(read(form, with("\n\"🌍\"\n\\\n</p>\n\n")) ==
             R"([f id= {"x": "\"🌍\"\n\\\n</p>\n"} ok])");
  BOOST_TEST(read(form, with("12") + with("012")) ==
             R"([f id= {"x": 12} ok][f id= {"x": "012"} ok])");
  const ToolSchemas tools(
      nlohmann::ordered_json::parse(R"([{"type": "function", "function": {"name": "f",
      "parameters":
      {"properties": {"x": {"type": "string"}, "b": {"type": "boolean"}}}}}, 5, {"name": 5}])"));
  BOOST_TEST(read(form, with("12\n\n3"), false, tools) == R"([f id= {"x": "12\n\n3"} ok])");
  BOOST_TEST(read(form,
                  "<tool_call><function=f><parameter=b>True</parameter><parameter=x>a</parameter></"
                  "function>",
                  false, tools) == R"([f id= {"b": true, "x": "a"} ok])");
}

BOOST_AUTO_TEST_CASE(qwen3_coder_gone_wrong) {
  const CallForm form = CallForm::qwen3_coder;
  for (const char* text :
       {"<tool_call>\n<func", "<tool_call>x", "<function=", "<function=>", "<function=f"}) {
    BOOST_TEST(read(form, text) == text);
  }
  BOOST_TEST(read(form, "<function=f> x</tool_call> y") == "[f id= { x wrong]y");
  BOOST_TEST(read(form, "<function=f><parameter=x") == "[f id= {<parameter=x wrong]");
  BOOST_TEST(read(form, "<function=f><parameter=x>12\n</par") ==
             "[f id= {\"x\": \"12\\n</par wrong]");
  BOOST_TEST(read(form, "<function=f>") == "[f id= { wrong]");
}

BOOST_AUTO_TEST_CASE(llama3) {
  const CallForm form = CallForm::llama3;
  BOOST_TEST(read(form, R"({"name": "f", "parameters": {"city": "Oslo"}})") == oslo);
  BOOST_TEST(read(form,
                  "\n"
                  R"({"type": "function", "name": "f", "parameters": {"city": "Oslo"}};)"
                  R"( {"name": "g", "parameters": {}} x)") == oslo + "[g id= {} ok]x");
  BOOST_TEST(read(form, R"(Text <|python_tag|>{"name": "f", "parameters": {"city": "Oslo"}})") ==
             "Text" + oslo);
  BOOST_TEST(read(form, "<think>a</think>{\"name\": \"f\", \"parameters\": {}}") ==
             "(a)[f id= {} ok]");
  for (const char* text : {R"({"name": "Bob", "age": 5})", R"({"name": "Bob"})", "{", "{}",
                           R"(x {"name": "f", "parameters": {}})", "<|python_tag|>print(1)",
                           R"({"parameters": {"name": "f"}, "x)"}) {
    BOOST_TEST(read(form, text) == text);
  }
  BOOST_TEST(read(form, R"({"name": "f", "parameters": {"a": 1)") == R"([f id= {"a": 1 wrong])");
}

BOOST_AUTO_TEST_CASE(mistral) {
  const CallForm form = CallForm::mistral;
  BOOST_TEST(read(form, R"([TOOL_CALLS][{"name": "f", "arguments": {"city": "Oslo"}, "id": "c1"}, )"
                        R"({"name": "g", "arguments": {}}])") == oslo + "[g id= {} ok]");
  BOOST_TEST(
      read(form,
           R"(Yes. [TOOL_CALLS]f[ARGS]{"city": "Oslo"}[TOOL_CALLS]g[CALL_ID]c2[ARGS]{} ...)") ==
      "Yes." + oslo + "[g id=c2 {} ok]...");
  BOOST_TEST(read(form, R"([TOOL_CALLS]f{"city": "Oslo"})") == oslo);
  for (const char* text :
       {"[TOOL_CALLS]", "[TOOL_CALLS]f", "[TOOL_CALLS][ARGS]{}", "[TOOL_CALLS]f[CALL_ID]g"}) {
    BOOST_TEST(read(form, text) == text);
  }
  BOOST_TEST(read(form, "[TOOL_CALLS]f[ARGS]nothing[TOOL_CALLS]g[ARGS]{}") ==
             "[f id= nothing wrong][g id= {} ok]");
}

BOOST_AUTO_TEST_CASE(deepseek) {
  const CallForm form = CallForm::deepseek;
  const std::string begin = "<｜tool▁calls▁begin｜>", call = "<｜tool▁call▁begin｜>",
                    sep = "<｜tool▁sep｜>", call_end = "<｜tool▁call▁end｜>",
                    end = "<｜tool▁calls▁end｜>";
  const std::string old =
      call + "function" + sep + "f\n```json\n{\"city\": \"Oslo\"}\n```" + call_end;
  const std::string now = call + "f" + sep + "{\"city\": \"Oslo\"}" + call_end;
  BOOST_TEST(read(form, "why</think>Ok" + begin + old + "\n" + old + end, true) ==
             "(why)Ok" + oslo + oslo);
  BOOST_TEST(read(form, begin + now + now + end + "x") == oslo + oslo + "x");
  BOOST_TEST(read(form, now) == oslo);
  BOOST_TEST(read(form, begin + call + "f" + sep + "{1}" + call_end + now + end) ==
             "[f id= {1} wrong]" + oslo);
  BOOST_TEST(read(form, begin + now + " and ") == oslo + "and ");
  for (const std::string& text :
       {begin + end, begin + "x", begin + call + "f" + call_end + end, begin + call + sep}) {
    BOOST_TEST(read(form, text) == text);
  }
}

BOOST_AUTO_TEST_CASE(harmony) {
  const CallForm form = CallForm::harmony;
  BOOST_TEST(read(form,
                  "<|channel|>analysis<|message|>why "
                  "🌍<|end|><|start|>assistant<|channel|>final<|message|>so<|return|>") ==
             "(why 🌍)so");
  BOOST_TEST(read(form,
                  "<|channel|>commentary<|message|>First.<|end|><|start|>assistant<|channel|>"
                  "commentary to=functions.f "
                  "<|constrain|>json<|message|>{\"city\": \"Oslo\"}<|call|>") == "First." + oslo);
  BOOST_TEST(
      read(form, " to=functions.f<|channel|>commentary json<|message|>{\"city\": \"Oslo\"}") ==
      oslo);
  BOOST_TEST(read(form, "why<|end|><|start|>assistant<|channel|>final<|message|>so", true) ==
             "(why)so");
  BOOST_TEST(read(form, "<|channel|>final<|message|>{\"a\": \"<|\"}") == "{\"a\": \"<|\"}");
  BOOST_TEST(read(form, "<|channel|>analysis to=python<|message|>print(1)<|call|>") ==
             "[python id= print(1) wrong]");
  BOOST_TEST(read(form, "<|channel|>analysis<|message|>a<|channel|>final<|message|>b") == "(a)b");
  BOOST_TEST(read(form, "<|channel|>commentary to=functions. <|message|>{}") == "{}");
  for (const char* text : {"<|channel|>final", "<|start|>assistant", " to=", "to=functions.f"}) {
    BOOST_TEST(read(form, text) == text);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
