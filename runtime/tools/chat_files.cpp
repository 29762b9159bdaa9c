// Saving and loading: a file is whole or not there, and never replaced unasked.
#include "lamina/core/error.h"
#include "runtime/tools/chat_commands.h"
#include "runtime/tools/chat_settings.h"
#include "runtime/tools/input_file.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <system_error>

namespace lamina {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, std::string_view what) {
  throw Error(fmt::format("{}: {}", path.string(), what));
}

/// Writes all of it to a new file beside `path`, which only its owner may read, and returns its
/// name.
std::string write_beside(const fs::path& path, const std::string& text) {
  std::string name = path.string() + ".XXXXXX";
  const int file = mkstemp(name.data());
  if (file < 0) fail(path, std::string("cannot be written: ") + std::strerror(errno));
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = write(file, text.data() + done, text.size() - done);
    if (count < 0 && errno != EINTR) break;
    if (count > 0) done += static_cast<std::size_t>(count);
  }
  const bool written = done == text.size() && fsync(file) == 0;
  const int error = errno;
  close(file);
  if (written) return name;
  unlink(name.c_str());
  fail(path, std::string("writing failed: ") + std::strerror(error));
}

int rename_over(const std::string& from, const fs::path& to) {
  return std::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

/// EEXIST where there is a file; also on file systems that cannot look and rename in one step.
int rename_new(const std::string& from, const fs::path& to) {
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL) return errno;
  std::error_code ignored;
  return fs::exists(to, ignored) ? EEXIST : rename_over(from, to);
}

}  // namespace

void save_chat(ChatSession& chat, const fs::path& path, bool replace) {
  auto saved = chat.conversation.to_json();
  saved["settings"] = settings_json(chat);
  using Json = nlohmann::ordered_json;
  const std::string part =
      write_beside(path, saved.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
  const bool may_replace = replace || path == chat.file;
  const int error = may_replace ? rename_over(part, path) : rename_new(part, path);
  if (error == 0) {
    chat.file = path;
    return;
  }
  unlink(part.c_str());
  if (error == EEXIST) fail(path, "exists already; /save -f FILE replaces it");
  fail(path, std::string("cannot be written: ") + std::strerror(error));
}

void load_chat(ChatSession& chat, const fs::path& path) {
  const auto saved = read_conversation(read_json_file("", path), path.string());
  Conversation loaded(saved);
  if (const auto settings = saved.find("settings"); settings != saved.end()) {
    try {
      apply_settings(chat, *settings);
    } catch (const Error& error) {
      fail(path, std::string("settings: ") + error.what());
    }
  }
  chat.conversation = std::move(loaded);
  chat.file = path;
}

}  // namespace lamina
