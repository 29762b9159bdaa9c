// The flags of the commands that generate: how tokens are chosen, and where the text ends.
//
// A setting has one name: `top_k` is the flag --top-k and what `/set top_k` changes in a chat.
#pragma once

#include "lamina/gguf/metadata.h"
#include "runtime/sampling.h"
#include "runtime/session.h"
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

/// All flags that the commands which generate have in common.
struct GenerationFlags {
  LengthFlags length;
  StreamInterval interval;
  SamplingFlags sampling;
  ComputeFlags compute;
  GeneralFlags general;

  void add_to(CLI::App& command);
  LoadOptions load_options() const { return compute.load_options(general); }
  CompletionSettings settings(Session& session) const;
};

}  // namespace lamina
