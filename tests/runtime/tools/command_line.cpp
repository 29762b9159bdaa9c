// Command lines with wrong words, and what is offered instead.
#include "runtime/tools/command_line.h"

#include "message_of.h"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <boost/test/unit_test.hpp>

#include <vector>

namespace lamina {
namespace {

/// `tool` with `play MODEL [-n N]` and `look near|far`.
struct Commands {
  CLI::App app{"", "tool"};
  std::string model;
  int count = 0;

  Commands() {
    CLI::App& play = *app.add_subcommand("play");
    play.add_option("MODEL", model)->required();
    play.add_option("-n", count);
    play.add_flag("--loud,-l");
    CLI::App& look = *app.add_subcommand("look");
    look.require_subcommand(1);
    look.add_subcommand("near");
    look.add_subcommand("far")->add_flag("--now");
  }

  std::string said(const std::vector<const char*>& words) {
    return test::message_of([&] { check_command(app, words); });
  }
  std::string mistake(std::vector<const char*> words) {
    words.insert(words.begin(), "tool");
    try {
      app.parse(static_cast<int>(words.size()), words.data());
    } catch (const CLI::ParseError& error) {
      return describe_mistake(app, error);
    }
    return "";
  }
};

BOOST_AUTO_TEST_SUITE(command_line)

BOOST_AUTO_TEST_CASE(commands_that_are_none) {
  Commands commands;
  BOOST_TEST(commands.said({"ploy"}) ==
             "'ploy' is no command of `tool`; expected one of: play, look");
  BOOST_TEST(commands.said({}) == "`tool` needs a command; expected one of: play, look");
  BOOST_TEST(commands.said({"look", "up"}) ==
             "'up' is no command of `tool look`; expected one of: near, far");
  BOOST_TEST(commands.said({"look"}) == "`tool look` needs a command; expected one of: near, far");
  const auto accepted = [&](const std::vector<const char*>& words) {
    check_command(commands.app, words);
    return true;
  };
  BOOST_TEST(accepted({"play"}));
  BOOST_TEST(accepted({"play", "x"}));
  BOOST_TEST(accepted({"look", "far", "x"}));
  BOOST_TEST(accepted({"--help"}));
  BOOST_TEST(accepted({"look", "-h"}));
}

BOOST_AUTO_TEST_CASE(flags_that_are_none) {
  Commands commands;
  BOOST_TEST(commands.mistake({"play", "m", "--quiet", "2"}) ==
             "'--quiet' is no flag of `tool play`, whose flags are: --help, -n, --loud; see `tool "
             "play --help`");
  BOOST_TEST(commands.mistake({"play", "m", "2"}) ==
             "'2' is one word too many for `tool play`, whose flags are: --help, -n, --loud; see "
             "`tool play --help`");
  BOOST_TEST(commands.mistake({"look", "far", "--later"}) ==
             "'--later' is no flag of `tool look far`, whose flags are: --help, --now; see `tool "
             "look far --help`");
  BOOST_TEST(commands.mistake({"play"}) == "MODEL is required; see `tool play --help`");
  BOOST_TEST(commands.mistake({"play", "m", "-n", "2"}) == "");
}

BOOST_AUTO_TEST_CASE(flags_of_bench_with_one_dash) {
  using Words = std::vector<std::string>;
  const auto words = [](std::vector<const char*> given) { return words_to_parse(given); };
  BOOST_TEST(words({"bench", "m", "-pg", "1,2", "-p", "3", "-ctk", "-ub"}) ==
                 (Words{"--ub", "--ctk", "3", "-p", "1,2", "--pg", "m", "bench"}),
             boost::test_tools::per_element());
  BOOST_TEST(words({"run", "m", "-p", "-pg"}) == (Words{"-pg", "-p", "m", "run"}),
             boost::test_tools::per_element());
  BOOST_TEST(words({}).empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
