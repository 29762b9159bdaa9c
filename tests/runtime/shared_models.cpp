// The shared small models in Hugging Face form, written as GGUF by
// tests/goldens/models/hf_to_gguf.py.
#include "tests/npy_file.h"
#include "tests/runtime/small_files.h"
#include "tests/skip.h"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdlib>
#include <fstream>

using namespace lamina;
using namespace lamina::test;

namespace {

const char* python() {
  const char* chosen = std::getenv("LAMINA_PYTHON");
  return chosen != nullptr ? chosen : "python3";
}

bool python_can_convert() {
  const std::string command =
      std::string("'") + python() + "' -c 'import gguf, numpy, safetensors' 2>/dev/null";
  return std::system(command.c_str()) == 0;
}

void check_model(const std::filesystem::path& folder) {
  const std::filesystem::path gguf = std::filesystem::temp_directory_path() /
                                     ("lamina_shared_" + folder.filename().string() + ".gguf");
  const auto script =
      std::filesystem::path(LAMINA_SOURCE_DIR) / "tests/goldens/models/hf_to_gguf.py";
  const std::string command = std::string("'") + python() + "' '" + script.string() + "' '" +
                              folder.string() + "' '" + gguf.string() + "' > /dev/null";
  BOOST_TEST_REQUIRE(std::system(command.c_str()) == 0);
  std::ifstream in(folder / "tokens.json");
  const auto tokens = nlohmann::json::parse(in).at("tokens").get<std::vector<Token>>();
  const NpyMatrix expected = read_npy(folder / "logits.npy");  // the last positions
  for (const char* backend : {"reference", "cpu"}) {
    const LoadedModel model = load_file(gguf, exact_options(backend));
    const std::vector<float> logits = run_all(*model.model, tokens);
    const auto tail = std::span(logits).last(expected.values.size());
    double worst = 0;
    for (std::size_t i = 0; i < tail.size(); ++i) {
      const double difference =
          std::fabs(static_cast<double>(tail[i]) - static_cast<double>(expected.values[i]));
      if (!(difference <= worst)) worst = difference;
    }
    BOOST_TEST(worst < 1e-4, folder.filename().string() << " on " << backend << ": " << worst);
  }
  std::filesystem::remove(gguf);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(shared_models)

BOOST_AUTO_TEST_CASE(agree_with_transformers) {
  const auto data = shared_data();
  if (!data) return skip(no_shared_data());
  if (!python_can_convert())
    return skip("needs a Python with gguf, numpy and safetensors: set LAMINA_PYTHON");
  for (const char* name : {"llama", "llama_mha_tied", "llama_rope_linear", "llama_rope_llama3",
                           "qwen2", "qwen3", "gemma3_text"}) {
    check_model(*data / "tiny_models" / name);
  }
}

BOOST_AUTO_TEST_SUITE_END()
