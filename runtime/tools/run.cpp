// `lamina run`: continues a text, and streams what the model makes of it.
#include "lamina/core/error.h"
#include "runtime/interrupt.h"
#include "runtime/model_catalog.h"
#include "runtime/progress.h"
#include "runtime/session.h"
#include "runtime/system.h"
#include "runtime/tools/flags.h"
#include "runtime/tools/output.h"
#include "runtime/tools/tools.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spdlog/spdlog.h>

#include <unistd.h>

#include <csignal>
#include <memory>
#include <optional>

namespace lamina {
namespace {

/// A change to the defaults of sampling, in the order given.
using SamplingChange = std::function<void(SamplingSettings&)>;

struct RunFlags {
  std::string model;
  GeneralFlags general;
  ComputeFlags compute;
  InputFlags input;
  std::vector<SamplingChange> sampling;
  CompletionSettings completion;
};

/// A sampling flag that takes a number, whole or not as the setting is.
template <class T>
void add_sampling(CLI::App& command, RunFlags& flags, const std::string& flag,
                  T SamplingSettings::*setting, const std::string& help) {
  const auto take = [&flags, flag, setting](const std::string& text) {
    T value{};
    if constexpr (std::is_integral_v<T>) {
      value = parse_integer(flag, text, -1, std::numeric_limits<std::int32_t>::max());
    } else {
      value = parse_number(flag, text);
    }
    SamplingSettings alone;
    alone.*setting = value;
    try {
      validate(alone);
    } catch (const Error& error) {
      throw UsageError(error.what());
    }
    flags.sampling.push_back([setting, value](SamplingSettings& all) { all.*setting = value; });
  };
  add_value(command, flag, "N", help, take)
      ->group("Sampling (default: the model's file, else this table)");
}

void add_sampling_flags(CLI::App& command, RunFlags& flags) {
  const SamplingSettings table;
  const auto add = [&](const char* flag, auto setting, const char* help) {
    add_sampling(command, flags, flag, setting,
                 fmt::format("{} (default: {})", help, table.*setting));
  };
  command
      .add_flag_callback(
          "--greedy",
          [&flags] { flags.sampling.push_back([](SamplingSettings& all) { all.greedy = true; }); },
          "always take the most likely token")
      ->group("Sampling (default: the model's file, else this table)");
  add("--temperature", &SamplingSettings::temperature,
      "above 1 more varied, below 1 less; 0: greedy");
  add("--top-k", &SamplingSettings::top_k, "keep the K most likely tokens; 0: all");
  add("--top-p", &SamplingSettings::top_p,
      "keep the most likely tokens that have this probability together");
  add("--min-p", &SamplingSettings::min_p,
      "drop tokens below this part of the best one's probability");
  add("--repeat-penalty", &SamplingSettings::repeat_penalty, "weaken tokens that occurred; 1: off");
  add("--repeat-last-n", &SamplingSettings::repeat_last_n,
      "tokens the penalties look back at; -1: all");
  add("--frequency-penalty", &SamplingSettings::frequency_penalty,
      "subtracted for each occurrence");
  add("--presence-penalty", &SamplingSettings::presence_penalty,
      "subtracted once from what occurred");
}

void add_length_flags(CLI::App& command, RunFlags& flags) {
  const std::string group = "Length";
  add_value(command, "-n", "N",
            "tokens to generate, 0 or more (default: until an end token or the context's end)",
            [&flags](const std::string& text) {
              flags.completion.max_tokens =
                  parse_integer("-n", text, 0, std::numeric_limits<std::int64_t>::max());
            })
      ->group(group);
  add_value(command, "--stop", "TEXT", "end before this text; may be given several times",
            [&flags](const std::string& text) {
              if (text.empty()) throw UsageError("--stop '': expected at least one character");
              flags.completion.stops.push_back(text);
            })
      ->group(group);
  command
      .add_flag("--ignore-eos", flags.completion.ignore_end,
                "go on after end tokens; they are among the tokens, but have no text")
      ->group(group);
}

std::vector<Token> prompt_tokens(RunFlags& flags, Session& session) {
  if (!flags.input.tokens) return session.tokenizer().encode(flags.input.text());
  std::vector<Token> tokens = parse_tokens("--tokens", *flags.input.tokens);
  check_tokens("--tokens", tokens, session.model().info().vocab);
  return tokens;
}

std::string in_one_line(const SamplingSettings& settings) {
  std::string text = describe(settings);
  while (text.ends_with('\n')) text.pop_back();
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos;)
    text.replace(at, 1, ", ");
  return text;
}

SamplingSettings sampling_of(const RunFlags& flags, const Metadata& metadata) {
  SamplingSettings settings = sampling_defaults(metadata);
  spdlog::debug("sampling defaults: {}", in_one_line(settings));
  for (const SamplingChange& change : flags.sampling) change(settings);
  settings.seed = flags.general.seed;
  spdlog::debug("sampling: {}", in_one_line(settings));
  return settings;
}

void print_timings(const Timings& timings, double load_ms) {
  spdlog::info(
      "load {:.2f} s | first token {:.0f} ms | prompt {} tokens, {:.1f} tokens/s | "
      "generated {} tokens, {:.1f} tokens/s | peak memory {}",
      load_ms / 1000, timings.first_token_ms, timings.prompt_n, timings.prompt_per_second(),
      timings.predicted_n, timings.predicted_per_second(), readable_size(peak_memory()));
}

nlohmann::ordered_json as_json(const std::vector<Token>& prompt, const Generation& generation,
                               double load_ms) {
  const Timings& t = generation.timings;
  return {{"prompt_tokens", prompt},
          {"tokens", generation.tokens},
          {"text", generation.text},
          {"finish_reason", name(generation.reason)},
          {"timings",
           {{"prompt_n", t.prompt_n},
            {"prompt_ms", t.prompt_ms},
            {"prompt_per_second", t.prompt_per_second()},
            {"predicted_n", t.predicted_n},
            {"predicted_ms", t.predicted_ms},
            {"predicted_per_second", t.predicted_per_second()},
            {"load_ms", load_ms},
            {"ttft_ms", t.first_token_ms},
            {"peak_rss_bytes", peak_memory()}}}};
}

void run(RunFlags& flags) {
  flags.input.check();
  const auto path = resolve_model(flags.model);
  auto progress = std::make_unique<Progress>("loading " + flags.model);
  Session session(path, flags.compute.load_options(flags.general));
  const ModelInfo& info = session.model().info();
  spdlog::debug("{}: architecture {}, backend {}, isa {}", path.string(), info.architecture,
                info.backend, info.isa);
  const std::vector<Token> prompt = prompt_tokens(flags, session);
  CompletionSettings& completion = flags.completion;
  completion.context = choose_context(session.model(), flags.compute.context);
  completion.sampling = sampling_of(flags, session.files().metadata());

  progress = std::make_unique<Progress>("reading the prompt");
  const auto total = static_cast<std::int64_t>(prompt.size());
  const Interrupt interrupt{SIGINT};
  GenerateHooks hooks;
  hooks.on_prefill = [&](std::int64_t done) {
    progress->set(done, total);
    if (done == total) progress.reset();
  };
  hooks.interrupted = [&] { return interrupt.requested(); };
  if (!flags.general.json) hooks.on_text = print_text;
  const Generation generation = session.complete(prompt, completion, hooks);
  progress.reset();
  if (flags.general.json) {
    print_json(as_json(prompt, generation, session.load_ms()));
  } else if (isatty(STDOUT_FILENO) != 0 && !generation.text.ends_with('\n')) {
    print_text("\n");  // only for the eye: elsewhere stdout is the text and nothing more
  }
  spdlog::debug("finished: {}", name(generation.reason));
  print_timings(generation.timings, session.load_ms());
}

}  // namespace

void add_run(CLI::App& program, Action& chosen) {
  auto flags = std::make_shared<RunFlags>();
  CLI::App& command = *program.add_subcommand("run", "continue a text");
  command.footer(
      "Text goes to stdout as it is generated, everything else to stderr. Ctrl-C ends the text "
      "after the\n"
      "current token, prints the timings and exits with 0; a second Ctrl-C ends the program at "
      "once.");
  add_model(command, flags->model);
  flags->input.add_to(command, "pft-");
  add_length_flags(command, *flags);
  add_sampling_flags(command, *flags);
  flags->compute.add_to(command);
  flags->compute.add_kv_to(command, "f16; with --backend reference f32");
  flags->compute.add_context_to(command);
  flags->general.add_to(command);
  command.callback([flags, &chosen] { chosen = [flags] { run(*flags); }; });
}

}  // namespace lamina
