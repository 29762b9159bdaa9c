// Line ends and colours around what the model says.
#include "runtime/tools/chat_printer.h"

#include "runtime/json_text.h"
#include "runtime/tools/output.h"

#include <nlohmann/json.hpp>

namespace lamina {

void ChatPrinter::put(std::string_view text) {
  if (text.empty()) return;
  print_text(text);
  at_line_start_ = text.ends_with('\n');
}

void ChatPrinter::begin_line() {
  if (!at_line_start_) put("\n");
}

void ChatPrinter::begin_reasoning() {
  if (in_reasoning_) return;
  in_reasoning_ = true;
  begin_line();
  print_text(dim_ ? "\x1b[2m" : "<think>\n");
}

void ChatPrinter::end_reasoning() {
  if (!in_reasoning_) return;
  in_reasoning_ = false;
  begin_line();
  print_text(dim_ ? "\x1b[0m" : "</think>\n");
}

void ChatPrinter::print(const AnswerEvent& event) {
  if (const auto* reasoning = std::get_if<ReasoningDelta>(&event)) {
    if (!show_reasoning_) return;
    begin_reasoning();
    return put(reasoning->text);
  }
  end_reasoning();
  if (const auto* content = std::get_if<ContentDelta>(&event)) return put(content->text);
  answer_.add(event);
  if (const auto* end = std::get_if<CallEnd>(&event)) print_call(end->valid);
}

/// One line of JSON. Arguments that are none are shown as the string they are.
void ChatPrinter::print_call(bool valid) {
  using Json = nlohmann::ordered_json;
  const Json& call = answer_.calls().back();
  const auto arguments = call["function"]["arguments"].get<std::string>();
  Json line = {{"tool_call", call["function"]["name"]}, {"id", call["id"]}};
  line["arguments"] = valid ? parse_ordered_json(arguments, "arguments") : Json(arguments);
  begin_line();
  put(line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

void ChatPrinter::finish() {
  end_reasoning();
  begin_line();
}

}  // namespace lamina
