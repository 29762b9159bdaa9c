// A state as it is written and continued; lines that are torn, changed or of something else.
// Covers runtime/perplexity/settings.h.
#include "runtime/perplexity/state_file.h"

#include "message_of.h"
#include "runtime/gguf_files.h"
#include "runtime/perplexity/settings.h"
#include "runtime/temporary_folder.h"
#include "shared_data.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <fstream>
#include <iterator>

namespace lamina {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using test::contains;
using test::message_of;
using test::TemporaryFolder;

constexpr StateFile::Shape compared{.chunks = 3, .positions = 2, .compared = true};
constexpr StateFile::Shape plain{.chunks = 3, .positions = 2, .compared = false};
const Json settings = {{"model", "abc"}, {"context", 8}};

std::vector<Measured> chunk(int number) {
  const double x = std::sqrt(2.0 + number);  // digits without end
  return {{.nll = x, .base_nll = x / 3, .divergence = x / 1e7, .same_top = true},
          {.nll = 1e-300 * x, .base_nll = 7 * x, .divergence = x, .same_top = false}};
}

std::vector<Measured> first_chunks(int count) {
  std::vector<Measured> all;
  for (int i = 0; i < count; ++i) {
    for (const Measured& m : chunk(i)) all.push_back(m);
  }
  return all;
}

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string complaint(const fs::path& path, StateFile::Shape shape = compared) {
  return message_of([&] { StateFile(path, settings, shape); });
}

BOOST_AUTO_TEST_SUITE(state_file)

BOOST_AUTO_TEST_CASE(it_goes_on_with_the_same_bits_wherever_it_ended) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "state";
  {
    StateFile state(path, settings, compared);
    for (int i = 0; i < 3; ++i) state.add(chunk(i));
    BOOST_TEST((state.measured() == first_chunks(3)));
  }
  const std::string whole = content(path);
  std::size_t lines = 0;
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    if (size > 0 && whole[size - 1] == '\n') ++lines;
    // A beginning that could be of anything is left alone.
    if (size > 0 && size < std::string("{\"lamina-perplexity\"").size()) continue;
    folder.write("state", std::string_view(whole).substr(0, size));
    StateFile state(path, settings, compared);
    const int finished = lines > 0 ? static_cast<int>(lines) - 1 : 0;
    BOOST_TEST((state.measured() == first_chunks(finished)), size);
    for (int i = finished; i < 3; ++i) state.add(chunk(i));
    BOOST_TEST(content(path) == whole, size);
  }
}

BOOST_AUTO_TEST_CASE(without_a_base_one_number_a_position) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "state";
  StateFile(path, settings, plain).add(chunk(0));
  BOOST_TEST(contains(content(path), "\"nll\""));
  BOOST_TEST(!contains(content(path), "base_nll"));
  const StateFile again(path, settings, plain);
  BOOST_TEST_REQUIRE(again.measured().size() == 2u);
  BOOST_TEST((again.measured()[0] == Measured{.nll = chunk(0)[0].nll}));
}

BOOST_AUTO_TEST_CASE(files_of_something_else_are_refused_and_left_alone) {
  const TemporaryFolder folder;
  const std::string head = Json{{"lamina-perplexity", 1}, {"settings", settings}}.dump() + "\n";
  const std::string good = R"({"chunk":0,"nll":[1,2],"base_nll":[1,2],"divergence":[0,0],)"
                           R"("same_top":[true,false]})";
  const auto refused = [&](const std::string& text, const std::string& expected) {
    const auto path = folder.write("state", text);
    BOOST_TEST(contains(complaint(path), expected), text << "\n" << complaint(path));
    BOOST_TEST(content(path) == text);
  };
  BOOST_TEST(complaint(folder.write("state", head + good + "\n")) == "no error");
  refused("a letter", "this is no state");
  refused("a letter\n", "line 1: this is no JSON");
  refused("{}\n", "line 1: this is no state");
  refused("[1]\n", "line 1: this is no state");
  refused(R"({"lamina-perplexity":2})"
          "\n",
          "line 1: this is no state");
  refused(R"({"lamina-perplexity":1})"
          "\n",
          "begun by another measurement");
  refused(R"({"lamina-perplexity":1,"settings":{"model":"x","context":8}})"
          "\n",
          R"(model is "x" there and "abc" now)");
  refused(R"({"lamina-perplexity":1,"settings":{"model":"abc","context":8,"base":"b"}})"
          "\n",
          R"(base is "b" there and absent now)");
  refused(head + "[]\n", "line 2: expected chunk 0 of 3");
  refused(head + "{\n", "line 2: this is no JSON");
  refused(head + R"({"chunk":1})"
                 "\n",
          "expected chunk 0 of 3");
  refused(head + R"({"chunk":0})"
                 "\n",
          R"(expected "nll", a list of 2)");
  refused(head + good + "\n" + good + "\n", "line 3: expected chunk 1 of 3");
  for (const auto& [from, to, expected] :
       std::vector<std::tuple<std::string, std::string, std::string>>{
           {"[1,2]", "[1]", "a list of 2"},
           {"[1,2]", "[1,2,3]", "a list of 2"},
           {"[1,2]", "7", "a list of 2"},
           {"[1,2]", "[1,null]", "expected a number"},
           {"[1,2]", "[1,1e999]", "no JSON"},
           {"[true,false]", "[true,0]", "expected true or false"}}) {
    std::string changed = good;
    changed.replace(changed.find(from), from.size(), to);
    refused(head + changed + "\n", expected);
  }
  std::string many = head;
  for (int i = 0; i < 4; ++i) {
    std::string line = good;
    many += line.replace(line.find("0,"), 1, std::to_string(i)) + "\n";
  }
  refused(many, "line 5: expected chunk 3 of 3");
}

BOOST_AUTO_TEST_CASE(fingerprints_tell_files_and_texts_apart) {
  const TemporaryFolder folder;
  const std::string bytes = content(test::goldens() / "models" / "llama.gguf");
  const auto of = [&](const std::string& model) {
    return fingerprint(GgufFiles(folder.write("model.gguf", model)));
  };
  const std::string original = of(bytes);
  BOOST_TEST(original == of(bytes));
  BOOST_TEST(original.size() == 64u);
  const GgufFiles files(folder.write("parts.gguf", bytes));
  const auto* start = files.files()[0].bytes().data();
  for (const TensorView& tensor : files.tensors()) {  // the first byte of each tensor
    std::string changed = bytes;
    changed[static_cast<std::size_t>(tensor.bytes.data() - start)] ^= 1;
    BOOST_TEST(of(changed) != original, std::string(tensor.name));
  }
  std::string key = bytes;
  key[key.find("llama.context_length") + 20 + 4] ^= 1;  // behind the key and its type
  BOOST_TEST(of(key) != original);
  const Chunks chunks{.context = 8, .tokens = std::vector<Token>(16, 3)};
  Chunks other = chunks;
  other.tokens[15] = 4;
  BOOST_TEST(fingerprint(chunks) == fingerprint(Chunks(chunks)));
  BOOST_TEST(fingerprint(chunks) != fingerprint(other));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
