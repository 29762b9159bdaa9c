// Tokenizers trained for this repository, and public vocabularies, against their own libraries.
#include "runtime/gguf_files.h"
#include "runtime/tokenizer/tokenizer.h"
#include "tests/runtime/tokenizer/cpu_time.h"
#include "tests/shared_data.h"
#include "tests/skip.h"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

using namespace lamina;
using Tokens = std::vector<Token>;

namespace {

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  BOOST_TEST_REQUIRE(file.good(), path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> parts(const std::string& text, const std::string& separator) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    out.push_back(text.substr(at, end - at));
    at = end + separator.size();
  }
  return out;
}

Tokens numbers(const std::string& line) {
  std::istringstream in(line);
  return {std::istream_iterator<Token>(in), {}};
}

constexpr EncodeOptions plain{.add_special = false, .parse_special = false};
constexpr EncodeOptions parsed{.add_special = false, .parse_special = true};

const char* const trained[] = {"gpt2",   "llama3", "qwen2", "smollm",
                               "gemma4", "llama",  "gemma", "unknown"};
const char* const published[] = {"deepseek-coder", "falcon",    "gemma-4", "gpt-2",
                                 "llama-bpe",      "llama-spm", "phi-3",   "qwen2"};

/// SentencePiece adds no space after a user-defined token; the rule here is that of llama files.
bool comparable(const std::string& name, const std::string& text) {
  const bool prefixed = name == "llama" || name == "unknown";
  return !prefixed || text.find("tool>") == std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tokenizer_goldens)

BOOST_DATA_TEST_CASE(trained_vocabularies_give_the_ids_of_their_library,
                     boost::unit_test::data::make(trained), name) {
  const auto folder = test::goldens() / "tokenizer";
  const GgufFiles file(folder / (std::string(name) + ".gguf"));
  const Tokenizer tokenizer = Tokenizer::from_metadata(file.metadata());
  const auto texts = nlohmann::json::parse(content(folder / "texts.json"));
  const auto expected = nlohmann::json::parse(content(folder / (std::string(name) + ".json")));
  BOOST_TEST_REQUIRE(texts.size() == expected["plain"].size());
  BOOST_TEST_REQUIRE(texts.size() > 200U);
  const bool lossless = expected["lossless"].get<bool>();
  const std::size_t special = expected["parsed"].size();  // the last texts
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto text = texts[i].get<std::string>();
    if (!comparable(name, text)) continue;
    BOOST_TEST_CONTEXT("text " << i << ": " << text.substr(0, 80)) {
      const Tokens tokens = tokenizer.encode(text, plain);
      BOOST_TEST(tokens == expected["plain"][i].get<Tokens>(), boost::test_tools::per_element());
      if (lossless) BOOST_TEST(tokenizer.decode(tokens) == text);
      if (i + special < texts.size()) continue;
      const auto& ids = expected["parsed"][i - (texts.size() - special)];
      const Tokens with_special = tokenizer.encode(text, parsed);
      BOOST_TEST(with_special == ids.get<Tokens>(), boost::test_tools::per_element());
      if (lossless) BOOST_TEST(tokenizer.decode(with_special, true) == text);
    }
  }
}

BOOST_DATA_TEST_CASE(public_vocabularies_give_the_published_ids,
                     boost::unit_test::data::make(published), name) {
  const auto data = test::shared_data();
  if (!data) return test::skip(test::no_shared_data());
  const std::string path =
      (*data / "vocab" / ("ggml-vocab-" + std::string(name) + ".gguf")).string();
  const GgufFiles file(path);
  const Tokenizer tokenizer = Tokenizer::from_metadata(file.metadata());
  auto texts = parts(content(path + ".inp"), "\n__ggml_vocab_test__\n");
  auto lines = parts(content(path + ".out"), "\n");
  if (lines.back().empty()) lines.pop_back();
  if (texts.back().empty()) texts.pop_back();  // most files end with a separator
  BOOST_TEST_REQUIRE(lines.size() > 40U);
  BOOST_TEST_REQUIRE(texts.size() == lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    BOOST_TEST_CONTEXT("text " << i << ": " << texts[i].substr(0, 80)) {
      const Tokens tokens = tokenizer.encode(texts[i], plain);
      BOOST_TEST(tokens == numbers(lines[i]), boost::test_tools::per_element());
      BOOST_TEST(tokenizer.decode(tokens) == texts[i]);
    }
  }
}

BOOST_AUTO_TEST_CASE(end_tokens_of_public_vocabularies) {
  const auto data = test::shared_data();
  if (!data) return test::skip(test::no_shared_data());
  const auto ends = [&](const std::string& name) {
    const GgufFiles file(*data / "vocab" / ("ggml-vocab-" + name + ".gguf"));
    const Tokenizer tokenizer = Tokenizer::from_metadata(file.metadata());
    return Tokens(tokenizer.end_tokens().begin(), tokenizer.end_tokens().end());
  };
  // In Qwen's vocabulary </s>, 128247, is made by merges, in Gemma's, 212, an HTML tag.
  BOOST_TEST(ends("qwen2") == (Tokens{151643, 151645}), boost::test_tools::per_element());
  BOOST_TEST(ends("gemma-4") == (Tokens{1, 50, 106}), boost::test_tools::per_element());
  BOOST_TEST(ends("llama-bpe") == (Tokens{128001, 128009}), boost::test_tools::per_element());
  BOOST_TEST(ends("phi-3") == (Tokens{2, 32000, 32007}), boost::test_tools::per_element());
  BOOST_TEST(ends("falcon") == (Tokens{11}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(long_runs_take_less_than_a_second) {
  for (const char* name : {"gpt2", "llama3", "smollm", "gemma4", "llama"}) {
    const GgufFiles file(test::goldens() / "tokenizer" / (std::string(name) + ".gguf"));
    const Tokenizer tokenizer = Tokenizer::from_metadata(file.metadata());
    for (const std::string unit : {"a", " ", "\n", "ab", "中", "é", "1", "\xFF", "<|end|>", "<"}) {
      std::string text;
      while (text.size() < 512 << 10) text += unit;
      const test::CpuTime time;
      const Tokens tokens = tokenizer.encode(text, parsed);
      const double seconds = time.seconds();
      const bool lossless = name != std::string_view("smollm");  // it lacks some bytes
      BOOST_TEST((tokenizer.decode(tokens, true) == text || !lossless), name << unit);
      BOOST_TEST(seconds < test::limit(1.0), name << " took " << seconds << " s for " << unit);
    }
  }
}

BOOST_AUTO_TEST_CASE(time_grows_with_the_text_not_with_its_square) {
  const GgufFiles file(test::goldens() / "tokenizer" / "llama.gguf");
  const Tokenizer tokenizer = Tokenizer::from_metadata(file.metadata());
  std::string text;
  while (text.size() < 8 << 20) text += "the quick brown fox ";
  const test::CpuTime time;
  const Tokens tokens = tokenizer.encode(text, plain);
  BOOST_TEST(time.seconds() < test::limit(16.0));
  BOOST_TEST((tokenizer.decode(tokens) == text));
}

BOOST_AUTO_TEST_CASE(large_vocabularies_load_fast) {
  const auto data = test::shared_data();
  if (!data) return test::skip(test::no_shared_data());
  const auto path = *data / "vocab" / "ggml-vocab-gemma-4.gguf";
  const GgufFiles file(path);
  const test::CpuTime time;
  const Tokenizer tokenizer = Tokenizer::from_metadata(file.metadata());
  const double seconds = time.seconds();
  BOOST_TEST(tokenizer.vocab_size() == 262144);
  BOOST_TEST_MESSAGE("262144 tokens and 514906 merges: " << seconds << " s");
  BOOST_TEST(seconds < test::limit(4.0));  // unoptimised; a release build takes a fourth
}

BOOST_AUTO_TEST_SUITE_END()
