// The program as a test runs it: arguments and stdin in; exit code, stdout and stderr out.
#pragma once

#include "lamina/gguf/writer.h"
#include "runtime/child_process.h"
#include "runtime/gguf_files.h"
#include "tests/runtime/temporary_folder.h"
#include "tests/shared_data.h"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace lamina::test {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Arguments = std::vector<std::string>;

inline std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Outcome {
  int code;
  std::string out;
  std::string err;
};

/// Runs the program with `input` as stdin; Ctrl-C once it has printed something, if asked for.
class Program {
 public:
  Outcome operator()(const Arguments& arguments, const std::string& input = "",
                     bool interrupt = false) const {
    const auto out = folder_.path() / "out", err = folder_.path() / "err";
    folder_.write("in", input);
    fs::remove(out);
    ChildProcess child;
    child.arguments = {"sh", "-c", "exec \"$0\" \"$@\" <in >out 2>err",
                       LAMINA_BINARY_DIR "/lamina"};
    child.arguments[2].insert(0, "cd '" + folder_.path().string() + "'; ");
    child.arguments.insert(child.arguments.end(), arguments.begin(), arguments.end());
    child.log = "/dev/null";
    if (interrupt) child.stop = [&] { return fs::exists(out) && fs::file_size(out) > 0; };
    const ChildResult result = run(child);
    return {result.exit_code, content(out), content(err)};
  }

  const TemporaryFolder& folder() const { return folder_; }

  /// The golden Llama with a tokenizer of 61 tokens: a to z, blank, some words, the end token 0.
  std::string model(const std::string& name = "llama") const {
    const auto path = folder_.path() / (name + ".gguf");
    if (fs::exists(path)) return path.string();
    const GgufFiles files(goldens() / "models" / (name + ".gguf"));
    GgufWriter writer;
    writer.set(files.metadata());
    std::vector<std::string> tokens = {"<end>"};
    for (char c = 'a'; c <= 'z'; ++c) tokens.emplace_back(1, c);
    tokens.insert(tokens.end(),
                  {"\xC4\xA0", "th", "the", "in", "er"});  // U+0120 stands for a blank
    while (tokens.size() < 61) tokens.push_back("word" + std::to_string(tokens.size()));
    std::vector<std::int32_t> types(61, 1);
    types[0] = 3;  // control
    writer.set("tokenizer.ggml.model", "gpt2").set("tokenizer.ggml.pre", "gpt-2");
    writer.set("tokenizer.ggml.tokens", tokens).set("tokenizer.ggml.token_type", types);
    writer.set("tokenizer.ggml.merges", std::vector<std::string>{"t h", "th e", "i n", "e r"});
    writer.set("tokenizer.ggml.eos_token_id", 0u).set("tokenizer.ggml.add_bos_token", false);
    for (const TensorView& tensor : files.tensors()) writer.add_tensor(tensor);
    std::ofstream file(path, std::ios::binary);
    writer.write(file);
    return path.string();
  }

 private:
  TemporaryFolder folder_;
};

inline Arguments operator+(Arguments a, const Arguments& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// The object that a command prints with --output json.
inline Json json_of(const Program& lamina, const Arguments& arguments) {
  const Outcome outcome = lamina(arguments + Arguments{"--output", "json"});
  BOOST_TEST_REQUIRE(outcome.code == 0, outcome.err);
  return Json::parse(outcome.out);
}

inline void check_fails(const Program& lamina, int code, const Arguments& arguments,
                        const std::string& said) {
  const Outcome outcome = lamina(arguments);
  BOOST_TEST(outcome.code == code, outcome.err);
  BOOST_TEST(outcome.out.empty(), outcome.out);
  BOOST_TEST(outcome.err.find(said) != std::string::npos, outcome.err << "\nexpected: " << said);
}

}  // namespace lamina::test
