// Names, plans and steps of tests.
#include "runtime/bench/bench_test.h"

#include <boost/test/unit_test.hpp>

namespace lamina {
namespace {

std::vector<std::string> names_of(const BenchPlan& plan) {
  std::vector<std::string> names;
  for (const BenchTest& test : tests_of(plan)) names.push_back(name(test));
  return names;
}

using Names = std::vector<std::string>;

BOOST_AUTO_TEST_SUITE(bench_tests)

BOOST_AUTO_TEST_CASE(names_as_llama_bench_prints_them) {
  BOOST_TEST(name({.prompt = 512}) == "pp512");
  BOOST_TEST(name({.generated = 128}) == "tg128");
  BOOST_TEST(name({.prompt = 512, .generated = 128}) == "pp512+tg128");
  BOOST_TEST(name({.generated = 128, .depth = 4096}) == "tg128 @ d4096");
  BOOST_TEST(name({.generated = 8, .depth = 3, .sequences = 16}) == "tg8 @ d3 x 16");
}

BOOST_AUTO_TEST_CASE(plans) {
  BOOST_TEST(names_of({}) == (Names{"pp512", "tg128"}), boost::test_tools::per_element());
  BOOST_TEST(names_of({.prompts = {0}, .generated = {0}}).empty());
  const BenchPlan plan{.prompts = {8, 9, 8},
                       .generated = {4, 0},
                       .both = {{5, 6}},
                       .depths = {0, 7},
                       .sequences = {1, 2, 3}};
  BOOST_TEST(names_of(plan) ==
                 (Names{"pp8", "pp9", "tg4", "tg4 x 2", "tg4 x 3", "pp5+tg6", "pp8 @ d7",
                        "pp9 @ d7", "tg4 @ d7", "tg4 @ d7 x 2", "tg4 @ d7 x 3", "pp5+tg6 @ d7"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_prompt_in_pieces_then_a_token_at_a_time) {
  std::vector<WorkStep> steps;
  const BenchTest test{.prompt = 7, .generated = 2, .depth = 10, .sequences = 3};
  for_each_step(test, 3, [&](const WorkStep& step) { steps.push_back(step); });
  const int first[] = {10, 13, 16, 17, 18}, count[] = {3, 3, 1, 1, 1}, rows[] = {0, 0, 3, 3, 3};
  BOOST_TEST_REQUIRE(steps.size() == 5u);
  for (std::size_t i = 0; i < 5; ++i) {
    BOOST_TEST(steps[i].first == first[i]);
    BOOST_TEST(steps[i].count == count[i]);
    BOOST_TEST(steps[i].sequences == 3);
    BOOST_TEST(steps[i].rows == rows[i]);
  }
  BOOST_TEST(context(test) == 19);
  BOOST_TEST(timed_tokens(test) == 27);
}

BOOST_AUTO_TEST_CASE(weights_are_read_once_a_step) {
  ModelWork model;
  model.layer_bytes = 1000;
  model.output_bytes = 100;
  model.layer_weights = 10;
  model.output_weights = 3;
  const Work prompt = work_of({.prompt = 7}, 3, model), more = work_of({.prompt = 7}, 7, model);
  BOOST_TEST(prompt.bytes == 3 * 1000 + 100);
  BOOST_TEST(more.bytes == 1000 + 100);
  BOOST_TEST(prompt.operations == 2 * (7 * 10 + 3));
  const Work together = work_of({.generated = 5, .sequences = 4}, 512, model);
  BOOST_TEST(together.bytes == 5 * (1000 + 100));
  BOOST_TEST(together.operations == 5 * 4 * 2 * (10 + 3));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
