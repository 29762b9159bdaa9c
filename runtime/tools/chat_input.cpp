// Continuation, blocks and pastes.
#include "runtime/tools/chat_input.h"

#include "lamina/core/error.h"

#include <cerrno>
#include <cstring>
#include <iostream>
#include <optional>
#include <string_view>

namespace lamina {
namespace {

using Kind = EditedLine::Kind;

constexpr std::string_view quotes = "\"\"\"";

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

/// The rest of a block whose first line, without the opening quotes, is `line`; nothing where it
/// was given up.
std::optional<std::string> read_block(std::string_view line, const LineSource& next_line) {
  std::string text;
  EditedLine next;
  for (bool first = true; !line.ends_with(quotes); first = false) {
    if (!first || !line.empty()) text.append(line).append("\n");
    next = next_line(true);
    if (next.kind == Kind::cleared) return std::nullopt;
    if (next.kind == Kind::end) {
      throw Error("the input ended in a block; expected \"\"\" at the end of its last line");
    }
    line = next.text;
  }
  line.remove_suffix(quotes.size());
  if (line.empty() && !text.empty()) text.pop_back();  // the quotes stand on a line of their own
  return text.append(line);
}

/// The message that begins with `line`; nothing where it was given up.
std::optional<std::string> read_lines(EditedLine line, const LineSource& next_line) {
  std::string text;
  while (true) {
    const bool goes_on = line.text.ends_with('\\');
    if (goes_on) line.text.pop_back();
    text += line.text;
    if (!goes_on && !line.more_waiting) return text;
    text += '\n';
    line = next_line(true);
    if (line.kind == Kind::cleared) return std::nullopt;
    if (line.kind == Kind::end) return text;
  }
}

}  // namespace

EditedLine read_stdin_line() {
  std::string line;
  errno = 0;
  if (!std::getline(std::cin, line)) {
    if (std::cin.bad()) throw Error(std::string("stdin: ") + std::strerror(errno));
    return {};
  }
  if (line.ends_with('\r')) line.pop_back();
  return {Kind::line, std::move(line), false};
}

ChatInput read_chat_input(const LineSource& next_line) {
  while (true) {
    EditedLine line = next_line(false);
    if (line.kind == Kind::end) return {};
    if (line.kind == Kind::cleared) continue;
    std::optional<std::string> text;
    if (line.text.starts_with(quotes)) {
      text = read_block(std::string_view(line.text).substr(quotes.size()), next_line);
    } else if (line.text.starts_with('/')) {
      return {ChatInput::Kind::command, line.text};
    } else {
      text = read_lines(std::move(line), next_line);
    }
    if (text && !is_blank(*text)) return {ChatInput::Kind::message, *text};
  }
}

}  // namespace lamina
