// LineEditor: a line from the terminal, with editing and a history that is kept in a file.
//
// By libedit (editline(7), with ~/.editrc as every program that uses it). Text is UTF-8. Ctrl-C
// clears the line, Ctrl-D on an empty line ends the input.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

namespace lamina {

/// $XDG_STATE_HOME/lamina, by default ~/.local/state/lamina; it need not exist.
std::filesystem::path state_folder();

/// What was read: a line, or why there is none.
struct EditedLine {
  enum class Kind { line, cleared, end };
  Kind kind = Kind::end;
  std::string text;           // without the line break
  bool more_waiting = false;  // more came with it, as from a paste
};

class LineEditor {
 public:
  /// Edits on stdin and stdout, which must be a terminal. The history is read from and kept in
  /// `history_file`, which only its owner may read; without it there is none beyond this object.
  explicit LineEditor(const std::filesystem::path& history_file = {});
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  EditedLine read(const std::string& prompt);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lamina
