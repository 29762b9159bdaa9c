// Runs a Python script that stands beside the tests of chat templates.
#pragma once

#include "runtime/child_process.h"
#include "tests/runtime/temporary_folder.h"
#include "tests/skip.h"

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

namespace lamina::test {

/// What `script` writes into the file that is its first argument. Where $LAMINA_PYTHON (default:
/// python3) cannot import `module`, the test is reported as skipped and there is nothing.
inline std::optional<std::string> output_of_script(const std::string& script,
                                                   const std::string& module,
                                                   const std::vector<std::string>& more = {}) {
  const TemporaryFolder folder;
  const char* chosen = std::getenv("LAMINA_PYTHON");
  const std::string python = chosen != nullptr ? chosen : "python3";
  const auto log = folder.path() / "log";
  const ChildResult there = run({.arguments = {python, "-c", "import " + module}, .log = log});
  if (!there.found || there.exit_code != 0) {
    skip(python + " cannot import " + module +
         ": set LAMINA_PYTHON to one that can (tests/requirements.txt)");
    return std::nullopt;
  }
  const auto path =
      std::filesystem::path(LAMINA_SOURCE_DIR) / "tests" / "runtime" / "chat_template" / script;
  const auto output = folder.path() / "output";
  std::vector<std::string> arguments = {python, "-W", "ignore", path.string(), output.string()};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const ChildResult made = run({.arguments = arguments, .log = log});
  std::ifstream said(log);
  BOOST_TEST_REQUIRE(made.exit_code == 0, said.rdbuf());
  std::ifstream file(output, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace lamina::test
