// Choosing the reader, and feeding it little by little.
#include "runtime/streaming/answer_stream.h"

#include <algorithm>
#include <utility>

namespace lamina {
namespace {

// The markers are searched for in what is undecided, which is therefore kept short.
constexpr std::size_t slice = 1024;  // bytes

MarkedAnswer::Calls calls_of(CallForm form, ToolSchemas tools) {
  switch (form) {
    case CallForm::hermes:
      return HermesCalls();
    case CallForm::qwen3_coder:
      return XmlCalls(std::move(tools));
    case CallForm::llama3:
      return LlamaCalls();
    case CallForm::mistral:
      return MistralCalls();
    case CallForm::deepseek:
      return DeepSeekCalls();
    default:
      return NoCalls();
  }
}

std::variant<MarkedAnswer, HarmonyAnswer> reader_of(const AnswerForm& form, bool in_reasoning,
                                                    ToolSchemas tools) {
  if (form.calls == CallForm::harmony) return HarmonyAnswer(in_reasoning);
  return MarkedAnswer(calls_of(form.calls, std::move(tools)), form.reasoning, in_reasoning);
}

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80; }

}  // namespace

AnswerStream::AnswerStream(const AnswerForm& form, bool in_reasoning, ToolSchemas tools)
    : reader_(reader_of(form, in_reasoning, std::move(tools))) {}

void AnswerStream::read(std::string_view characters) {
  while (!characters.empty()) {
    std::size_t count = std::min(slice, characters.size());
    while (count < characters.size() && is_continuation(characters[count])) ++count;
    text_.add(characters.substr(0, count));
    characters.remove_prefix(count);
    std::visit([&](auto& reader) { reader.read(text_); }, reader_);
  }
}

std::vector<AnswerEvent> AnswerStream::feed(std::string_view bytes) {
  read(characters_.feed(bytes));
  return text_.take_events();
}

std::vector<AnswerEvent> AnswerStream::finish() {
  read(characters_.finish());
  text_.end();
  std::visit([&](auto& reader) { reader.read(text_); }, reader_);
  return text_.take_events();
}

}  // namespace lamina
