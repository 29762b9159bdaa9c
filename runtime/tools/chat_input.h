// Where what the user says comes from: lines of a terminal or of stdin, put together to messages.
//
// A line that ends in a backslash goes on in the next one. A line that begins with """ opens a
// block, which ends with the next """ at the end of a line; in between, lines stand as they are
// (quotes on a line of their own add no empty one).
// Lines that arrive at once on a terminal, as from a paste, are one message. A message that begins
// with / is a command, unless it stands in a block.
#pragma once

#include "runtime/line_editor.h"

#include <functional>
#include <string>

namespace lamina {

struct ChatInput {
  enum class Kind { message, command, end };
  Kind kind = Kind::end;
  std::string text{};
};

/// The next line; `continued` where it belongs to a message that has begun.
using LineSource = std::function<EditedLine(bool continued)>;

/// Lines of stdin, as they are. Throws Error where reading fails.
EditedLine read_stdin_line();

/// The next message that is not blank, or command. Throws Error where the input ends in a block.
ChatInput read_chat_input(const LineSource& next_line);

}  // namespace lamina
