// Telling forms apart by what only they write.
#include "runtime/streaming/answer_form.h"

#include "lamina/core/error.h"
#include "lamina/gguf/quoted.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace lamina {
namespace {

// In the order of CallForm.
constexpr std::string_view names[] = {"none",    "hermes",   "qwen3-coder", "llama3",
                                      "mistral", "deepseek", "harmony"};

CallForm calls_of(std::string_view text) {
  const auto has = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
  if (has("<|channel|>") && has("<|message|>")) return CallForm::harmony;
  if (has("<tool_call>") && has("<function=")) return CallForm::qwen3_coder;
  if (has("<tool_call>") && has("arguments") && !has("<arg_key>")) return CallForm::hermes;
  if (has("[TOOL_CALLS]")) return CallForm::mistral;
  if (has("<｜tool▁calls▁begin｜>")) return CallForm::deepseek;
  if (has("<|python_tag|>") || (has("<|start_header_id|>") && has("ipython"))) {
    return CallForm::llama3;
  }
  return CallForm::none;
}

std::optional<ReasoningMarkers> reasoning_of(std::string_view text, CallForm calls) {
  if (calls == CallForm::harmony) return analysis_channel;
  for (const ReasoningMarkers& markers : {mistral_think, think_tags}) {
    if (text.find(markers.begin) != std::string_view::npos ||
        text.find(markers.end) != std::string_view::npos)
      return markers;
  }
  return std::nullopt;
}

}  // namespace

std::span<const std::string_view> call_form_names() { return names; }

CallForm call_form(std::string_view name) {
  const auto found = std::find(std::begin(names), std::end(names), name);
  if (found != std::end(names)) return static_cast<CallForm>(found - std::begin(names));
  throw Error(fmt::format("{} is no form of tool calls; expected one of: {}", quoted(name),
                          fmt::join(names, ", ")));
}

AnswerForm answer_form_of_template(std::string_view chat_template) {
  const CallForm calls = calls_of(chat_template);
  return {calls, reasoning_of(chat_template, calls)};
}

bool opens_reasoning(const AnswerForm& form, std::string_view prompt) {
  const std::size_t end = prompt.find_last_not_of(" \t\r\n") + 1;  // npos + 1 is 0
  return form.reasoning && prompt.substr(0, end).ends_with(form.reasoning->begin);
}

}  // namespace lamina
