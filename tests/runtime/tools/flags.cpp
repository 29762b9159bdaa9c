// Values are taken as they are, and mistakes are named.
#include "runtime/tools/flags.h"

#include "message_of.h"
#include "runtime/temporary_folder.h"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <boost/test/unit_test.hpp>

namespace lamina {
namespace {

/// A command with all shared flags, for parsing arguments.
struct Parsed {
  CLI::App app;
  GeneralFlags general;
  ComputeFlags compute;
  InputFlags input;
  std::vector<std::string> stops;

  explicit Parsed(std::vector<std::string> arguments) {
    input.add_to(app, "pft-");
    compute.add_to(app);
    compute.add_kv_to(app, "f16");
    compute.add_context_to(app);
    general.add_to(app);
    add_value(app, "--stop", "TEXT", "",
              [this](const std::string& text) { stops.push_back(text); });
    std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
    app.parse(std::move(arguments));
  }
};

std::string mistake(std::vector<std::string> arguments) {
  try {
    const Parsed parsed(std::move(arguments));
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no mistake";
}

BOOST_AUTO_TEST_SUITE(flags)

BOOST_AUTO_TEST_CASE(text_is_taken_as_it_is) {
  for (const std::string text :
       {"", "-p", "--greedy", "[1,2]", "{}", "\"quoted\"", " a\\n\nb ", "%%", "a\xFF", "[]"}) {
    const Parsed parsed({"-p", text, "--stop", text, "--stop", "x"});
    BOOST_TEST(parsed.input.prompt.value() == text);
    BOOST_TEST(parsed.input.text() == text);
    BOOST_TEST(parsed.stops == (std::vector<std::string>{text, "x"}),
               boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(exactly_one_input) {
  Parsed({"-p", "a"}).input.check();
  Parsed({"-"}).input.check();
  BOOST_CHECK_THROW(Parsed({}).input.check(), UsageError);
  BOOST_CHECK_THROW(Parsed({"-p", "a", "--tokens", "1"}).input.check(), UsageError);
  BOOST_CHECK_THROW(Parsed({"-", "-f", "x"}).input.check(), UsageError);
  const std::string stray = test::message_of([] { Parsed({"stray"}).input.check(); });
  BOOST_TEST(test::contains(stray, "unexpected argument 'stray'"), stray);
}

BOOST_AUTO_TEST_CASE(a_file_is_read_whole) {
  const test::TemporaryFolder folder;
  const std::string bytes("a\r\n\0\xFF\n", 6);
  const auto path = folder.write("prompt", bytes);
  BOOST_TEST(Parsed({"-f", path.string()}).input.text() == bytes);
  BOOST_TEST(Parsed({"-f", folder.write("empty", "").string()}).input.text().empty());
  const auto of = [](const std::string& name) {
    return test::message_of([&] { static_cast<void>(Parsed({"-f", name}).input.text()); });
  };
  BOOST_TEST(test::contains(of(folder.path().string()), "is a directory"));
  BOOST_TEST(test::contains(of((folder.path() / "no").string()), "No such file"));
}

BOOST_AUTO_TEST_CASE(whole_numbers) {
  BOOST_TEST(parse_integer("-n", "0", 0, 10) == 0);
  BOOST_TEST(parse_integer("-n", "010", 0, 10) == 10);  // decimal, always
  for (const std::string text :
       {"", "3x", "0x3", "-1", "11", " 1", "1.0", "99999999999999999999", "+1"}) {
    const std::string message = test::message_of([&] { parse_integer("-n", text, 0, 10); });
    BOOST_TEST(test::contains(message, "-n '" + text + "'"));
    BOOST_TEST(test::contains(message, "a whole number from 0 to 10"));
  }
}

BOOST_AUTO_TEST_CASE(numbers) {
  BOOST_TEST(parse_number("--top-p", "0.5") == 0.5);
  BOOST_TEST(parse_number("--top-p", "1e-3") == 1e-3);
  for (const std::string text : {"", "x", "0.5x", "nan", "inf", "1e999"}) {
    BOOST_CHECK_THROW(parse_number("--top-p", text), UsageError);
  }
}

BOOST_AUTO_TEST_CASE(token_lists) {
  const std::vector<Token> expected = {1, 20, 3};
  for (const std::string text : {"1,20,3", "1 20 3", "[1, 20, 3]", " 1,\n20,3\n"}) {
    BOOST_TEST(parse_tokens("--tokens", text) == expected, boost::test_tools::per_element());
  }
  for (const std::string text :
       {"", ",", "[]", "1,x", "1,-2", "1;2", "1,,2", ",1", "1,", "2147483648"}) {
    BOOST_CHECK_THROW(parse_tokens("--tokens", text), UsageError);
  }
  check_tokens("--tokens", expected, 21);
  const auto message = test::message_of([&] { check_tokens("--tokens", expected, 20); });
  BOOST_TEST(test::contains(message, "--tokens '20': expected token ids below 20"));
}

BOOST_AUTO_TEST_CASE(what_every_command_takes) {
  const Parsed parsed({"--seed", "5", "--output", "json", "--threads", "1"});
  BOOST_TEST(parsed.general.seed.value() == 5u);
  BOOST_TEST(parsed.general.json);
  BOOST_TEST(parsed.general.threads == 1);
  BOOST_TEST(test::contains(mistake({"--threads", "0"}), "--threads '0'"));
  BOOST_TEST(test::contains(mistake({"--seed", "-1"}), "--seed '-1'"));
  BOOST_TEST(test::contains(mistake({"--output", "xml"}), "one of text, json"));
  BOOST_TEST(
      test::contains(mistake({"--log-level", "loud"}), "trace, debug, info, warn, error, off"));
}

BOOST_AUTO_TEST_CASE(what_computing_commands_take) {
  const Parsed parsed({"--backend", "reference", "--kv-k", "q8_0", "--kv-v", "F32", "-c", "77",
                       "--cpu-isa", "portable"});
  BOOST_TEST(parsed.compute.backend == "reference");
  BOOST_CHECK(parsed.compute.key_format == FormatId::q8_0);
  BOOST_CHECK(parsed.compute.value_format == FormatId::f32);
  BOOST_TEST(parsed.compute.context.value() == 77);
  const LoadOptions options = parsed.compute.load_options(parsed.general);
  BOOST_TEST(options.backend == "reference");
  BOOST_TEST(options.threads >= 1);
  BOOST_TEST(test::contains(mistake({"--backend", "cuda"}), "one of cpu, reference"));
  BOOST_TEST(test::contains(mistake({"--cpu-isa", "avx9"}), "portable"));
  BOOST_TEST(test::contains(mistake({"--kv-k", "q4_k"}), "f16"));
  BOOST_TEST(test::contains(mistake({"-c", "0"}), "-c '0'"));
}

BOOST_AUTO_TEST_CASE(no_more_threads_than_the_process_may_use) {
  BOOST_TEST(threads_to_use(0) >= 1);
  BOOST_TEST(threads_to_use(1) == 1);
  BOOST_TEST(threads_to_use(4000) == threads_to_use(0));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
