// posix_spawnp with redirected output, and waiting that can be given up.
#include "runtime/child_process.h"

#include "lamina/core/error.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <string_view>
#include <thread>

namespace lamina {
namespace {

using Clock = std::chrono::steady_clock;

/// Null-terminated pointers into `texts`, as exec wants them.
std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (std::string& text : texts) list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

std::vector<std::string> environment_with(
    const std::vector<std::pair<std::string, std::string>>& added) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    bool replaced = false;
    for (const auto& [name, value] : added) replaced |= text.starts_with(name + "=");
    if (!replaced) all.emplace_back(text);
  }
  for (const auto& [name, value] : added) all.push_back(fmt::format("{}={}", name, value));
  return all;
}

int spawn(const ChildProcess& child, pid_t& pid) {
  std::vector<std::string> arguments = child.arguments;
  std::vector<std::string> environment = environment_with(child.environment);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (child.log.empty()) {
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  } else {
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, child.log.c_str(),
                                     O_WRONLY | O_CREAT | O_APPEND, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  }
  // A shell starts background jobs with Ctrl-C ignored; the child must hear it all the same.
  sigset_t heard;
  sigemptyset(&heard);
  sigaddset(&heard, SIGINT);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setsigdefault(&attributes, &heard);
  const int error = posix_spawnp(&pid, arguments[0].c_str(), &actions, &attributes,
                                 pointers(arguments).data(), pointers(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

/// Ctrl-C first, so that the child can tidy up; kills it when it takes longer than three seconds.
void end_child(pid_t pid, bool& asked, Clock::time_point& asked_at) {
  if (!asked) {
    asked = true;
    asked_at = Clock::now();
    kill(pid, SIGINT);
  } else if (Clock::now() - asked_at > std::chrono::seconds(3)) {
    kill(pid, SIGKILL);
  }
}

}  // namespace

ChildResult run(const ChildProcess& child) {
  pid_t pid = 0;
  const int error = spawn(child, pid);
  if (error == ENOENT) return {};
  if (error != 0) {
    throw Error(fmt::format("{} cannot be started: {}", child.arguments[0], std::strerror(error)));
  }
  ChildResult result{.found = true};
  Clock::time_point asked_at;
  int status = 0;
  for (pid_t ended = 0; ended != pid;) {
    ended = waitpid(pid, &status, WNOHANG);
    if (ended < 0 && errno != EINTR) {
      throw Error(fmt::format("{} was lost: {}", child.arguments[0], std::strerror(errno)));
    }
    if (ended == pid) break;
    if (child.stop && child.stop()) end_child(pid, result.stopped, asked_at);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace lamina
