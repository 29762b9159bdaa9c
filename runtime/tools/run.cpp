// `lamina run`: continues a text, and streams what the model makes of it.
#include "runtime/interrupt.h"
#include "runtime/model_catalog.h"
#include "runtime/progress.h"
#include "runtime/session.h"
#include "runtime/tools/flags.h"
#include "runtime/tools/generation_flags.h"
#include "runtime/tools/output.h"
#include "runtime/tools/tools.h"

#include <nlohmann/json.hpp>
#include <spdlog/spdlog.h>

#include <unistd.h>

#include <csignal>
#include <memory>

namespace lamina {
namespace {

struct RunFlags {
  std::string model;
  InputFlags input;
  GenerationFlags generation;
  bool ignore_end = false;
};

std::vector<Token> prompt_tokens(RunFlags& flags, Session& session) {
  if (!flags.input.tokens) return session.tokenizer().encode(flags.input.text());
  std::vector<Token> tokens = parse_tokens("--tokens", *flags.input.tokens);
  check_tokens("--tokens", tokens, session.model().info().vocab);
  return tokens;
}

nlohmann::ordered_json as_json(const std::vector<Token>& prompt, const Generation& generation,
                               double load_ms) {
  return {{"prompt_tokens", prompt},
          {"tokens", generation.tokens},
          {"text", generation.text},
          {"finish_reason", name(generation.reason)},
          {"timings", timings_json(generation.timings, load_ms)}};
}

void run(RunFlags& flags) {
  flags.input.check();
  const auto path = resolve_model(flags.model);
  auto progress = std::make_unique<Progress>("loading " + flags.model);
  Session session(path, flags.generation.load_options());
  const ModelInfo& info = session.model().info();
  spdlog::debug("{}: architecture {}, backend {}, isa {}", path.string(), info.architecture,
                info.backend, info.isa);
  const std::vector<Token> prompt = prompt_tokens(flags, session);
  CompletionSettings completion = flags.generation.settings(session);
  completion.ignore_end = flags.ignore_end;

  progress = std::make_unique<Progress>("reading the prompt");
  const auto total = static_cast<std::int64_t>(prompt.size());
  const Interrupt interrupt{SIGINT};
  GenerateHooks hooks;
  hooks.on_prefill = [&](std::int64_t done) {
    progress->set(done, total);
    if (done == total) progress.reset();
  };
  hooks.interrupted = [&] { return interrupt.requested(); };
  if (!flags.generation.general.json) hooks.on_text = print_text;
  const Generation generation = session.complete(prompt, completion, hooks);
  progress.reset();
  if (flags.generation.general.json) {
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
  flags->generation.add_to(command);
  command
      .add_flag("--ignore-eos", flags->ignore_end,
                "go on after end tokens; they are among the tokens, but have no text")
      ->group("Length");
  command.callback([flags, &chosen] { chosen = [flags] { run(*flags); }; });
}

}  // namespace lamina
