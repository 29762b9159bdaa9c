// `lamina logits`: writes what a model makes of every token, for comparing with other engines.
#include "lamina/core/error.h"
#include "runtime/interrupt.h"
#include "runtime/model_catalog.h"
#include "runtime/npy.h"
#include "runtime/progress.h"
#include "runtime/session.h"
#include "runtime/system.h"
#include "runtime/tools/flags.h"
#include "runtime/tools/output.h"
#include "runtime/tools/tools.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spdlog/spdlog.h>

#include <signal.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <numeric>

namespace lamina {
namespace {

struct LogitsFlags {
  std::string model;
  GeneralFlags general;
  ComputeFlags compute;
  InputFlags input;
  std::string out;
  bool all = false;
};

std::vector<Token> tokens_of(const LogitsFlags& flags, Session& session) {
  if (!flags.input.tokens) return session.tokenizer().encode(flags.input.text());
  std::vector<Token> tokens = parse_tokens("--tokens", *flags.input.tokens);
  check_tokens("--tokens", tokens, session.model().info().vocab);
  return tokens;
}

/// Feeds the tokens in pieces and writes the rows asked for as they come, so that the logits of a
/// long text need not fit into memory.
void feed(LanguageModel& model, const std::vector<Token>& tokens, bool all, NpyWriter& file) {
  const std::size_t piece = all ? 64 : 512;
  const SequenceId sequence = model.open(static_cast<Position>(tokens.size()));
  const Interrupt interrupt{SIGINT};
  std::int64_t undefined = 0;
  Progress progress("computing");
  for (std::size_t at = 0; at < tokens.size(); at += piece) {
    const auto part = std::span(tokens).subspan(at, std::min(piece, tokens.size() - at));
    std::vector<Position> positions(part.size());
    std::iota(positions.begin(), positions.end(), static_cast<Position>(at));
    const std::vector<SequenceId> sequences(part.size(), sequence);
    std::vector<std::int32_t> rows(part.size());
    std::iota(rows.begin(), rows.end(), 0);
    if (!all)
      rows.erase(rows.begin(), at + part.size() == tokens.size() ? rows.end() - 1 : rows.end());
    const Outputs outputs = model.forward({part, positions, sequences, rows});
    if (interrupt.requested()) throw Error("interrupted: no file was written");
    for (std::size_t i = 0; i < rows.size(); ++i) {
      file.write_row(outputs.row(i));
      undefined += std::ranges::any_of(outputs.row(i), [](float x) { return std::isnan(x); });
    }
    progress.set(static_cast<std::int64_t>(at + part.size()),
                 static_cast<std::int64_t>(tokens.size()));
  }
  model.close(sequence);
  if (undefined > 0) {
    spdlog::warn("{} of the rows hold NaN: the model's numbers are damaged", undefined);
  }
}

void logits(LogitsFlags& flags) {
  flags.input.check();
  if (flags.out.empty()) throw UsageError("-o '': expected the name of a file");
  const auto path = resolve_model(flags.model);
  std::error_code none;
  if (std::filesystem::equivalent(path, flags.out, none)) {
    throw UsageError("-o " + flags.out + ": is the model itself; expected another file");
  }
  auto progress = std::make_unique<Progress>("loading " + flags.model);
  LoadOptions options = flags.compute.load_options(flags.general);
  // What is compared with other engines should not carry the rounding of a store.
  if (!options.key_format) options.key_format = FormatId::f32;
  if (!options.value_format) options.value_format = FormatId::f32;
  Session session(path, options);
  progress.reset();
  const std::vector<Token> tokens = tokens_of(flags, session);
  const auto count = static_cast<std::int64_t>(tokens.size());
  check_prompt(
      tokens, choose_context(session.model(), std::max<Position>(1, static_cast<Position>(count))));
  check_context(session.model(), static_cast<Position>(count), memory_for_kv());
  const std::int64_t rows = flags.all ? count : 1;
  const std::int64_t vocab = session.model().info().vocab;
  NpyWriter file(flags.out, rows, vocab);
  feed(session.model(), tokens, flags.all, file);
  file.finish();
  spdlog::info("{}: float32 ({}, {}), {}", flags.out, rows, vocab,
               flags.all ? "all positions" : "the last position");
  if (flags.general.json)
    print_json({{"file", flags.out}, {"tokens", tokens}, {"shape", {rows, vocab}}}, -1);
}

}  // namespace

void add_logits(CLI::App& program, Action& chosen) {
  auto flags = std::make_shared<LogitsFlags>();
  CLI::App& command =
      *program.add_subcommand("logits", "write the logits of a text or of tokens as a NumPy file");
  add_model(command, flags->model);
  flags->input.add_to(command, "pt");
  command.add_option("-o", flags->out, "the file to write: float32 [rows, vocabulary]")
      ->required()
      ->type_name("F.npy");
  command.add_flag("--all", flags->all, "a row for every position (default: only the last)");
  flags->compute.add_to(command);
  flags->compute.add_kv_to(command, "f32");
  flags->general.add_to(command);
  command.callback([flags, &chosen] { chosen = [flags] { logits(*flags); }; });
}

}  // namespace lamina
