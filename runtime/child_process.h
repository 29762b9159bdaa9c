// Running another program: an argument list, never a shell, and its exit code.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace lamina {

struct ChildProcess {
  std::vector<std::string> arguments{};  // the program, looked up on PATH, then what it is given
  std::vector<std::pair<std::string, std::string>> environment{};  // added to this process's own
  std::filesystem::path log{};   // takes stdout and stderr; empty: both go to this process's stderr
  std::function<bool()> stop{};  // asked every few milliseconds; true ends the child
};

struct ChildResult {
  bool found = false;    // whether there was such a program
  bool stopped = false;  // whether `stop` ended it
  int exit_code = -1;    // 128 + signal where a signal ended it
};

/// Runs the program to its end. Throws Error where it cannot be started for another reason than
/// that it does not exist.
ChildResult run(const ChildProcess& child);

}  // namespace lamina
