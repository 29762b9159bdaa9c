// `lamina perplexity`: how well a model foretells a text, and how far it is from another that did.
#include "lamina/backend/thread_pool.h"
#include "lamina/core/error.h"
#include "lamina/quant/formats.h"
#include "runtime/interrupt.h"
#include "runtime/model_catalog.h"
#include "runtime/perplexity/base_file.h"
#include "runtime/perplexity/measure.h"
#include "runtime/perplexity/settings.h"
#include "runtime/perplexity/state_file.h"
#include "runtime/perplexity/stored_row.h"
#include "runtime/progress.h"
#include "runtime/session.h"
#include "runtime/tools/flags.h"
#include "runtime/tools/output.h"
#include "runtime/tools/perplexity_report.h"
#include "runtime/tools/tools.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spdlog/spdlog.h>

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <memory>
#include <optional>

namespace lamina {
namespace {

using Json = nlohmann::ordered_json;

struct PerplexityFlags {
  std::string model;
  GeneralFlags general;
  ComputeFlags compute;
  InputFlags input;
  std::optional<Position> context;  // without it that of the base, or usual_context
  std::optional<std::int64_t> chunks;
  std::string base;
  bool compare = false;
  std::string state;
};

constexpr Position usual_context = 512;

void check(const PerplexityFlags& flags) {
  if (flags.compare && flags.base.empty()) {
    throw UsageError("--kl-divergence: compare with what? Expected --kl-divergence-base F as well");
  }
  if (!flags.compare || flags.input.file) flags.input.check();
  if (!flags.base.empty() && !flags.compare && !flags.state.empty()) {
    throw UsageError(
        "--state: a base keeps its finished chunks itself, in F.part; expected no --state with "
        "--kl-divergence-base alone");
  }
}

/// The text's chunks, by the tokenizer's rule for what stands first.
Chunks chunks_of_text(const PerplexityFlags& flags, Session& session, Position context) {
  const Tokenizer& tokenizer = session.tokenizer();
  std::vector<Token> tokens = tokenizer.encode(flags.input.text());
  tokens.resize(tokens.size() - tokenizer.suffix().size());  // an end of the text foretells nothing
  std::optional<Token> first;
  if (!tokenizer.prefix().empty()) first = tokenizer.prefix().front();
  return cut_chunks(tokens, context, first, flags.chunks, "-f " + *flags.input.file);
}

[[noreturn]] void refuse_base(const PerplexityFlags& flags, const std::string& what) {
  throw Error(fmt::format("--kl-divergence-base {}: {}", flags.base, what));
}

/// The base's chunks, as many as asked for; the flags and the text must agree with them.
Chunks chunks_of_base(const PerplexityFlags& flags, const BaseHeader& base, Session& session) {
  const std::int64_t vocab = session.model().info().vocab;
  if (base.vocab != vocab) {
    refuse_base(flags, fmt::format("has a vocabulary of {} tokens, the model one of {}; models can "
                                   "be compared only where their tokens are the same",
                                   base.vocab, vocab));
  }
  Chunks chunks = base.chunks;
  if (flags.context && *flags.context != chunks.context) {
    refuse_base(flags, fmt::format("has chunks of {} tokens, -c says {}; leave -c out",
                                   chunks.context, *flags.context));
  }
  const auto there = static_cast<std::int64_t>(chunks.count());
  if (flags.chunks.value_or(0) > there) {
    refuse_base(flags,
                fmt::format("has {}, --chunks says {}", counted(there, "chunk"), *flags.chunks));
  }
  const auto count = static_cast<std::size_t>(flags.chunks.value_or(there));
  chunks.tokens.resize(count * static_cast<std::size_t>(chunks.context));
  if (flags.input.file) {
    const Chunks text = chunks_of_text(flags, session, chunks.context);
    if (text.tokens.size() < chunks.tokens.size() ||
        !std::equal(chunks.tokens.begin(), chunks.tokens.end(), text.tokens.begin())) {
      refuse_base(flags, fmt::format("was made of other tokens than -f {} gives; leave -f out, or "
                                     "give the base's text",
                                     *flags.input.file));
    }
  }
  return chunks;
}

/// What the figures depend on.
Json settings_of(const PerplexityFlags& flags, Session& session, const Chunks& chunks) {
  const ModelInfo& info = session.model().info();
  const auto format = [&](std::optional<FormatId> id) {
    return id ? format_name(*id) : info.backend + "'s default";
  };
  return {{"model", fingerprint(session.files())},
          {"backend", info.backend},
          {"isa", info.isa},
          {"keys", format(flags.compute.key_format)},
          {"values", format(flags.compute.value_format)},
          {"context", chunks.context},
          {"chunks", chunks.count()},
          {"tokens", fingerprint(chunks)}};
}

/// What is done with each chunk besides summing up.
struct Keeping {
  std::vector<Measured> measured;  // of the chunks that are finished already
  std::function<void(std::size_t chunk, const ScoredSlice&, std::span<Measured>)> slice;
  std::function<void(std::span<const Measured> chunk)> end;
  bool goes_on = false;  // whether finished chunks outlive this process
  std::string (*line)(std::span<const Measured>) = perplexity_line;
};

[[noreturn]] void interrupted(const Keeping& keeping, std::size_t done, std::size_t count) {
  throw Error(fmt::format(
      "interrupted after {} of {}{}; {}", done, counted(count, "chunk"),
      done > 0 ? ": " + keeping.line(keeping.measured) : "",
      keeping.goes_on ? "the same command goes on from there" : "with --state F a run can go on"));
}

/// Feeds the chunks that are left and returns what all of them gave.
std::vector<Measured> measure_chunks(LanguageModel& model, const Chunks& chunks, Keeping keeping) {
  using Clock = std::chrono::steady_clock;
  const std::size_t positions = scored_positions(chunks.context), count = chunks.count();
  const std::size_t before = keeping.measured.size() / positions;
  if (before > 0) spdlog::info("going on after {} of {}", before, counted(count, "chunk"));
  const Interrupt interrupt{SIGINT, SIGTERM};
  const auto start = Clock::now();
  for (std::size_t chunk = before; chunk < count; ++chunk) {
    std::vector<Measured> measured(positions);
    auto progress = std::make_unique<Progress>(fmt::format("chunk {} of {}", chunk + 1, count));
    const auto take = [&](const ScoredSlice& slice) {
      keeping.slice(chunk, slice, std::span(measured).subspan(slice.first, slice.next.size()));
    };
    if (!feed_chunk(model, chunks[chunk], take, [&] { return interrupt.requested(); })) {
      progress.reset();
      interrupted(keeping, chunk, count);
    }
    keeping.end(measured);
    keeping.measured.insert(keeping.measured.end(), measured.begin(), measured.end());
    progress.reset();
    const double each = std::chrono::duration<double>(Clock::now() - start).count() /
                        static_cast<double>(chunk + 1 - before);
    spdlog::info("chunk {} of {}: {}, {:.1f} s a chunk, {:.0f} s left", chunk + 1, count,
                 keeping.line(keeping.measured), each,
                 each * static_cast<double>(count - chunk - 1));
  }
  return std::move(keeping.measured);
}

/// Finished chunks go to --state, where that is given.
void keep_state(const PerplexityFlags& flags, const Chunks& chunks, const Json& settings,
                Keeping& keeping) {
  keeping.end = [](std::span<const Measured>) {};
  if (flags.state.empty()) return;
  auto state = std::make_shared<StateFile>(
      flags.state, settings,
      StateFile::Shape{chunks.count(), scored_positions(chunks.context), flags.compare});
  keeping.measured = state->measured();
  keeping.end = [state](std::span<const Measured> chunk) { state->add(chunk); };
  keeping.goes_on = true;
}

Keeping keep_nothing(const PerplexityFlags& flags, const Chunks& chunks, const Json& settings,
                     ThreadPool& pool) {
  Keeping keeping;
  keep_state(flags, chunks, settings, keeping);
  keeping.slice = [&pool](std::size_t, const ScoredSlice& slice, std::span<Measured> measured) {
    measure(slice, pool, measured);
  };
  return keeping;
}

Keeping keep_rows(BaseWriter& writer, ThreadPool& pool) {
  Keeping keeping;
  keeping.measured = writer.measured();
  keeping.slice = [&](std::size_t, const ScoredSlice& slice, std::span<Measured> measured) {
    std::vector<std::byte> rows(measured.size() * StoredRow::size(slice.outputs.vocab));
    measure_and_store(slice, pool, measured, rows);
    writer.write_rows(rows);
  };
  keeping.end = [&](std::span<const Measured>) { writer.end_chunk(); };
  keeping.goes_on = true;
  return keeping;
}

Keeping compare_with(const BaseFile& base, const PerplexityFlags& flags, const Chunks& chunks,
                     Json settings, ThreadPool& pool) {
  settings["base"] = base.fingerprint();
  Keeping keeping;
  keep_state(flags, chunks, settings, keeping);
  keeping.line = comparison_line;
  keeping.slice = [&, rows = std::span<const std::byte>()](std::size_t chunk,
                                                           const ScoredSlice& slice,
                                                           std::span<Measured> measured) mutable {
    if (slice.first == 0) rows = base.rows(chunk);  // checks their sum: once a chunk
    const std::size_t size = base.header().row_bytes();
    measure_against(slice, pool, measured,
                    rows.subspan(slice.first * size, measured.size() * size));
    if (slice.first + measured.size() == scored_positions(base.header().chunks.context)) {
      base.release(chunk);
    }
  };
  return keeping;
}

void print_result(const PerplexityFlags& flags, const Chunks& chunks,
                  const std::vector<Measured>& measured) {
  const auto comparison = flags.compare ? std::optional(compare(measured)) : std::nullopt;
  if (!flags.general.json) {
    return print_text(comparison ? comparison_text(*comparison)
                                 : "Final estimate: " + perplexity_line(measured) + "\n");
  }
  Json object = {
      {"context", chunks.context}, {"chunks", chunks.count()}, {"scored_tokens", measured.size()}};
  object.update(comparison ? comparison_json(*comparison) : perplexity_json(measured));
  print_json(object);
}

void perplexity(PerplexityFlags& flags) {
  check(flags);
  const auto path = resolve_model(flags.model);
  std::optional<BaseFile> base;
  if (flags.compare) base.emplace(flags.base);
  auto progress = std::make_unique<Progress>("loading " + flags.model);
  const LoadOptions options = flags.compute.load_options(flags.general);
  Session session(path, options);
  progress.reset();
  const Chunks chunks = base
                            ? chunks_of_base(flags, base->header(), session)
                            : chunks_of_text(flags, session, flags.context.value_or(usual_context));
  const Position context = choose_context(session.model(), chunks.context);
  check_context(session.model(), context, memory_for_kv());
  const Json settings = settings_of(flags, session, chunks);
  ThreadPool pool(options.threads);
  std::vector<Measured> measured;
  if (base) {
    measured =
        measure_chunks(session.model(), chunks, compare_with(*base, flags, chunks, settings, pool));
  } else if (flags.base.empty()) {
    measured = measure_chunks(session.model(), chunks, keep_nothing(flags, chunks, settings, pool));
  } else {
    BaseWriter writer(flags.base, {chunks, session.model().info().vocab, settings});
    measured = measure_chunks(session.model(), chunks, keep_rows(writer, pool));
    writer.finish();
  }
  print_result(flags, chunks, measured);
}

void add_measure_flags(CLI::App& command, PerplexityFlags& flags) {
  const std::string group = "Measuring";
  add_value(command, "-c", "N",
            fmt::format("tokens of a chunk (default: {}, or what the base has)", usual_context),
            [&flags](const std::string& text) {
              flags.context = static_cast<Position>(
                  parse_integer("-c", text, shortest_chunk, std::numeric_limits<Position>::max()));
            })
      ->group(group);
  add_value(command, "--chunks", "N", "at most so many chunks (default: all)",
            [&flags](const std::string& text) {
              flags.chunks =
                  parse_integer("--chunks", text, 1, std::numeric_limits<std::int32_t>::max());
            })
      ->group(group);
  command
      .add_option(
          "--kl-divergence-base", flags.base,
          "alone: the file to write the model's log-probabilities to, 2 bytes a token of "
          "the vocabulary for half of each chunk; with --kl-divergence: that to compare with")
      ->type_name("F")
      ->group(group);
  command.add_flag("--kl-divergence", flags.compare, "compare with the base")->group(group);
  command
      .add_option("--state", flags.state,
                  "keep what each chunk gave in this file, and go on from there if it is there")
      ->type_name("F")
      ->group(group);
}

}  // namespace

void add_perplexity(CLI::App& program, Action& chosen) {
  auto flags = std::make_shared<PerplexityFlags>();
  CLI::App& command = *program.add_subcommand(
      "perplexity", "how well a model foretells a text, and how far it is from another model");
  command.footer(
      "The figures are those of llama-perplexity: chunks of -c tokens, each from an empty context; "
      "the\n"
      "second half of each counts. To compare a model with its original:\n"
      "  lamina perplexity ORIGINAL -f FILE --kl-divergence-base F\n"
      "  lamina perplexity MODEL --kl-divergence-base F --kl-divergence\n"
      "A base is written as F.part; if that was interrupted, the same command goes on after its "
      "last\n"
      "whole chunk. Other measurements go on only with --state. Ctrl-C ends with 1.");
  add_model(command, flags->model);
  flags->input.add_to(command, "f");
  add_measure_flags(command, *flags);
  flags->compute.add_to(command);
  flags->compute.add_kv_to(command, "f16, of the reference backend f32");
  flags->general.add_to(command);
  command.callback([flags, &chosen] { chosen = [flags] { perplexity(*flags); }; });
}

}  // namespace lamina
