// Settings by their flags and by their names.
#include "runtime/tools/generation_flags.h"

#include "message_of.h"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>

namespace lamina {
namespace {

SamplingSettings settings_of(std::vector<std::string> arguments, const Metadata& metadata = {}) {
  CLI::App app;
  SamplingFlags flags;
  LengthFlags length;
  flags.add_to(app);
  length.add_to(app);
  std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
  app.parse(std::move(arguments));
  return flags.settings(metadata, std::nullopt);
}

const SamplingNumber& number(std::string_view name) {
  const auto all = sampling_numbers();
  return *std::find_if(all.begin(), all.end(), [&](const auto& n) { return n.name == name; });
}

BOOST_AUTO_TEST_SUITE(generation_flags)

BOOST_AUTO_TEST_CASE(flags_go_before_the_file_and_the_file_before_the_table) {
  const Metadata metadata({{"general.sampling.temp", 0.25f}, {"general.sampling.top_k", 7}});
  const SamplingSettings all = settings_of(
      {"--temperature", "2", "--top-k", "1", "--top-k", "3", "--repeat-last-n", "-1"}, metadata);
  BOOST_TEST(all.temperature == 2.0);
  BOOST_TEST(all.top_k == 3);  // the last one counts
  BOOST_TEST(all.repeat_last_n == -1);
  const SamplingSettings file = settings_of({"--greedy"}, metadata);
  BOOST_TEST(file.temperature == 0.25);
  BOOST_TEST(file.top_k == 7);
  BOOST_TEST(file.greedy);
  BOOST_TEST(file.min_p == SamplingSettings{}.min_p);
}

BOOST_AUTO_TEST_CASE(every_number_has_a_flag_and_a_name) {
  BOOST_TEST(sampling_numbers().size() == 8u);
  for (const SamplingNumber& setting : sampling_numbers()) {
    std::string flag = "--" + std::string(setting.name);
    std::replace(flag.begin(), flag.end(), '_', '-');
    SamplingSettings expected;
    set_sampling(expected, setting, "x", "1");
    BOOST_TEST(describe(settings_of({flag, "1"})) == describe(expected), flag);
    BOOST_TEST(describe(expected).find(std::string(setting.name) + " 1\n") != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(what_is_out_of_range_changes_nothing_that_is_kept) {
  SamplingSettings settings;
  const auto message = [&](const char* name, const std::string& text) {
    return test::message_of([&] { set_sampling(settings, number(name), name, text); });
  };
  BOOST_TEST(test::contains(message("top_p", "1.5"), "expected a number in (0, 1]"));
  BOOST_TEST(test::contains(message("top_k", "many"), "top_k 'many': expected a whole number"));
  BOOST_TEST(test::contains(message("temperature", "hot"), "temperature 'hot'"));
  BOOST_TEST(describe(settings) == describe(SamplingSettings{}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
