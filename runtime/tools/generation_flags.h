// The flags of the commands that generate: how tokens are chosen, and where the text ends.
//
// A setting has one name: `top_k` is the flag --top-k and what `/set top_k` changes in a chat.
#pragma once

#include "lamina/gguf/metadata.h"
#include "runtime/sampling.h"
#include "runtime/streaming/chunker.h"
#include "runtime/tools/flags.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lamina {

/// A number among the settings of sampling.
struct SamplingNumber {
  std::string_view name;
  std::variant<double SamplingSettings::*, std::int64_t SamplingSettings::*> member;
  std::string_view help;
};

std::span<const SamplingNumber> sampling_numbers();

/// Gives `setting` the value that `text` says; `shown` is what the user calls it. Throws UsageError
/// for what is no number or out of range.
void set_sampling(SamplingSettings& settings, const SamplingNumber& setting,
                  const std::string& shown, const std::string& text);

/// --greedy, --temperature and the others.
class SamplingFlags {
 public:
  void add_to(CLI::App& command);
  /// What the file asks for, changed by the flags in the order given.
  SamplingSettings settings(const Metadata& metadata, std::optional<std::uint64_t> seed) const;

 private:
  std::vector<std::function<void(SamplingSettings&)>> changes_;
};

/// -n and --stop.
struct LengthFlags {
  std::optional<std::int64_t> max_tokens;
  std::vector<std::string> stops;

  void add_to(CLI::App& command);
};

/// Adds --stream-interval.
void add_stream_interval(CLI::App& command, StreamInterval& interval);

}  // namespace lamina
