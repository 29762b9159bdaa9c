// The same results in every form.
#include "runtime/bench/bench_report.h"

#include "runtime/bench/results_made.h"

#include <boost/test/unit_test.hpp>

#include <sstream>

namespace lamina {
namespace {

std::string printed(BenchForm form, BenchColumns columns, const std::vector<BenchResult>& results) {
  std::string text;
  BenchReport report(form, columns, [&](std::string_view more) { text += more; });
  for (const BenchResult& result : results) report.add(result);
  report.finish();
  return text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

BOOST_AUTO_TEST_SUITE(bench_report)

BOOST_AUTO_TEST_CASE(a_table) {
  const BenchResult result = test::made_result();
  const auto lines =
      lines_of(printed(BenchForm::md, {.kv_formats = true, .ratio = true}, {result, result}));
  BOOST_TEST_REQUIRE(lines.size() == 7u);
  BOOST_TEST(
      lines[0] ==
      "| model                          |       size |     params | backend    | threads | "
      "type_k | type_v |            test |                  t/s |  of one |           GB/s | "
      "          GOPS | peak memory |");
  BOOST_TEST(
      lines[1] ==
      "| ------------------------------ | ---------: | ---------: | ---------- | ------: | "
      "-----: | -----: | --------------: | -------------------: | ------: | -------------: | "
      "-------------: | ----------: |");
  BOOST_TEST(
      lines[2] ==
      "| llama 1 B                      |   3.00 GiB |     1.20 B | cpu        |       2 | "
      "  q8_0 |    f16 |    tg5 @ d9 x 4 |         11.67 ± 7.64 |   2.50x |    3.00 (30 %) | "
      "    6.00 (6 %) |     5.0 MiB |");
  BOOST_TEST(lines[3] == lines[2]);
  BOOST_TEST(lines[5] ==
             "limits with 2 threads, avx2: read 10.0 GB/s, int8 100.0 GOPS, float 50.0 GFLOPS");
  BOOST_TEST(lines[6] == "build: 0.1.0");
}

BOOST_AUTO_TEST_CASE(a_table_without_limits) {
  BenchResult result = test::made_result();
  result.limits.reset();
  result.peak_memory.reset();
  const auto lines = lines_of(printed(BenchForm::md, {.limits = false}, {result}));
  BOOST_TEST_REQUIRE(lines.size() == 5u);
  BOOST_TEST(lines[0].find("type_k") == std::string::npos);
  BOOST_TEST(lines[2].ends_with("|         11.67 ± 7.64 |     3.00 |     6.00 |     unknown |"),
             lines[2]);
}

BOOST_AUTO_TEST_CASE(objects) {
  const BenchResult result = test::made_result();
  const std::string array = printed(BenchForm::json, {}, {result, result});
  const auto parsed = nlohmann::ordered_json::parse(array);
  BOOST_TEST_REQUIRE(parsed.size() == 2u);
  BOOST_TEST(parsed[1] == as_json(result));
  BOOST_TEST(nlohmann::json::parse(printed(BenchForm::json, {}, {})).empty());
  const auto lines = lines_of(printed(BenchForm::jsonl, {}, {result, result}));
  BOOST_TEST_REQUIRE(lines.size() == 2u);
  BOOST_TEST(nlohmann::ordered_json::parse(lines[0]) == as_json(result));
}

BOOST_AUTO_TEST_CASE(lines_of_values) {
  const BenchResult result = test::made_result();
  const auto lines = lines_of(printed(BenchForm::csv, {}, {result, result}));
  BOOST_TEST_REQUIRE(lines.size() == 3u);
  BOOST_TEST(lines[0].starts_with("build_commit,cpu_info,backends,cpu_isa,model_filename,"));
  BOOST_TEST(lines[0].find("samples") == std::string::npos);
  BOOST_TEST(lines[1].find("\"folder/m \"\"1\"\".gguf\",\"llama 1|B\",\"3221225472\"") !=
             std::string::npos);
  BOOST_TEST(lines[1] == lines[2]);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
