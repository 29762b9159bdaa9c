// BenchRun: a model doing one test again and again, with the time of each.
//
// Tokens are drawn at random from the whole vocabulary, by a seed that is the same in every run.
// Only forward passes are timed: no tokenizer, no sampling. A sequence is taken back to where the
// test starts between repetitions, so that its memory is warm.
#pragma once

#include "lamina/core/error.h"
#include "runtime/bench/bench_test.h"
#include "runtime/language_model.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace lamina {

/// The user wants no more.
class BenchInterrupted : public Error {
 public:
  BenchInterrupted() : Error("interrupted") {}
};

struct BenchRunSettings {
  Position batch = 512;    // tokens of a prompt that are fed at once
  std::uint64_t seed = 0;  // of the tokens
  std::function<void(std::int64_t tokens)> on_step = [](std::int64_t) {};
  std::function<bool()> interrupted = [] { return false; };  // then a step throws BenchInterrupted
};

class BenchRun {
 public:
  BenchRun(LanguageModel& model, const BenchTest& test, BenchRunSettings settings);
  ~BenchRun();
  BenchRun(const BenchRun&) = delete;
  BenchRun& operator=(const BenchRun&) = delete;

  /// The prompt and one token, untimed.
  void warm_up();
  /// Does the test once; returns nanoseconds.
  std::int64_t time();

 private:
  void fill();
  void restart();
  void close();
  void feed(const WorkStep& step);
  Token draw();

  LanguageModel& model_;
  BenchTest test_;
  BenchRunSettings settings_;
  std::vector<SequenceId> sequences_;  // each holds test_.depth tokens when a test starts
  std::uint64_t drawn_ = 0;
};

}  // namespace lamina
