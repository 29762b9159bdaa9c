// Fuzz target of chat templates: any text as a template, over a fixed conversation.
#include "runtime/chat_template/chat_template.h"

#include <cstdint>
#include <cstdlib>
#include <string>

using namespace lamina;

namespace {

nlohmann::ordered_json variables() {
  return nlohmann::ordered_json::parse(R"({
    "messages": [{"role": "system", "content": "é日"},
                 {"role": "user", "content": [{"type": "text", "text": "<b> a\nb "}]},
                 {"role": "assistant", "content": null, "tool_calls": [
                   {"id": "1", "function": {"name": "f", "arguments": {"x": [1, 2.5, true]}}}]}],
    "tools": [{"name": "f", "parameters": {"type": "object"}}], "documents": null,
    "add_generation_prompt": true, "bos_token": "<s>", "eos_token": "</s>",
    "s": "Hello, World", "i": 7, "x": 2.5, "l": [3, 1, 2], "d": {"a": 1, "b": [1]}})");
}

RenderOptions options() {
  RenderOptions small;
  small.clock = [] { return LocalTime{2026, 11, 29, 12, 34, 56}; };
  small.limits = {20'000, 32, 1u << 20, 10'000, 32u << 20};
  return small;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const nlohmann::ordered_json seen = variables();
  static const RenderOptions limits = options();
  try {
    const ChatTemplate chat_template({reinterpret_cast<const char*>(data), size}, "fuzz");
    const auto parts = chat_template.render(seen, limits);
    // The same again, and never an empty part or two of one kind beside each other.
    if (chat_template.render(seen, limits) != parts) std::abort();
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].text.empty()) std::abort();
      if (i > 0 && parts[i].from_user == parts[i - 1].from_user) std::abort();
    }
  } catch (const TemplateError&) {  // what a bad template is answered with
  }
  return 0;
}
