// Lists are taken whole, and mistakes name flag, what was found and what was expected.
#include "runtime/tools/bench_flags.h"

#include "message_of.h"
#include "runtime/model_instance.h"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>

namespace lamina {
namespace {

using Numbers = std::vector<std::int64_t>;

Numbers counts(const std::string& text) { return parse_counts("-p", text, 0, 1 << 20); }

/// A command with the flags of `bench`.
struct Parsed {
  CLI::App app;
  BenchFlags flags;

  explicit Parsed(std::vector<std::string> arguments) {
    flags.add_to(app);
    std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
    app.parse(std::move(arguments));
  }
};

std::string mistake(std::vector<std::string> arguments) {
  return test::message_of([&] {
    const Parsed parsed(std::move(arguments));
    parsed.flags.plan();
    parsed.flags.threads();
    parsed.flags.form();
  });
}

BOOST_AUTO_TEST_SUITE(bench_flags)

BOOST_AUTO_TEST_CASE(lists_and_ranges) {
  const auto same = boost::test_tools::per_element();
  BOOST_TEST(counts("512") == (Numbers{512}), same);
  BOOST_TEST(counts("0,7,7") == (Numbers{0, 7, 7}), same);
  BOOST_TEST(counts("3-5") == (Numbers{3, 4, 5}), same);
  BOOST_TEST(counts("0-9+4,1") == (Numbers{0, 4, 8, 1}), same);
  BOOST_TEST(counts("128-1024*2") == (Numbers{128, 256, 512, 1024}), same);
  BOOST_TEST(counts("5-5*3") == (Numbers{5}), same);
}

BOOST_AUTO_TEST_CASE(lists_that_are_none) {
  for (const char* text : {"", ",", "1,", "a", "-1", "1.5", "5-3", "1-2+0", "1-8*1", "1-2-3", "1 2",
                           "1-", "2*3", "99999999"}) {
    const std::string said = test::message_of([&] { counts(text); });
    BOOST_TEST(said.starts_with("-p '"), text << ": " << said);
    BOOST_TEST(test::contains(said, "': expected "), said);
  }
  BOOST_TEST(test::contains(test::message_of([] { counts("0-8*2"); }), "begin above 0"));
  BOOST_TEST(test::contains(test::message_of([] { counts("0-1000"); }), "at most 1000 numbers"));
  BOOST_TEST(counts("1-1000").size() == 1000u);
}

BOOST_AUTO_TEST_CASE(without_flags) {
  const Parsed parsed({"a.gguf", "b.gguf"});
  const BenchFlags& flags = parsed.flags;
  BOOST_TEST(flags.models == (std::vector<std::string>{"a.gguf", "b.gguf"}),
             boost::test_tools::per_element());
  BOOST_TEST(flags.repetitions == 5);
  BOOST_TEST(flags.warm_up);
  BOOST_TEST(flags.limits);
  BOOST_TEST(tests_of(flags.plan()).size() == 2u);
  BOOST_TEST(flags.threads().size() == 1u);
  BOOST_TEST(flags.batches() == (std::vector<Position>{longest_batch}),
             boost::test_tools::per_element());
  BOOST_TEST(!flags.key_formats().at(0).has_value());
  BOOST_TEST((flags.form() == BenchForm::md));
  BOOST_TEST(!flags.columns().ratio);
  BOOST_TEST(flags.columns().test_width == 15);
  BOOST_TEST(Parsed({"m", "--pg", "512,128", "-d", "4096"}).flags.columns().test_width == 19);
}

BOOST_AUTO_TEST_CASE(with_flags) {
  const Parsed parsed({"-p",          "7",      "a.gguf",    "-p",   "8,9",           "-n",
                       "4",           "-d",     "0,5",       "--pg", "3,2",           "-r",
                       "2",           "-t",     "1",         "--ub", "16,32",         "--ctk",
                       "q8_0,F16",    "--kv-v", "f32",       "-o",   "jsonl",         "--no-warmup",
                       "--no-limits", "b.gguf", "--batched", "2,3",  "--read-buffer", "3"});
  const BenchFlags& flags = parsed.flags;
  BOOST_TEST(flags.models.size() == 2u);
  BOOST_TEST(flags.repetitions == 2);
  BOOST_TEST(!flags.warm_up);
  BOOST_TEST(!flags.limits);
  BOOST_TEST(flags.read_buffer == 3u << 20);
  BOOST_TEST(tests_of(flags.plan()).size() == 2u * (3 + 3 + 1));
  BOOST_TEST(flags.threads() == (std::vector<int>{1}), boost::test_tools::per_element());
  BOOST_TEST(flags.batches().size() == 2u);
  BOOST_TEST((flags.key_formats().at(0) == FormatId::q8_0));
  BOOST_TEST((flags.key_formats().at(1) == FormatId::f16));
  BOOST_TEST((flags.value_formats().at(0) == FormatId::f32));
  BOOST_TEST((flags.form() == BenchForm::jsonl));
  BOOST_TEST((flags.columns().ratio && flags.columns().kv_formats && flags.columns().batch));
}

BOOST_AUTO_TEST_CASE(batched_with_and_without_a_list) {
  const auto sequences = [](const std::vector<std::string>& arguments) {
    return Parsed(arguments).flags.plan().sequences;
  };
  const auto same = boost::test_tools::per_element();
  BOOST_TEST(sequences({"m", "--batched"}) == (std::vector<int>{1, 2, 4, 8, 16}), same);
  BOOST_TEST(sequences({"m", "--batched", "-n", "4"}) == (std::vector<int>{1, 2, 4, 8, 16}), same);
  BOOST_TEST(sequences({"m", "--batched", "3"}) == (std::vector<int>{3}), same);
  BOOST_TEST(sequences({"m", "--batched=3,5"}) == (std::vector<int>{3, 5}), same);
}

BOOST_AUTO_TEST_CASE(mistakes_are_named) {
  for (const auto& [arguments, said] :
       std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"m", "-p", "x"}, "-p 'x': expected a whole number from 0 to 16777216"},
           {{"m", "-p", "1,,2"}, "-p '1,,2': expected numbers separated by commas"},
           {{"m", "-pg", "1"}, "-p 'g': expected a whole number"},
           {{"m", "--pg", "1"}, "-pg '1': expected two numbers such as 512,128"},
           {{"m", "--pg", "0,5"}, "-pg '0': expected a whole number from 1"},
           {{"m", "-o", "sql"}, "-o 'sql': expected one of md, json, jsonl, csv"},
           {{"m", "-o", "csv", "--output", "json"}, "expected one of them"},
           {{"m", "-r", "0"}, "-r '0': expected a whole number from 1"},
           {{"m", "-t", "0"}, "-t '0': expected a whole number from 1 to 4096"},
           {{"m", "-t", "1", "--threads", "1"}, "expected one of them"},
           {{"m", "--ub", "513"}, "-ub '513': expected a whole number from 1 to 512"},
           {{"m", "--ctk", "q9"}, "-ctk 'q9': expected one of f32"},
           {{"m", "--ctv", "f16,"}, "-ctv '': expected one of f32"},
           {{"m", "-p", "0", "-n", "0"}, "nothing is left to measure"},
           {{"m", "-n", "0", "--batched", "2"}, "--batched generates, but -n is 0"},
           {{"--batched", "m", "n"}, "--batched 'm': expected"},
           {{"m", "--batched", "0"}, "--batched '0': expected a whole number from 1 to 512"},
           {{"m", "--read-buffer", "0"}, "--read-buffer '0': expected a whole number from 1"},
           {{"m", "--plot", ""}, "--plot '': expected the name of a file"},
           {{"m", "--plot", "a.svg", "--no-limits"}, "expected it without --no-limits"}}) {
    const std::string found = mistake(arguments);
    BOOST_TEST(test::contains(found, said), found << "\nexpected: " << said);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
