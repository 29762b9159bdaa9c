// Fuzz target of the recognition of reasoning and tool calls: whatever the answer, however it is
// cut, the events are those of the whole text; each is whole UTF-8; calls are numbered in order,
// end before the next begins, and are valid where another parser finds a JSON object.
#include "runtime/streaming/answer_stream.h"
#include "runtime/unicode/utf8.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

using namespace lamina;

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

void check_text(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = well_formed_length(text);
    require(length != 0);
    text.remove_prefix(length);
  }
}

void check_order(const std::vector<AnswerEvent>& events) {
  int calls = 0;
  bool open = false;
  std::string arguments;
  for (const AnswerEvent& event : events) {
    if (const auto* begin = std::get_if<CallBegin>(&event)) {
      require(!open && begin->call == calls++ && !begin->name.empty());
      open = true;
      arguments.clear();
    } else if (const auto* part = std::get_if<CallArguments>(&event)) {
      require(open && part->call == calls - 1);
      arguments += part->text;
    } else if (const auto* end = std::get_if<CallEnd>(&event)) {
      require(open && end->call == calls - 1);
      open = false;
      if (end->valid) require(nlohmann::json::parse(arguments, nullptr, false).is_object());
    } else {
      require(!open);
    }
  }
  require(!open);
}

std::vector<AnswerEvent> read(const AnswerForm& form, bool inside, std::string_view text,
                              std::size_t most) {
  AnswerStream stream(form, inside);
  std::vector<AnswerEvent> all;
  const auto take = [&](std::vector<AnswerEvent> events) {
    for (AnswerEvent& event : events) {
      if (const auto* delta = std::get_if<ContentDelta>(&event)) check_text(delta->text);
      if (const auto* delta = std::get_if<ReasoningDelta>(&event)) check_text(delta->text);
      if (const auto* delta = std::get_if<CallArguments>(&event)) check_text(delta->text);
      append(all, std::move(event));
    }
  };
  std::size_t length = 1;
  for (std::size_t at = 0; at < text.size(); at += length) {
    length = most == 1 ? 1 : 1 + (length * 7 + static_cast<unsigned char>(text[at])) % most;
    take(stream.feed(text.substr(at, length)));
  }
  take(stream.finish());
  return all;
}

}  // namespace

/// The first byte chooses the form: 0 harmony, 2 hermes, 3 qwen3-coder, 4 llama3, ...
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const AnswerForm form{static_cast<CallForm>(data[0] % 7),
                        (data[0] & 64) != 0 ? mistral_think : think_tags};
  const bool inside = (data[0] & 128) != 0;
  const std::vector<AnswerEvent> bytewise = read(form, inside, text, 1);
  check_order(bytewise);
  require(bytewise == read(form, inside, text, 9));
  require(bytewise == read(form, inside, text, std::max<std::size_t>(2, text.size())));
  return 0;
}
