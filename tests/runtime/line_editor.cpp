// Keys on a pseudo-terminal, and the lines that come of them.
#include "runtime/line_editor.h"

#include "runtime/environment.h"
#include "runtime/temporary_folder.h"
#include "tests/runtime/tools/run_program.h"

#include <poll.h>
#include <pty.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <thread>

namespace lamina {
namespace {

/// A process on a terminal of its own, driven by keys.
class Terminal {
 public:
  explicit Terminal(const std::function<void()>& program) {
    const winsize size{.ws_row = 24, .ws_col = 200, .ws_xpixel = 0, .ws_ypixel = 0};
    process_ = forkpty(&terminal_, nullptr, nullptr, &size);
    BOOST_TEST_REQUIRE(process_ >= 0);
    if (process_ > 0) return;
    setenv("TERM", "xterm", 1);
    program();
    _exit(0);
  }
  ~Terminal() {
    close(terminal_);
    if (process_ > 0) kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  void type(const std::string& keys) const {
    BOOST_TEST_REQUIRE(write(terminal_, keys.data(), keys.size()) ==
                       static_cast<ssize_t>(keys.size()));
  }

  /// What is shown until `text` has been; fails where that does not happen.
  std::string wait_for(const std::string& text) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (shown_.find(text) == std::string::npos) {
      pollfd output{.fd = terminal_, .events = POLLIN, .revents = 0};
      char bytes[4096];
      const bool late = std::chrono::steady_clock::now() > deadline;
      const ssize_t count =
          !late && poll(&output, 1, 1000) >= 0 && (output.revents & (POLLIN | POLLHUP)) != 0
              ? read(terminal_, bytes, sizeof bytes)
              : 0;
      if (count > 0) shown_.append(bytes, static_cast<std::size_t>(count));
      BOOST_REQUIRE_MESSAGE(!late && count >= 0, "'" << text << "' is not shown: " << shown_);
    }
    const std::size_t end = shown_.find(text) + text.size();
    std::string before = shown_.substr(0, end);
    shown_.erase(0, end);
    return before;
  }

  /// The editor shows its prompt a moment before it takes the keys from the terminal's own editing.
  void wait_for_prompt() {
    wait_for("> ");
    const auto deadline = std::chrono::steady_clock::now() + patience;
    termios settings{};
    while (tcgetattr(terminal_, &settings) == 0 && (settings.c_lflag & ICANON) != 0) {
      BOOST_REQUIRE_MESSAGE(std::chrono::steady_clock::now() < deadline, "keys are not read");
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

 private:
  static constexpr std::chrono::seconds patience{120};

  int terminal_ = -1;
  pid_t process_ = -1;
  std::string shown_;
};

/// Reads lines and prints each as [text] or <why there is none>.
void echo_lines(const std::filesystem::path& history) {
  LineEditor editor(history);
  while (true) {
    const EditedLine line = editor.read("> ");
    if (line.kind == EditedLine::Kind::end) break;
    const bool cleared = line.kind == EditedLine::Kind::cleared;
    std::printf("%s%s%s\n", cleared ? "<cleared>" : ("[" + line.text + "]").c_str(),
                line.more_waiting ? "+" : ";", "");
    std::fflush(stdout);
  }
  std::printf("<end>\n");
  std::fflush(stdout);
}

BOOST_AUTO_TEST_SUITE(line_editor)

BOOST_AUTO_TEST_CASE(editing) {
  Terminal terminal([] { echo_lines({}); });
  terminal.wait_for_prompt();
  terminal.type("helXlo\x1b[D\x1b[D\x7f\n");  // two to the left, and X is gone
  terminal.wait_for("[hello];");
  terminal.wait_for_prompt();
  terminal.type(
      "gr\xC3\xB6\xC3\x9F"
      "e\x7f\x7f\xC3\x9F \xE4\xBD\xA0\n");
  terminal.wait_for("[gr\xC3\xB6\xC3\x9F \xE4\xBD\xA0];");
  terminal.wait_for_prompt();
  terminal.type("\x1b[A\x1b[A\n");  // the line before the last
  terminal.wait_for("[hello];");
  terminal.wait_for_prompt();
  terminal.type("\n");
  terminal.wait_for("[];");
}

BOOST_AUTO_TEST_CASE(ctrl_c_clears_and_ctrl_d_ends) {
  Terminal terminal([] { echo_lines({}); });
  terminal.wait_for_prompt();
  terminal.type("not this\x03");
  terminal.wait_for("<cleared>;");
  terminal.wait_for_prompt();
  terminal.type("this\n");
  terminal.wait_for("[this];");
  terminal.wait_for_prompt();
  terminal.type("\x04");
  terminal.wait_for("<end>");
}

BOOST_AUTO_TEST_CASE(lines_that_arrive_at_once) {
  Terminal terminal([] { echo_lines({}); });
  terminal.wait_for_prompt();
  terminal.type("one\ntwo\nthree\n");
  terminal.wait_for("[one]+");
  terminal.wait_for("[two]+");
  terminal.wait_for("[three];");
}

BOOST_AUTO_TEST_CASE(the_history_is_kept_in_a_private_file) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "state" / "lamina" / "history";
  {
    Terminal terminal([&] { echo_lines(file); });
    terminal.wait_for_prompt();
    terminal.type("first line\n");
    terminal.wait_for("[first line];");
  }
  struct stat status = {};
  BOOST_TEST_REQUIRE(stat(file.c_str(), &status) == 0);
  BOOST_TEST((status.st_mode & 0777U) == 0600U);
  Terminal terminal([&] { echo_lines(file); });
  terminal.wait_for_prompt();
  terminal.type("\x1b[A!\n");
  terminal.wait_for("[first line!];");
}

BOOST_AUTO_TEST_CASE(a_damaged_history_is_begun_anew) {
  const test::TemporaryFolder folder;
  const auto file = folder.write("history", "no\0history\xFF");
  Terminal terminal([&] { echo_lines(file); });
  terminal.wait_for("not a history that can be read");
  terminal.wait_for_prompt();
  terminal.type("line\n");
  terminal.wait_for("[line];");
  terminal.wait_for_prompt();
  BOOST_TEST(test::content(file).find("line") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(where_the_history_is) {
  const test::Environment home("HOME", "/nowhere");
  {
    const test::Environment state("XDG_STATE_HOME", "/state");
    BOOST_TEST(state_folder() == "/state/lamina");
  }
  const test::Environment state("XDG_STATE_HOME", "");
  BOOST_TEST(state_folder() == "/nowhere/.local/state/lamina");
}

BOOST_AUTO_TEST_CASE(a_chat_on_a_terminal) {
  const test::Program lamina;
  const auto folder = lamina.folder().path();
  lamina.folder().write("chat.jinja", "{% for m in messages %}{{ m.content }}{% endfor %}");
  const std::string model = lamina.model();
  Terminal terminal([&] {
    setenv("XDG_STATE_HOME", folder.c_str(), 1);
    const std::string chat = (folder / "chat.jinja").string();
    execl(LAMINA_BINARY_DIR "/lamina", "lamina", "chat", model.c_str(), "--chat-template",
          chat.c_str(), "--greedy", "-c", "1000000", nullptr);
  });
  terminal.wait_for("/help lists the commands");
  terminal.wait_for_prompt();
  terminal.type("/set n 8\n");
  terminal.wait_for_prompt();
  terminal.type("hello\n");
  terminal.wait_for("hello\r\n");
  const std::string answer = terminal.wait_for("\r\n");
  BOOST_TEST(answer.size() > 4u);
  terminal.wait_for_prompt();
  terminal.type("/dance\n");  // an error does not end it
  terminal.wait_for("error: /dance is no command");
  terminal.wait_for_prompt();
  terminal.type("/set n all\n");
  terminal.wait_for_prompt();
  terminal.type("go on\n");
  terminal.wait_for("go on\r\n");
  terminal.wait_for("e");  // the answer has begun; it would not end by itself
  terminal.type("\x03");
  terminal.wait_for("\r\n");
  terminal.wait_for_prompt();
  terminal.type("/save " + (folder / "saved.json").string() + "\n");
  terminal.wait_for("saved to");
  terminal.wait_for_prompt();
  terminal.type("\x04");
  BOOST_TEST(test::Json::parse(test::content(folder / "saved.json"))["messages"].size() == 4u);
  BOOST_TEST(std::filesystem::exists(folder / "lamina" / "chat_history"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
