// `lamina bench`: how fast models run here, and how fast the machine lets them.
#include "runtime/bench/bench_report.h"
#include "runtime/bench/bench_run.h"
#include "runtime/bench/machine_limits.h"
#include "runtime/bench/roofline_plot.h"
#include "runtime/bench/statistics.h"
#include "runtime/instances/shared/kernels.h"
#include "runtime/interrupt.h"
#include "runtime/model_catalog.h"
#include "runtime/progress.h"
#include "runtime/session.h"
#include "runtime/system.h"
#include "runtime/tools/bench_flags.h"
#include "runtime/tools/output.h"
#include "runtime/tools/tools.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <signal.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>

namespace lamina {
namespace {

/// A model as it is loaded for some of the tests.
struct Load {
  std::string model;
  int threads;
  std::optional<FormatId> key_format, value_format;
};

void check_fits(const std::string& file, const LanguageModel& model, const BenchTest& test) {
  const Position trained = model.info().trained_context;
  if (trained > 0 && context(test) > trained) {
    throw Error(fmt::format(
        "{}: the test {} needs a context of {} tokens (-p, -n, -pg and -d together), but the model "
        "was trained for {}; expected at most that many",
        file, name(test), context(test), trained));
  }
  const auto sequences = static_cast<std::uint64_t>(test.sequences);
  const std::uint64_t each = model.kv_bytes(static_cast<Position>(context(test)));
  const std::uint64_t most = memory_for_kv();
  if (each > most / sequences) {
    throw Error(
        fmt::format("{}: the test {} needs {} of KV memory for each of {}, but this "
                    "machine has only {} to give; expected fewer tokens or sequences",
                    file, name(test), readable_size(each), counted(sequences, "sequence"),
                    readable_size(most)));
  }
}

class Bench {
 public:
  explicit Bench(BenchFlags& flags)
      : flags_(flags),
        tests_(tests_of(flags.plan())),
        threads_(flags.threads()),
        report_(flags.form(), flags.columns(), print_text) {
    for (const std::string& model : flags.models) {
      for (const auto key : flags.key_formats()) {
        for (const auto value : flags.value_formats()) {
          for (const int threads : threads_) loads_.push_back({model, threads, key, value});
        }
      }
    }
    total_ = loads_.size() * flags.batches().size() * tests_.size();
    if (flags.plot.empty()) return;
    plot_.open(flags.plot, std::ios::binary);  // now: what cannot be written is known at once
    check_plot();
  }

  void run() {
    if (flags_.limits) measure_machine();
    try {
      for (const Load& load : loads_) measure(load);
    } catch (const BenchInterrupted&) {
      report_.finish();
      throw Error(fmt::format("interrupted: {} of {} tests were measured", done_, total_));
    }
    report_.finish();
    if (!flags_.plot.empty()) plot();
  }

 private:
  void measure_machine() {
    const Progress progress("measuring the machine");
    LimitsEffort effort{.bytes = bytes_to_read(flags_.read_buffer)};
    effort.interrupted = [this] { return interrupt_.requested(); };
    for (const int threads : threads_) {
      limits_[threads] = measure_limits(cpu_kernels(flags_.compute.isa), threads, effort);
      if (interrupt_.requested()) throw Error("interrupted: nothing was measured");
    }
  }

  void measure(const Load& load) {
    const auto path = resolve_model(load.model);
    LoadOptions options;
    options.backend = flags_.compute.backend;
    options.isa = flags_.compute.isa;
    options.repack = flags_.compute.repack;
    options.threads = load.threads;
    options.key_format = load.key_format;
    options.value_format = load.value_format;
    auto progress = std::make_unique<Progress>("loading " + load.model);
    Session session(path, options);
    progress.reset();
    for (const BenchTest& test : tests_) check_fits(load.model, session.model(), test);
    BenchResult result;
    result.model = bench_model(load.model, session.files(), session.model().info());
    result.backend = session.model().info().backend;
    result.isa = session.model().info().isa;
    result.threads = load.threads;
    result.key_format = session.model().info().kv_formats.key;
    result.value_format = session.model().info().kv_formats.value;
    if (flags_.limits) result.limits = limits_[load.threads];
    for (const Position batch : flags_.batches()) {
      result.batch = batch;
      double one = 0;  // rate of the newest test of one sequence
      for (const BenchTest& test : tests_) {
        result.test = test;
        measure(session.model(), result);
        const double rate = mean(result.tokens_per_second());
        if (test.sequences == 1) one = rate;
        result.ratio_to_one =
            test.prompt == 0 && flags_.columns().ratio ? std::optional(rate / one) : std::nullopt;
        add(result);
      }
    }
  }

  /// Does the test as often as asked.
  void measure(LanguageModel& model, BenchResult& result) {
    const BenchTest& test = result.test;
    Progress progress(
        fmt::format("{} {} ({} of {})", result.model.type, name(test), done_ + 1, total_));
    const std::int64_t steps = timed_tokens(test) * flags_.repetitions + std::int64_t{test.depth} +
                               (flags_.warm_up ? test.prompt : 0);
    std::int64_t fed = 0;
    BenchRunSettings settings{.batch = result.batch, .seed = flags_.general.seed.value_or(0)};
    settings.on_step = [&](std::int64_t tokens) { progress.set(fed += tokens, steps); };
    settings.interrupted = [this] { return interrupt_.requested(); };
    const bool peak_known = reset_peak_memory();
    result.time = utc_now();
    result.samples_ns.clear();
    BenchRun run(model, test, settings);
    if (flags_.warm_up) run.warm_up();
    for (int i = 0; i < flags_.repetitions; ++i) result.samples_ns.push_back(run.time());
    result.peak_memory = peak_known ? std::optional(peak_memory()) : std::nullopt;
    result.work = work_of(test, result.batch, model.info().work);
  }

  void add(const BenchResult& result) {
    report_.add(result);
    ++done_;
    const std::string model = flags_.models.size() > 1 ? result.model.type + " " : "";
    if (!result.limits) return;
    const auto machine = std::distance(limits_.begin(), limits_.find(result.threads));
    points_.push_back({model + name(result.test), result.work.operations / result.work.bytes,
                       result.gops(), static_cast<std::size_t>(machine)});
  }

  void plot() {
    std::vector<MachineLimits> machines;
    for (const auto& [threads, limits] : limits_) machines.push_back(limits);
    plot_ << roofline_svg(machines, points_) << std::flush;
    check_plot();
  }

  void check_plot() const {
    if (plot_.good()) return;
    throw Error(fmt::format("--plot {}: cannot be written: {}", flags_.plot, std::strerror(errno)));
  }

  BenchFlags& flags_;
  std::vector<BenchTest> tests_;
  std::vector<int> threads_;
  std::vector<Load> loads_;
  std::size_t total_ = 0;  // tests
  std::size_t done_ = 0;
  BenchReport report_;
  std::map<int, MachineLimits> limits_;  // by threads
  std::vector<RooflinePoint> points_;
  std::ofstream plot_;
  Interrupt interrupt_{SIGINT};
};

}  // namespace

void add_bench(CLI::App& program, Action& chosen) {
  auto flags = std::make_shared<BenchFlags>();
  CLI::App& command = *program.add_subcommand("bench", "measure how fast models run");
  command.footer(
      "Prints llama-bench's table, JSON or CSV, and beside each rate the bytes and operations a "
      "second it\n"
      "stands for, as parts of what the machine does at most, measured in the same run. -pg, -ub, "
      "-ctk and\n"
      "-ctv may be written with one dash; --output json is -o json; without --seed the tokens are "
      "those of\n"
      "seed 0. Ctrl-C ends it after the current step.");
  flags->add_to(command);
  command.callback([flags, &chosen] { chosen = [flags] { Bench(*flags).run(); }; });
}

}  // namespace lamina
