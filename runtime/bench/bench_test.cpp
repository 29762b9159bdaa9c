// Names of tests, and the tests that a plan asks for.
#include "runtime/bench/bench_test.h"

#include <fmt/format.h>

namespace lamina {

std::string name(const BenchTest& test) {
  std::string text;
  if (test.prompt > 0) text = fmt::format("pp{}", test.prompt);
  if (test.prompt > 0 && test.generated > 0) text += '+';
  if (test.generated > 0) text += fmt::format("tg{}", test.generated);
  if (test.depth > 0) text += fmt::format(" @ d{}", test.depth);
  if (test.sequences > 1) text += fmt::format(" x {}", test.sequences);
  return text;
}

Work work_of(const BenchTest& test, Position batch, const ModelWork& model) {
  Work sum;
  for_each_step(test, batch, [&](const WorkStep& step) { sum += model.of(step); });
  return sum;
}

std::vector<BenchTest> tests_of(const BenchPlan& plan) {
  std::vector<BenchTest> tests;
  const auto add = [&](const BenchTest& test) {
    const bool empty = test.prompt == 0 && test.generated == 0;
    if (!empty && std::ranges::find(tests, test) == tests.end()) tests.push_back(test);
  };
  for (const Position depth : plan.depths) {
    for (const Position count : plan.prompts) add({.prompt = count, .depth = depth});
    for (const Position count : plan.generated) {
      if (count == 0) continue;
      add({.generated = count, .depth = depth});
      for (const int n : plan.sequences) {
        add({.generated = count, .depth = depth, .sequences = n});
      }
    }
    for (const auto& [prompt, generated] : plan.both) {
      add({.prompt = prompt, .generated = generated, .depth = depth});
    }
  }
  return tests;
}

}  // namespace lamina
