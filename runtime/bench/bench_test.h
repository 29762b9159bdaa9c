// BenchTest: one thing whose speed is measured, called as llama-bench calls it: "pp512" reads a
// prompt, "tg128" generates, "pp512+tg128" does both, "@ d4096" after that many tokens that are not
// timed, and "x 16" in that many sequences at once.
#pragma once

#include "lamina/core/types.h"
#include "runtime/model_work.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace lamina {

struct BenchTest {
  Position prompt = 0;     // tokens of each sequence
  Position generated = 0;  // the same
  Position depth = 0;      // the same: there before the clock starts
  int sequences = 1;

  bool operator==(const BenchTest&) const = default;
};

std::string name(const BenchTest& test);

/// Positions that each sequence needs.
inline std::int64_t context(const BenchTest& test) {
  return std::int64_t{test.prompt} + test.generated + test.depth;
}
/// Tokens that are timed, of all sequences.
inline std::int64_t timed_tokens(const BenchTest& test) {
  return (std::int64_t{test.prompt} + test.generated) * test.sequences;
}

/// Calls `run(WorkStep)` for each step that is timed: the prompt in pieces of at most `batch`
/// tokens, with logits at its end, then a token at a time with its logits.
template <class Run>
void for_each_step(const BenchTest& test, Position batch, Run&& run) {
  for (Position at = 0; at < test.prompt;) {
    const Position count = std::min(batch, test.prompt - at);
    const bool last = count == test.prompt - at;
    run(WorkStep{test.depth + at, count, test.sequences, last ? test.sequences : 0});
    at += count;
  }
  for (Position i = 0; i < test.generated; ++i) {
    run(WorkStep{test.depth + test.prompt + i, 1, test.sequences, test.sequences});
  }
}

/// The work of what is timed.
Work work_of(const BenchTest& test, Position batch, const ModelWork& model);

/// What a run was asked to measure.
struct BenchPlan {
  std::vector<Position> prompts = {512};  // 0: none
  std::vector<Position> generated = {128};
  std::vector<std::pair<Position, Position>> both{};  // prompt, then generated
  std::vector<Position> depths = {0};
  std::vector<int> sequences{};  // beside one, for each test that generates only
};

/// The tests in the order they are run, each once; of several sequences after the one of one.
std::vector<BenchTest> tests_of(const BenchPlan& plan);

}  // namespace lamina
