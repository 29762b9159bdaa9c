// `lamina bench` from outside, on a tiny model.
#include "tests/runtime/tools/run_program.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>

namespace lamina {
namespace {

using test::Arguments;
using test::check_fails;
using test::content;
using test::Json;
using test::Outcome;
using test::Program;
using test::operator+;

const std::string model = (test::goldens() / "models" / "gemma3.gguf").string();

std::vector<std::string> names_of(const Json& results) {
  std::vector<std::string> names;
  for (const Json& result : results) names.push_back(result["test"]);
  return names;
}

BOOST_AUTO_TEST_SUITE(bench_program)

BOOST_AUTO_TEST_CASE(a_table_and_a_picture) {
  const Program lamina;
  const Outcome outcome = lamina({"bench", model, "-p", "8", "-n", "4", "-r", "2", "-t", "1",
                                  "--plot", "roof.svg", "--read-buffer", "8"});
  BOOST_TEST_REQUIRE(outcome.code == 0, outcome.err);
  for (const char* part :
       {"| model ", "|     params | backend    | threads |", "gemma3 ", " pp8 | ", " tg4 | ", " ± ",
        " %) | ", "limits with 1 thread, ", " GB/s, int8 ", "build: 0.1.0\n"}) {
    BOOST_TEST(outcome.out.find(part) != std::string::npos, outcome.out << "\nexpected: " << part);
  }
  const std::string svg = content(lamina.folder().path() / "roof.svg");
  for (const char* part : {"<svg ", ">pp8</text>", ">tg4</text>", "</svg>"}) {
    BOOST_TEST(svg.find(part) != std::string::npos, svg);
  }
}

BOOST_AUTO_TEST_CASE(objects_for_all_that_is_asked) {
  const Program lamina;
  const Arguments command = {"bench", model,      "-p",          "8",         "-n", "4",  "-pg",
                             "5,3",   "-d",       "0,20",        "-r",        "3",  "-t", "1",
                             "-ctk",  "f16,q8_0", "--no-limits", "--batched", "2,3"};
  const Outcome outcome = lamina(command + Arguments{"-o", "json"});
  BOOST_TEST_REQUIRE(outcome.code == 0, outcome.err);
  const Json results = Json::parse(outcome.out);
  const std::vector<std::string> each = {
      "pp8",       "tg4",       "tg4 x 2",       "tg4 x 3",       "pp5+tg3",
      "pp8 @ d20", "tg4 @ d20", "tg4 @ d20 x 2", "tg4 @ d20 x 3", "pp5+tg3 @ d20"};
  std::vector<std::string> expected = each;
  expected.insert(expected.end(), each.begin(), each.end());  // for each format of keys
  BOOST_TEST(names_of(results) == expected, boost::test_tools::per_element());
  for (const Json& r : results) {
    BOOST_TEST(r["samples_ns"].size() == 3u);
    BOOST_TEST(r["avg_ts"] > 0.0);
    BOOST_TEST(r["achieved_gbps"] > 0.0);
    BOOST_TEST(r["read_gbps_limit"].is_null());
    BOOST_TEST(r["n_threads"] == 1);
    const double tokens =
        r["n_sequences"].get<double>() * (r["n_prompt"].get<double>() + r["n_gen"].get<double>());
    const double ns = r["samples_ns"][1].get<double>();
    BOOST_TEST(std::abs(r["samples_ts"][1].get<double>() - 1e9 * tokens / ns) < 1e-6 * tokens);
  }
  BOOST_TEST(results[0]["type_k"] == "f16");
  BOOST_TEST(results[10]["type_k"] == "q8_0");
  BOOST_TEST(results[0]["ratio_to_one"].is_null());
  BOOST_TEST(results[1]["ratio_to_one"] == 1.0);
  const double ratio = results[3]["avg_ts"].get<double>() / results[1]["avg_ts"].get<double>();
  BOOST_TEST(std::abs(results[3]["ratio_to_one"].get<double>() - ratio) < 1e-12);
}

BOOST_AUTO_TEST_CASE(other_forms_and_the_reference) {
  const Program lamina;
  const Arguments command = {"bench",       model,       "-p",        "3",
                             "-n",          "2",         "-r",        "1",
                             "--no-limits", "--backend", "reference", "--no-warmup"};
  const std::string lines = lamina(command + Arguments{"-o", "jsonl"}).out;
  BOOST_TEST(std::ranges::count(lines, '\n') == 2);
  const Json first = Json::parse(lines.substr(0, lines.find('\n')));
  BOOST_TEST(first["backends"] == "reference");
  BOOST_TEST(first["type_k"] == "f32");
  const std::string values = lamina(command + Arguments{"-o", "csv"}).out;
  BOOST_TEST(std::ranges::count(values, '\n') == 3);
  BOOST_TEST(Json::parse(lamina(command + Arguments{"--output", "json"}).out).size() == 2u);
}

BOOST_AUTO_TEST_CASE(what_does_not_fit) {
  const Program lamina;
  check_fails(lamina, 1, {"bench", model, "-p", "200", "-n", "0", "-d", "57", "--no-limits"},
              "the test pp200 @ d57 needs a context of 257 tokens (-p, -n, -pg and -d together), "
              "but the model was trained for 256");
  check_fails(lamina, 1, {"bench", "missing.gguf", "--no-limits"}, "missing.gguf");
  check_fails(lamina, 2, {"bench", model, "-p", "x"}, "-p 'x'");
  check_fails(lamina, 2, {"bench"}, "MODEL");
  const Outcome outcome =
      lamina({"bench", model, "-p", "3", "-n", "0", "-r", "1", "--plot", "no/roof.svg"});
  BOOST_TEST(outcome.code == 1);
  BOOST_TEST(outcome.err.find("--plot no/roof.svg: cannot be written") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_full_stdout_is_an_error) {
  const Program lamina;
  for (const char* form : {"md", "json", "jsonl", "csv"}) {
    const std::string log = (lamina.folder().path() / "log").string();
    const Arguments shell = {"sh", "-c", "exec \"$0\" \"$@\" >/dev/full",
                             LAMINA_BINARY_DIR "/lamina"};
    const Arguments command = {"bench", model, "-p", "3", "-n", "0", "-r", "1", "--no-limits"};
    BOOST_TEST(run({.arguments = shell + command + Arguments{"-o", form}, .log = log}).exit_code ==
               1);
    BOOST_TEST(content(log).find("stdout: writing failed") != std::string::npos, content(log));
  }
}

BOOST_AUTO_TEST_CASE(ctrl_c_keeps_what_was_measured) {
  const Program lamina;
  const Outcome outcome =
      lamina({"bench", model, "-p", "3", "-n", "200", "-r", "300", "--no-limits"}, "",
             true);  // once the row of pp3 is there
  BOOST_TEST(outcome.code == 1, outcome.err);
  BOOST_TEST(outcome.out.find(" pp3 | ") != std::string::npos);
  BOOST_TEST(outcome.out.find("build: ") != std::string::npos);
  BOOST_TEST(outcome.err.find("interrupted: 1 of 2 tests were measured") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
