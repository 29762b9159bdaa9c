// ChatPrinter: an answer on stdout while it comes: its text, reasoning told apart, calls of tools
// as JSON lines.
#pragma once

#include "runtime/chat_answer.h"

#include <string_view>

namespace lamina {

class ChatPrinter {
 public:
  /// `dim`: reasoning is shown dimmed, for a terminal; else between <think> and </think>.
  ChatPrinter(bool show_reasoning, bool dim) : show_reasoning_(show_reasoning), dim_(dim) {}

  void print(const AnswerEvent& event);
  /// Ends the last line.
  void finish();

 private:
  void begin_reasoning();
  void end_reasoning();
  void put(std::string_view text);
  void begin_line();
  void print_call(bool valid);

  bool show_reasoning_;
  bool dim_;
  bool in_reasoning_ = false;
  bool at_line_start_ = true;
  ChatAnswer answer_;  // for its calls
};

}  // namespace lamina
