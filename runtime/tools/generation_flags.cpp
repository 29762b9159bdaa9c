// One table of settings, read by flags and commands alike.
#include "runtime/tools/generation_flags.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <limits>

namespace lamina {
namespace {

constexpr std::array<SamplingNumber, 8> numbers = {{
    {"temperature", &SamplingSettings::temperature, "above 1 more varied, below 1 less; 0: greedy"},
    {"top_k", &SamplingSettings::top_k, "keep the K most likely tokens; 0: all"},
    {"top_p", &SamplingSettings::top_p,
     "keep the most likely tokens that have this probability together"},
    {"min_p", &SamplingSettings::min_p,
     "drop tokens below this part of the best one's probability"},
    {"repeat_penalty", &SamplingSettings::repeat_penalty, "weaken tokens that occurred; 1: off"},
    {"repeat_last_n", &SamplingSettings::repeat_last_n,
     "tokens the penalties look back at; -1: all"},
    {"frequency_penalty", &SamplingSettings::frequency_penalty, "subtracted for each occurrence"},
    {"presence_penalty", &SamplingSettings::presence_penalty, "subtracted once from what occurred"},
}};

std::string flag_of(std::string_view name) {
  std::string flag = fmt::format("--{}", name);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

std::string in_one_line(const SamplingSettings& settings) {
  std::string text = describe(settings);
  while (text.ends_with('\n')) text.pop_back();
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos;)
    text.replace(at, 1, ", ");
  return text;
}

double parse(const std::string& shown, const std::string& text, double SamplingSettings::*) {
  return parse_number(shown, text);
}

std::int64_t parse(const std::string& shown, const std::string& text,
                   std::int64_t SamplingSettings::*) {
  return parse_integer(shown, text, -1, std::numeric_limits<std::int32_t>::max());
}

void add_stream_interval(CLI::App& command, StreamInterval& interval) {
  add_value(command, "--stream-interval", "token|N|word|Nms",
            "how much text leaves at once: each token's (default), that of N tokens, whole words, "
            "or what came in N milliseconds",
            [&interval](const std::string& text) {
              try {
                interval = parse_stream_interval(text);
              } catch (const Error& error) {
                throw UsageError(fmt::format("--stream-interval {}", error.what()));
              }
            });
}

}  // namespace

std::span<const SamplingNumber> sampling_numbers() { return numbers; }

void set_sampling(SamplingSettings& settings, const SamplingNumber& setting,
                  const std::string& shown, const std::string& text) {
  SamplingSettings alone;  // so that the message is about this setting
  std::visit([&](auto member) { alone.*member = parse(shown, text, member); }, setting.member);
  try {
    validate(alone);
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
  std::visit([&](auto member) { settings.*member = alone.*member; }, setting.member);
}

void SamplingFlags::add_to(CLI::App& command) {
  const std::string group = "Sampling (default: the model's file, else this table)";
  command
      .add_flag_callback(
          "--greedy",
          [this] { changes_.push_back([](SamplingSettings& all) { all.greedy = true; }); },
          "always take the most likely token")
      ->group(group);
  const SamplingSettings table;
  for (const SamplingNumber& number : numbers) {
    const std::string flag = flag_of(number.name);
    const std::string usual =
        std::visit([&](auto member) { return fmt::format("{}", table.*member); }, number.member);
    const auto take = [this, flag, number](const std::string& text) {
      SamplingSettings checked;
      set_sampling(checked, number, flag, text);
      changes_.push_back([=](SamplingSettings& all) { set_sampling(all, number, flag, text); });
    };
    add_value(command, flag, "N", fmt::format("{} (default: {})", number.help, usual), take)
        ->group(group);
  }
}

SamplingSettings SamplingFlags::settings(const Metadata& metadata,
                                         std::optional<std::uint64_t> seed) const {
  SamplingSettings settings = sampling_defaults(metadata);
  spdlog::debug("sampling defaults: {}", in_one_line(settings));
  for (const auto& change : changes_) change(settings);
  settings.seed = seed;
  spdlog::debug("sampling: {}", in_one_line(settings));
  return settings;
}

void LengthFlags::add_to(CLI::App& command) {
  const std::string group = "Length";
  add_value(command, "-n", "N",
            "tokens to generate, 0 or more (default: until an end token or the context's end)",
            [this](const std::string& text) {
              max_tokens = parse_integer("-n", text, 0, std::numeric_limits<std::int64_t>::max());
            })
      ->group(group);
  add_value(command, "--stop", "TEXT", "end before this text; may be given several times",
            [this](const std::string& text) {
              if (text.empty()) throw UsageError("--stop '': expected at least one character");
              stops.push_back(text);
            })
      ->group(group);
}

void GenerationFlags::add_to(CLI::App& command) {
  length.add_to(command);
  add_stream_interval(command, interval);
  sampling.add_to(command);
  compute.add_to(command);
  compute.add_kv_to(command, "f16; with --backend reference f32");
  compute.add_context_to(command);
  general.add_to(command);
}

CompletionSettings GenerationFlags::settings(Session& session) const {
  return {.context = choose_context(session.model(), compute.context),
          .max_tokens = length.max_tokens,
          .stops = length.stops,
          .interval = interval,
          .sampling = sampling.settings(session.files().metadata(), general.seed)};
}

}  // namespace lamina
