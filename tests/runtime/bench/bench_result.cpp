// Names of models, and numbers worked out by hand.
#include "runtime/bench/bench_result.h"

#include "runtime/bench/results_made.h"
#include "runtime/gguf_files.h"
#include "runtime/registry.h"
#include "lamina/gguf/writer.h"
#include "runtime/temporary_folder.h"
#include "shared_data.h"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>

namespace lamina {
namespace {

BOOST_AUTO_TEST_SUITE(bench_results)

BOOST_AUTO_TEST_CASE(rates_of_samples) {
  const BenchResult result = test::made_result();  // 20 tokens in 1, 2 and 4 seconds
  BOOST_TEST(result.tokens_per_second() == (std::vector<double>{20, 10, 5}),
             boost::test_tools::per_element());
  const auto object = as_json(result);
  BOOST_TEST(object["avg_ns"] == 2333333333);
  BOOST_TEST(object["stddev_ns"] == 1527525231);  // sqrt((16 + 1 + 25) / 9 / 2) seconds
  BOOST_TEST(std::abs(object["avg_ts"].get<double>() - 35.0 / 3) < 1e-12);
  BOOST_TEST(std::abs(object["stddev_ts"].get<double>() - std::sqrt(175.0 / 3)) < 1e-12);
  BOOST_TEST(std::abs(object["achieved_gbps"].get<double>() - 7e9 / (7e9 / 3)) < 1e-12);
  BOOST_TEST(std::abs(object["achieved_gops"].get<double>() - 14e9 / (7e9 / 3)) < 1e-12);
}

BOOST_AUTO_TEST_CASE(keys_of_llama_bench) {
  const auto object = as_json(test::made_result());
  for (const char* key :
       {"build_commit",   "cpu_info",  "backends",   "model_filename", "model_type", "model_size",
        "model_n_params", "n_batch",   "n_ubatch",   "n_threads",      "type_k",     "type_v",
        "n_prompt",       "n_gen",     "n_depth",    "test_time",      "avg_ns",     "stddev_ns",
        "avg_ts",         "stddev_ts", "samples_ns", "samples_ts"}) {
    BOOST_TEST(object.contains(key), key);
  }
  BOOST_TEST(object["type_k"] == "q8_0");
  BOOST_TEST(object["type_v"] == "f16");
  BOOST_TEST(object["n_gen"] == 5);
  BOOST_TEST(object["n_depth"] == 9);
  BOOST_TEST(object["n_sequences"] == 4);
  BOOST_TEST(object["samples_ns"].size() == 3u);
  BOOST_TEST(object["read_gbps_limit"] == 10.0);
  BOOST_TEST(object["int8_gops_limit"] == 100.0);
  BenchResult less = test::made_result();
  less.limits.reset();
  less.peak_memory.reset();
  BOOST_TEST(as_json(less)["read_gbps_limit"].is_null());
  BOOST_TEST(as_json(less)["peak_memory"].is_null());
}

BOOST_AUTO_TEST_CASE(a_model_by_its_file) {
  const GgufFiles files(test::goldens() / "models" / "llama.gguf");
  const ModelInfo info = load_model(files, {})->info();
  const BenchModel model = bench_model("x.gguf", files, info);
  BOOST_TEST(model.file == "x.gguf");
  BOOST_TEST(model.type == "llama 34K F32");
  // Two tables of 61 x 40, a norm, and two layers of two norms and seven matrices.
  BOOST_TEST(model.parameters == 2 * 61 * 40 + 40 + 2 * (2 * 40 + 40 * (3 * 72 + 4 * 36)));
  BOOST_TEST(model.bytes == 4u * static_cast<std::uint64_t>(model.parameters));
}

BOOST_AUTO_TEST_CASE(a_model_that_says_what_it_is) {
  const test::TemporaryFolder folder;
  const GgufFiles files(test::goldens() / "models" / "llama.gguf");
  GgufWriter writer;
  writer.set(files.metadata());
  writer.set("general.size_label", std::string("1.7B")).set("general.file_type", 15u);
  for (const TensorView& tensor : files.tensors()) writer.add_tensor(tensor);
  {
    std::ofstream file(folder.path() / "m.gguf", std::ios::binary);
    writer.write(file);
  }
  const GgufFiles named(folder.path() / "m.gguf");
  const ModelInfo info = load_model(named, {})->info();
  BOOST_TEST(bench_model("m", named, info).type == "llama 1.7B Q4_K - Medium");
}

BOOST_AUTO_TEST_CASE(times) {
  const std::string now = utc_now();
  BOOST_TEST(now.size() == 20u);
  BOOST_TEST(now.substr(0, 2) == "20");
  BOOST_TEST(now[10] == 'T');
  BOOST_TEST(now.back() == 'Z');
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
