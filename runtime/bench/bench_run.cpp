// Sequences filled once, and taken back after each repetition.
#include "runtime/bench/bench_run.h"

#include "lamina/core/philox.h"

#include <chrono>
#include <span>
#include <utility>

namespace lamina {

BenchRun::BenchRun(LanguageModel& model, const BenchTest& test, BenchRunSettings settings)
    : model_(model), test_(test), settings_(std::move(settings)) {
  try {
    fill();
  } catch (...) {
    close();
    throw;
  }
}

BenchRun::~BenchRun() { close(); }

void BenchRun::close() {
  for (const SequenceId sequence : sequences_) model_.close(sequence);
  sequences_.clear();
}

Token BenchRun::draw() {
  const PhiloxBlock bits = philox(RandomAddress{settings_.seed, drawn_++});
  return static_cast<Token>(bits.word[0] % static_cast<std::uint64_t>(model_.info().vocab));
}

/// Opens the sequences; what comes before the test is computed once and copied.
void BenchRun::fill() {
  sequences_.push_back(model_.open(static_cast<Position>(context(test_))));
  const BenchTest before{.prompt = test_.depth};
  for_each_step(before, settings_.batch, [this](const WorkStep& step) { feed(step); });
  while (sequences_.size() < static_cast<std::size_t>(test_.sequences)) {
    sequences_.push_back(model_.fork(sequences_.front()));
  }
}

void BenchRun::restart() {
  try {
    for (const SequenceId sequence : sequences_) model_.rollback(sequence, test_.depth);
  } catch (const Error&) {  // a store that no longer has what the test starts from
    close();
    fill();
  }
}

/// Feeds `step` to as many of the sequences as it has.
void BenchRun::feed(const WorkStep& step) {
  std::vector<Token> tokens;
  std::vector<Position> positions;
  std::vector<SequenceId> sequences;
  std::vector<std::int32_t> outputs;
  for (int s = 0; s < step.sequences; ++s) {
    for (Position i = 0; i < step.count; ++i) {
      tokens.push_back(draw());
      positions.push_back(step.first + i);
      sequences.push_back(sequences_[static_cast<std::size_t>(s)]);
    }
    if (step.rows > 0) outputs.push_back(static_cast<std::int32_t>(tokens.size()) - 1);
  }
  model_.forward({tokens, positions, sequences, outputs});
  settings_.on_step(static_cast<std::int64_t>(tokens.size()));
  if (settings_.interrupted()) throw BenchInterrupted();
}

void BenchRun::warm_up() {
  restart();
  BenchTest once = test_;
  once.generated = std::min(once.generated, 1);
  for_each_step(once, settings_.batch, [this](const WorkStep& step) { feed(step); });
}

std::int64_t BenchRun::time() {
  using Clock = std::chrono::steady_clock;
  restart();
  const auto start = Clock::now();
  for_each_step(test_, settings_.batch, [this](const WorkStep& step) { feed(step); });
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count();
}

}  // namespace lamina
