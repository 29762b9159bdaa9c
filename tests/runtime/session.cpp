// Defaults and limits of a session; a whole one runs in the tests of the program.
#include "runtime/session.h"

#include "message_of.h"
#include "runtime/toy_model.h"

#include <boost/test/unit_test.hpp>

namespace lamina {
namespace {

BOOST_AUTO_TEST_SUITE(session)

BOOST_AUTO_TEST_CASE(the_trained_context_but_at_most_4096) {
  test::ToyModel model({}, 1);
  BOOST_TEST(choose_context(model, {}) == 100);
  model.info().trained_context = 131072;
  BOOST_TEST(choose_context(model, {}) == 4096);
  model.info().trained_context = 0;
  BOOST_TEST(choose_context(model, {}) == 4096);
  BOOST_TEST(choose_context(model, 200000) == 200000);
}

BOOST_AUTO_TEST_CASE(the_largest_context_that_fits) {
  const test::ToyModel model({}, 1);  // 1000 + 100 bytes a token
  for (const Position fits : {1, 2, 63, 64, 999}) {
    const std::uint64_t bytes = model.kv_bytes(fits);
    BOOST_TEST(largest_context(model, bytes, 1000) == fits);
    BOOST_TEST(largest_context(model, bytes - 1, 1000) == fits - 1);
    BOOST_TEST(largest_context(model, bytes + 99, 1000) == fits);
  }
  BOOST_TEST(largest_context(model, 1u << 30, 1000) == 1000);
  BOOST_TEST(largest_context(model, 0, 2147483647) == 0);
}

BOOST_AUTO_TEST_CASE(too_large_a_context_says_what_fits) {
  const test::ToyModel model({}, 1);
  check_context(model, 50, model.kv_bytes(50));
  const std::string message = test::message_of([&] { check_context(model, 1'000'000, 11'050); });
  BOOST_TEST(test::contains(message, "1000000 tokens (-c)"));
  // A little less than what fits now, so that it still fits when it is tried.
  const Position fits = largest_context(model, 11'050 - 11'050 / 32, 1'000'000);
  BOOST_TEST(test::contains(message, "the largest context that fits is " + std::to_string(fits)));
  BOOST_TEST(model.kv_bytes(fits) < 11'050u);
  BOOST_TEST(model.kv_bytes(fits + fits / 16) > 11'050u);
}

BOOST_AUTO_TEST_CASE(sampling_of_the_file_goes_before_the_table) {
  const SamplingSettings table;
  const SamplingSettings none = sampling_defaults(Metadata{});
  BOOST_TEST(describe(none) == describe(table));
  const SamplingSettings some =
      sampling_defaults(Metadata({{"general.sampling.temp", 0.25f},
                                  {"general.sampling.top_k", 7},
                                  {"general.sampling.penalty_last_n", 3}}));
  BOOST_TEST(some.temperature == 0.25);
  BOOST_TEST(some.top_k == 7);
  BOOST_TEST(some.repeat_last_n == 3);
  BOOST_TEST(some.top_p == table.top_p);
}

BOOST_AUTO_TEST_CASE(sampling_of_the_file_is_checked) {
  const auto message = test::message_of([] {
    sampling_defaults(Metadata({{"general.sampling.top_p", 3.5f}}, "model.gguf"));
  });
  BOOST_TEST(test::contains(message, "model.gguf"));
  BOOST_TEST(test::contains(message, "general.sampling"));
  BOOST_TEST(test::contains(message, "3.5"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
