// Forms by name and as templates show them; answers as public templates write them.
// Covers runtime/streaming/tool_schemas.h.
#include "runtime/streaming/answer_form.h"

#include "message_of.h"
#include "runtime/streaming/answer_stream.h"
#include "runtime/streaming/tool_schemas.h"
#include "tests/runtime/streaming/answers.h"
#include "tests/shared_data.h"
#include "tests/skip.h"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

namespace lamina {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A public template, the form of calls it writes, and what encloses an assistant's turn in it.
struct Template {
  std::string name;
  CallForm form;
  std::string begin;
  std::string end;
};

const std::string chatml = "<|im_start|>assistant\n";
const Template templates[] = {
    {"Qwen-Qwen2.5-7B-Instruct", CallForm::hermes, chatml, "<|im_end|>"},
    {"NousResearch-Hermes-3-Llama-3.1-8B-tool_use", CallForm::hermes, chatml, "<|im_end|>"},
    {"MiMo-VL", CallForm::hermes, chatml, "<|im_end|>"},
    {"Bielik-11B-v3.0-Instruct", CallForm::hermes, chatml, "<|im_end|>"},
    {"Reka-Edge", CallForm::hermes, "<sep>assistant: ", "\n\n<sep>"},
    {"Qwen3-Coder", CallForm::qwen3_coder, chatml, "<|im_end|>"},
    {"meta-llama-Llama-3.2-3B-Instruct", CallForm::llama3,
     "<|start_header_id|>assistant<|end_header_id|>\n\n", "<|eot_id|>"},
    {"mistralai-Mistral-Nemo-Instruct-2407", CallForm::mistral, "[/INST]", "</s>"},
    {"unsloth-mistral-Devstral-Small-2507", CallForm::mistral, "[/INST]", "</s>"},
    {"Mistral-Small-3.2-24B-Instruct-2506", CallForm::mistral, "[/INST]", "</s>"},
    {"deepseek-ai-DeepSeek-V3.1", CallForm::deepseek, "<｜Assistant｜>", "<｜end▁of▁sentence｜>"},
};

/// What the first assistant's message of a conversation says, without the ids that only some write.
std::string expected_answer(const Json& messages) {
  for (const Json& message : messages) {
    if (message["role"] != "assistant") continue;
    std::string line = message["content"].get<std::string>();
    for (const Json& call : message["tool_calls"])
      line += call["function"]["name"].get<std::string>() + call["function"]["arguments"].dump();
    return line;
  }
  return {};
}

/// The same of an answer's events.
std::string read_answer(const AnswerForm& form, const std::string& text) {
  AnswerStream stream(form);
  std::vector<AnswerEvent> all;
  for (const char byte : text)
    for (const AnswerEvent& event : stream.feed({&byte, 1})) append(all, event);
  for (const AnswerEvent& event : stream.finish()) append(all, event);
  std::string line;
  for (const AnswerEvent& event : all) {
    if (const auto* delta = std::get_if<ContentDelta>(&event)) line += delta->text;
    if (const auto* begin = std::get_if<CallBegin>(&event)) line += begin->name;
    if (const auto* arguments = std::get_if<CallArguments>(&event))
      line += Json::parse(arguments->text).dump();
    if (const auto* end = std::get_if<CallEnd>(&event)) BOOST_TEST(end->valid);
  }
  return line;
}

BOOST_AUTO_TEST_SUITE(answer_form)

BOOST_AUTO_TEST_CASE(by_name) {
  BOOST_TEST(call_form_names().size() == 7u);
  for (const std::string_view name : call_form_names())
    BOOST_TEST(call_form_names()[static_cast<std::size_t>(call_form(name))] == name);
  BOOST_TEST((call_form("qwen3-coder") == CallForm::qwen3_coder));
  const std::string message = test::message_of([] { call_form("qwen9"); });
  BOOST_TEST(message.find("'qwen9'") != std::string::npos, message);
  BOOST_TEST(message.find("hermes, qwen3-coder") != std::string::npos, message);
}

BOOST_AUTO_TEST_CASE(by_what_a_template_writes) {
  const auto shown = [](std::string_view text) { return answer_form_of_template(text); };
  BOOST_TEST((shown("") == AnswerForm{}));
  BOOST_TEST((shown("{{ '<|im_start|>' }}") == AnswerForm{}));
  BOOST_TEST((shown("<tool_call>{\"arguments\": {{ a }}} </think>") ==
              AnswerForm{CallForm::hermes, think_tags}));
  BOOST_TEST((shown("<tool_call><arg_key> arguments") == AnswerForm{}));
  BOOST_TEST((shown("<tool_call> arguments <function=") == AnswerForm{CallForm::qwen3_coder, {}}));
  BOOST_TEST((shown("<|python_tag|>") == AnswerForm{CallForm::llama3, {}}));
  BOOST_TEST((shown("[TOOL_CALLS] [THINK]") == AnswerForm{CallForm::mistral, mistral_think}));
  BOOST_TEST(
      (shown("'<｜tool▁calls▁begin｜>' '<think>'") == AnswerForm{CallForm::deepseek, think_tags}));
  BOOST_TEST(
      (shown("<|channel|>analysis<|message|>") == AnswerForm{CallForm::harmony, analysis_channel}));
}

BOOST_AUTO_TEST_CASE(prompts_that_begin_the_reasoning) {
  const AnswerForm think{CallForm::hermes, think_tags};
  BOOST_TEST(opens_reasoning(think, "<|im_start|>assistant\n<think>\n"));
  BOOST_TEST(!opens_reasoning(think, "<|im_start|>assistant\n<think>\n\n</think>\n\n"));
  BOOST_TEST(!opens_reasoning(think, ""));
  BOOST_TEST(!opens_reasoning({CallForm::hermes, {}}, "<think>"));
  BOOST_TEST(opens_reasoning({CallForm::harmony, analysis_channel},
                             "<|start|>assistant<|channel|>analysis<|message|>"));
}

BOOST_AUTO_TEST_CASE(types_of_parameters) {
  const ToolSchemas tools(Json::parse(R"([
      {"type": "function", "function": {"name": "f", "parameters":
          {"properties": {"a": {"type": "string"}, "b": {}, "c": 5}}}},
      {"name": "g", "parameters":
          {"properties": {"a": {"type": ["string", "null"]}, "n": {"type": "integer"}}}},
      {"function": 5}, {"name": "h", "parameters": []}, null])"));
  BOOST_TEST(tools.type("f", "a") == "string");
  BOOST_TEST(tools.type("f", "b") == "");
  BOOST_TEST(tools.type("g", "a") == "");
  BOOST_TEST(tools.type("g", "n") == "integer");
  BOOST_TEST(tools.type("h", "n") == "");
  BOOST_TEST(ToolSchemas(Json(5)).type("f", "a") == "");
}

BOOST_AUTO_TEST_CASE(answers_of_public_templates_say_what_went_into_them) {
  const auto data = test::shared_data();
  if (!data) return test::skip(test::no_shared_data());
  std::map<CallForm, int> compared;
  for (const Template& each : templates) {
    const fs::path folder = *data / "chat_templates";
    const AnswerForm form = answer_form_of_template(content(folder / (each.name + ".jinja")));
    BOOST_TEST((form.calls == each.form), each.name);
    for (const Json& one : Json::parse(content(folder / (each.name + ".cases.json")))) {
      if ((one["name"] != "tool_round" && one["name"] != "two_calls") || !one.contains("expected"))
        continue;
      const auto prompt = one["expected"].get<std::string>();
      const std::size_t begin = prompt.find(each.begin) + each.begin.size();
      BOOST_TEST_REQUIRE(begin > each.begin.size(), each.name);
      std::string text = prompt.substr(begin, prompt.find(each.end, begin) - begin);
      BOOST_TEST(read_answer(form, text) == expected_answer(one["messages"]), each.name << text);
      ++compared[each.form];
    }
  }
  BOOST_TEST(compared.size() == 5u);
}

BOOST_AUTO_TEST_CASE(public_templates_of_other_forms_are_not_taken_for_one) {
  const auto data = test::shared_data();
  if (!data) return test::skip(test::no_shared_data());
  for (const char* name :
       {"GLM-4.7-Flash", "MiniMax-M2", "poolside-Laguna-XS-2.1", "muse-glimmer", "Kimi-K3",
        "google-gemma-4-31B-it", "tencent-Hy3", "Apertus-8B-Instruct", "LFM2.5-8B-A1B",
        "openbmb-MiniCPM5-1B", "Cohere2MoE", "microsoft-Phi-3.5-mini-instruct"}) {
    const AnswerForm form =
        answer_form_of_template(content(*data / "chat_templates" / (std::string(name) + ".jinja")));
    BOOST_TEST((form.calls == CallForm::none), name);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
