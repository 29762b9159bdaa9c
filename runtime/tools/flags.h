// The flags that several commands share, and how their values are read.
//
// Numbers are decimal and taken whole: "010" is ten and "3x" an error. Every error names the flag,
// what was found and what was expected.
#pragma once

#include "lamina/core/error.h"
#include "lamina/core/types.h"
#include "runtime/registry.h"

#include <CLI/App.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lamina {

/// A mistake in the command line: the program ends with exit code 2 instead of 1.
class UsageError : public Error {
 public:
  using Error::Error;
};

/// A whole number in [least, most].
std::int64_t parse_integer(std::string_view flag, const std::string& text, std::int64_t least,
                           std::int64_t most);
/// A finite number.
double parse_number(std::string_view flag, const std::string& text);
/// Token ids separated by commas or blanks; brackets around them, as in JSON, are allowed.
std::vector<Token> parse_tokens(std::string_view flag, const std::string& text);
/// Throws UsageError where a token is not in a vocabulary of `vocab`.
void check_tokens(std::string_view flag, const std::vector<Token>& tokens, std::int64_t vocab);

/// The formats that keys and values can be stored in, and one of them by its name.
std::vector<std::string> store_formats();
FormatId parse_store_format(std::string_view flag, const std::string& text);

/// Adds an option that takes one value and hands it, as it is, to `take`.
CLI::Option* add_value(CLI::App& command, const std::string& names, const std::string& kind,
                       const std::string& help, std::function<void(const std::string&)> take);

/// Adds the positional MODEL.
void add_model(CLI::App& command, std::string& model);

/// Flags that every command takes.
struct GeneralFlags {
  int threads = 0;  // 0: as many as this process may use
  std::optional<std::uint64_t> seed;
  bool json = false;

  void add_to(CLI::App& command);
};

/// Flags of the commands that compute.
struct ComputeFlags {
  std::string backend = "cpu";
  std::string isa;  // empty: the best the machine has
  bool repack = true;
  std::optional<FormatId> key_format;
  std::optional<FormatId> value_format;
  std::optional<Position> context;

  void add_to(CLI::App& command);
  /// Adds --kv-k and --kv-v; `usual` says what is used without them.
  void add_kv_to(CLI::App& command, const std::string& usual);
  /// Adds -c.
  void add_context_to(CLI::App& command);
  LoadOptions load_options(const GeneralFlags& general) const;
};

/// Where a text or a list of tokens comes from: -p, -f, --tokens or `-`, exactly one of those
/// added.
struct InputFlags {
  std::optional<std::string> prompt;
  std::optional<std::string> file;
  std::optional<std::string> tokens;
  bool from_stdin = false;

  /// Adds those whose letters `which` has: p, f, t (--tokens), - (stdin).
  void add_to(CLI::App& command, std::string_view which);
  /// Throws UsageError where none or more than one was given.
  void check() const;
  /// The text, unchanged; reads the file or stdin. Not for --tokens.
  std::string text() const;

 private:
  std::string allowed_;
  std::string word_;  // what stands where - may
};

/// The threads to run on: those asked for, with a warning where they are more than the process may
/// use at once.
int threads_to_use(int asked);

/// The backends and instruction sets of this build.
std::vector<std::string> known_backends();
std::vector<std::string> known_isas();

}  // namespace lamina
