// libedit's C interface, and a file beside the history that replaces it in one step.
#include "runtime/line_editor.h"

#include "lamina/core/error.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <histedit.h>
#include <langinfo.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <system_error>

namespace lamina {
namespace {

constexpr int history_size = 1000;  // lines

/// libedit reads characters as the locale says: without one it would take UTF-8 for single bytes.
void use_utf8() {
  std::setlocale(LC_CTYPE, "");
  if (std::string_view(nl_langinfo(CODESET)) != "UTF-8") std::setlocale(LC_CTYPE, "C.UTF-8");
}

bool input_waits() {
  constexpr int milliseconds = 5;  // nobody types the next line so soon
  pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
  return poll(&input, 1, milliseconds) > 0 && (input.revents & POLLIN) != 0;
}

}  // namespace

std::filesystem::path state_folder() {
  const char* state = std::getenv("XDG_STATE_HOME");
  if (state != nullptr && *state != '\0') return std::filesystem::path(state) / "lamina";
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home == '\0') {
    throw Error("neither XDG_STATE_HOME nor HOME says where the history of a chat may be kept");
  }
  return std::filesystem::path(home) / ".local" / "state" / "lamina";
}

struct LineEditor::State {
  explicit State(const std::filesystem::path& file) : history_file(file) {
    use_utf8();
    editor = el_init("lamina", stdin, stdout, stderr);
    history = history_init();
    if (editor == nullptr || history == nullptr) throw Error("the terminal cannot be edited on");
    ::history(history, &event, H_SETSIZE, history_size);
    ::history(history, &event, H_SETUNIQUE, 1);
    el_set(editor, EL_CLIENTDATA, this);
    el_set(editor, EL_PROMPT, &State::show_prompt);
    el_set(editor, EL_EDITOR, "emacs");
    el_set(editor, EL_HIST, ::history, history);
    el_set(editor, EL_SIGNAL, 1);  // the terminal is put right when the process stops or ends
    // While a line is edited Ctrl-C and Ctrl-Z are keys like others, and no signals.
    el_set(editor, EL_SETTY, "-d", "-isig", nullptr);
    el_set(editor, EL_ADDFN, "lamina-clear", "clear the line", &State::clear);
    el_set(editor, EL_BIND, "^C", "lamina-clear", nullptr);
    el_set(editor, EL_ADDFN, "lamina-suspend", "suspend the process", &State::suspend);
    el_set(editor, EL_BIND, "^Z", "lamina-suspend", nullptr);
    el_source(editor, nullptr);
    load();
  }

  ~State() {
    if (history != nullptr) history_end(history);
    if (editor != nullptr) el_end(editor);
  }

  static State& of(EditLine* editor) {
    void* state = nullptr;
    el_get(editor, EL_CLIENTDATA, &state);
    return *static_cast<State*>(state);
  }

  static char* show_prompt(EditLine* editor) { return of(editor).prompt.data(); }

  static unsigned char clear(EditLine* editor, int) {
    of(editor).cleared = true;
    return CC_NEWLINE;  // the line ends; what is in it is not used
  }

  /// libedit's handler of the signal puts the terminal right before and after.
  static unsigned char suspend(EditLine*, int) {
    std::raise(SIGTSTP);
    return CC_REDISPLAY;
  }

  void load() {
    std::error_code ignored;
    if (history_file.empty() || !std::filesystem::exists(history_file, ignored)) return;
    if (::history(history, &event, H_LOAD, history_file.c_str()) < 0) {
      spdlog::warn("{}: not a history that can be read; it is begun anew", history_file.string());
    }
  }

  void add(const std::string& line) {
    if (line.find_first_not_of(" \t\n") == std::string::npos) return;
    ::history(history, &event, H_ENTER, line.c_str());
    if (!history_file.empty()) save();
  }

  /// The file is whole at any moment. libedit gives it the mode 0600.
  void save() {
    std::error_code error;
    const auto folder = history_file.parent_path();
    if (!std::filesystem::exists(folder, error) &&
        std::filesystem::create_directories(folder, error)) {
      std::filesystem::permissions(folder, std::filesystem::perms::owner_all, error);
    }
    const std::string part = fmt::format("{}.{}", history_file.string(), getpid());
    errno = 0;
    if (::history(history, &event, H_SAVE, part.c_str()) < 0) {
      error = std::error_code(errno != 0 ? errno : EIO, std::generic_category());
    } else {
      std::filesystem::rename(part, history_file, error);
    }
    if (!error) return;
    spdlog::warn("{}: the history cannot be kept: {}", history_file.string(), error.message());
    history_file.clear();  // said once
  }

  std::filesystem::path history_file;
  EditLine* editor = nullptr;
  History* history = nullptr;
  HistEvent event{};
  std::string prompt;
  bool cleared = false;
};

LineEditor::LineEditor(const std::filesystem::path& history_file)
    : state_(std::make_unique<State>(history_file)) {}

LineEditor::~LineEditor() = default;

EditedLine LineEditor::read(const std::string& prompt) {
  state_->prompt = prompt;
  state_->cleared = false;
  int length = 0;
  const char* line = el_gets(state_->editor, &length);
  if (state_->cleared) {
    std::fputs("\n", stdout);
    std::fflush(stdout);
    return {EditedLine::Kind::cleared, {}, false};
  }
  if (line == nullptr || length <= 0) return {};
  std::string text(line);
  while (text.ends_with('\n') || text.ends_with('\r')) text.pop_back();
  state_->add(text);
  return {EditedLine::Kind::line, std::move(text), input_waits()};
}

}  // namespace lamina
