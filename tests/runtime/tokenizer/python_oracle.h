// What a Python script of oracles/ says: the file it writes, read piece by piece.
//
// Numbers are 32 bits, scores 64-bit floats, in native byte order; texts and lists are preceded by
// their length (oracle_texts.py).
#pragma once

#include "lamina/core/types.h"
#include "runtime/child_process.h"
#include "tests/runtime/temporary_folder.h"
#include "tests/runtime/tokenizer/seed.h"
#include "tests/skip.h"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lamina::test {

class PythonOracle {
 public:
  explicit PythonOracle(std::string bytes) : bytes_(std::move(bytes)) {}

  std::uint32_t number() { return value<std::uint32_t>(); }
  double score() { return value<double>(); }
  std::string text() {
    const std::uint32_t size = number();
    BOOST_TEST_REQUIRE(size <= bytes_.size() - at_);
    at_ += size;
    return bytes_.substr(at_ - size, size);
  }
  std::vector<Token> tokens() {
    std::vector<Token> read(number());
    for (Token& token : read) token = static_cast<Token>(number());
    return read;
  }
  std::vector<std::string> texts() {
    std::vector<std::string> read(number());
    for (std::string& each : read) each = text();
    return read;
  }
  bool at_end() const { return at_ == bytes_.size(); }

 private:
  template <class T>
  T value() {
    T read{};
    BOOST_TEST_REQUIRE(sizeof read <= bytes_.size() - at_);
    std::memcpy(&read, bytes_.data() + at_, sizeof read);
    at_ += sizeof read;
    return read;
  }

  std::string bytes_;
  std::size_t at_ = 0;
};

/// Results that differ from those of a script, by the name of what gave them.
class Differences {
 public:
  /// Counts one; whether it is among the few to tell of.
  bool add(const std::string& name) { return counts_[name]++ < 3; }

  /// A failure for each name with differences.
  void check(std::string_view what) const {
    for (const auto& [name, count] : counts_) {
      BOOST_ERROR(name << ": " << count << " " << what << " differ");
    }
  }

 private:
  std::map<std::string, int> counts_;
};

/// Runs tests/runtime/tokenizer/oracles/`script` OUTPUT SEED MORE..., prints what it says and reads
/// OUTPUT. Where $LAMINA_PYTHON (default: python3) cannot import `modules`, the test is reported as
/// skipped and there is none.
inline std::optional<PythonOracle> python_oracle(const std::string& script,
                                                 const std::string& modules,
                                                 const std::vector<std::string>& more = {}) {
  const TemporaryFolder folder;
  const char* chosen = std::getenv("LAMINA_PYTHON");
  const std::string python = chosen != nullptr ? chosen : "python3";
  const auto log = folder.path() / "log";
  const ChildResult there = run({.arguments = {python, "-c", "import " + modules}, .log = log});
  if (!there.found || there.exit_code != 0) {
    skip(python + " cannot import " + modules +
         ": set LAMINA_PYTHON to one that can (tests/requirements.txt)");
    return std::nullopt;
  }
  const auto path = std::filesystem::path(LAMINA_SOURCE_DIR) / "tests" / "runtime" / "tokenizer" /
                    "oracles" / script;
  const auto output = folder.path() / "output";
  std::vector<std::string> arguments = {python, path.string(), output.string(),
                                        std::to_string(seed())};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const ChildResult made = run({.arguments = arguments, .log = log});
  std::ifstream log_file(log);
  const std::string said(std::istreambuf_iterator<char>(log_file), {});
  BOOST_TEST_REQUIRE(made.exit_code == 0, said);
  std::printf("%s", said.c_str());
  std::ifstream file(output, std::ios::binary);
  return PythonOracle(std::string(std::istreambuf_iterator<char>(file), {}));
}

}  // namespace lamina::test
