// Opening models: one file, several parts, and what is said where a part is missing or wrong.
#include "runtime/gguf_files.h"

#include "lamina/gguf/writer.h"
#include "runtime/temporary_folder.h"
#include "shared_data.h"
#include "skip.h"
#include "tests/sanitized.h"

#include <boost/test/unit_test.hpp>

#include <cstring>
#include <fstream>
#include <string>

using namespace lamina;
using lamina::test::TemporaryFolder;

namespace {

void check_refused(const std::filesystem::path& path, std::vector<std::string> parts) {
  BOOST_CHECK_EXCEPTION(GgufFiles{path}, Error, [&](const Error& error) {
    for (const std::string& part : parts) {
      const bool said = std::string(error.what()).find(part) != std::string::npos;
      BOOST_CHECK_MESSAGE(said, error.what() << " does not say " << part);
    }
    return true;
  });
}

std::string part_of(std::uint16_t index, std::uint16_t count, int total,
                    const std::string& tensor) {
  const std::vector<std::byte> bytes(4, static_cast<std::byte>(index + 1));
  GgufWriter writer;
  if (index == 0) writer.set("general.architecture", "llama");
  writer.set("split.no", index).set("split.count", count).set("split.tensors.count", total);
  writer.add_tensor(tensor, FormatId::i8, {4}, bytes);
  const auto file = writer.to_bytes();
  return {reinterpret_cast<const char*>(file.data()), file.size()};
}

/// The most memory this process has had resident since `forget_peak`, in bytes.
std::size_t peak_resident() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::size_t kibibytes = 0;
    if (word == "VmHWM:" && status >> kibibytes) return kibibytes << 10;
  }
  return 0;
}

bool forget_peak() { return (std::ofstream("/proc/self/clear_refs") << 5).flush().good(); }

}  // namespace

BOOST_AUTO_TEST_SUITE(gguf_files)

BOOST_AUTO_TEST_CASE(one_file) {
  const auto path = test::goldens() / "gguf" / "every_type.gguf";
  const GgufFiles files(path);
  BOOST_TEST(files.files().size() == 1u);
  BOOST_TEST(files.size() == std::filesystem::file_size(path));
  BOOST_TEST(files.metadata().get<std::string>("general.architecture") == "llama");
  BOOST_TEST(files.tensors().size() == 5u);
  const TensorView* tensor = files.find("token_embd.weight");
  BOOST_TEST_REQUIRE(tensor != nullptr);
  float value = 0;
  std::memcpy(&value, tensor->row(3).data() + 5 * sizeof(float), sizeof value);
  BOOST_TEST(value == 23.f / 8);
  files.release(*tensor);
  std::memcpy(&value, tensor->row(3).data() + 5 * sizeof(float), sizeof value);
  BOOST_TEST(value == 23.f / 8);
  BOOST_TEST(files.find("absent") == nullptr);
}

BOOST_AUTO_TEST_CASE(parts_are_found_beside_the_first) {
  GgufFiles opened(test::goldens() / "gguf" / "split-00001-of-00002.gguf");
  const GgufFiles files = std::move(opened);  // views stay good
  BOOST_TEST(files.files().size() == 2u);
  BOOST_TEST(files.size() == 352u + 192u);
  BOOST_TEST(files.tensors().size() == 3u);
  for (const char* name : {"a.weight", "b.weight", "c.weight"}) {
    const TensorView* tensor = files.find(name);
    BOOST_TEST_REQUIRE(tensor != nullptr);
    float value = 0;
    std::memcpy(&value, tensor->bytes.data(), sizeof value);
    BOOST_TEST(value == static_cast<float>(name[0] - 'a' + 1));
  }
}

BOOST_AUTO_TEST_CASE(another_part_names_the_first) {
  check_refused(test::goldens() / "gguf" / "split-00002-of-00002.gguf",
                {"is part 2 of 2", "-00001-of-00002.gguf"});
}

BOOST_AUTO_TEST_CASE(a_missing_part_is_named) {
  const TemporaryFolder folder;
  const auto first = folder.write("m-00001-of-00003.gguf", part_of(0, 3, 3, "a"));
  check_refused(first, {"m-00002-of-00003.gguf: does not exist", "first of 3 parts"});
  folder.write("m-00002-of-00003.gguf", part_of(1, 3, 3, "b"));
  check_refused(first, {"m-00003-of-00003.gguf: does not exist"});
  folder.write("m-00003-of-00003.gguf", part_of(2, 3, 3, "c"));
  BOOST_TEST(GgufFiles(first).tensors().size() == 3u);
}

BOOST_AUTO_TEST_CASE(wrong_parts_are_named) {
  const TemporaryFolder folder;
  const auto first = folder.write("m-00001-of-00002.gguf", part_of(0, 2, 2, "a"));
  folder.write("m-00002-of-00002.gguf", part_of(0, 2, 2, "b"));
  check_refused(first, {"m-00002-of-00002.gguf", "part 1 of 2, expected part 2 of 2"});
  folder.write("m-00002-of-00002.gguf", part_of(1, 2, 2, "a"));
  check_refused(first, {"'a' occurs twice"});
  folder.write("m-00002-of-00002.gguf", part_of(1, 2, 2, "b").substr(0, 100));
  check_refused(first, {"m-00002-of-00002.gguf"});
  check_refused(folder.write("renamed.gguf", part_of(0, 2, 2, "a")),
                {"renamed.gguf", "-00001-of-00002.gguf", "rename"});
}

BOOST_AUTO_TEST_CASE(other_files_are_named) {
  const TemporaryFolder folder;
  check_refused(folder.path() / "m.gguf", {"m.gguf: does not exist"});
  check_refused(folder.write("page.gguf", "<html>"), {"page.gguf: not a GGUF file"});
}

BOOST_AUTO_TEST_CASE(hostile_files_take_no_memory) {
  if (test::sanitized) return test::skip("a sanitizer's own memory would be measured");
  const TemporaryFolder folder;
  const auto hostile = [&](std::string name, std::uint64_t tensors, std::uint64_t keys) {
    std::string content = "GGUF\3";
    content.append(3, '\0');
    content.append(reinterpret_cast<const char*>(&tensors), 8);
    content.append(reinterpret_cast<const char*>(&keys), 8);
    const auto path = folder.write(name, content + std::string(4096, '\0'));
    std::filesystem::resize_file(path, std::uintmax_t{1} << 30);  // 1 GiB, sparse
    const std::size_t before = peak_resident();
    BOOST_CHECK_THROW(GgufFiles{path}, Error);
    BOOST_TEST(peak_resident() - before < std::size_t{1} << 20);
  };
  if (!forget_peak()) return test::skip("this system does not let a process reset its peak memory");
  hostile("keys", 0, std::uint64_t{1} << 63);
  hostile("tensors", std::uint64_t{1} << 61, 0);
  hostile("many_keys", 0, 50'000'000);  // would fit the file's 1 GiB
  hostile("many_tensors", 25'000'000, 0);
}

BOOST_AUTO_TEST_CASE(public_vocabularies_open) {
  const auto data = test::shared_data();
  if (!data) return test::skip(test::no_shared_data());
  int opened = 0;
  for (const auto& entry : std::filesystem::directory_iterator(*data / "vocab")) {
    if (entry.path().extension() != ".gguf") continue;
    BOOST_TEST(GgufFiles(entry.path()).metadata().contains("tokenizer.ggml.tokens"), entry.path());
    ++opened;
  }
  BOOST_TEST(opened >= 8);
}

BOOST_AUTO_TEST_SUITE_END()
