// AnswerForm: how a model marks reasoning and tool calls in its answers; by name, or as its chat
// template shows it.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace lamina {

enum class CallForm { none, hermes, qwen3_coder, llama3, mistral, deepseek, harmony };

/// What encloses reasoning.
struct ReasoningMarkers {
  std::string_view begin;
  std::string_view end;

  bool operator==(const ReasoningMarkers&) const = default;
};

inline constexpr ReasoningMarkers think_tags{"<think>", "</think>"};
inline constexpr ReasoningMarkers mistral_think{"[THINK]", "[/THINK]"};
inline constexpr ReasoningMarkers analysis_channel{"<|channel|>analysis<|message|>", "<|end|>"};

struct AnswerForm {
  CallForm calls = CallForm::none;
  std::optional<ReasoningMarkers> reasoning;  // of harmony: always the analysis channel

  bool operator==(const AnswerForm&) const = default;
};

/// The names by which forms are chosen: "none", "hermes", "qwen3-coder", "llama3", "mistral",
/// "deepseek", "harmony".
std::span<const std::string_view> call_form_names();
/// Throws Error, listing the names, for another one.
CallForm call_form(std::string_view name);

/// What the text of a chat template shows: the markers it writes. A form that is not among those
/// above is none.
AnswerForm answer_form_of_template(std::string_view chat_template);

/// Whether a rendered prompt leaves the model inside reasoning: it ends with the opening marker, as
/// templates do that begin the answer themselves.
bool opens_reasoning(const AnswerForm& form, std::string_view prompt);

}  // namespace lamina
