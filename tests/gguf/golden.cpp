// Files of other writers: those of the Python package `gguf` beside make_gguf.py, and public
// vocabularies.
#include "lamina/gguf/split.h"
#include "lamina/gguf/writer.h"

#include "gguf/bytes.h"
#include "shared_data.h"
#include "skip.h"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

using namespace lamina;
using namespace std::string_view_literals;

namespace {

std::vector<std::byte> bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  BOOST_TEST_REQUIRE(file.good(), "cannot read " << path);
  std::vector<std::byte> bytes(static_cast<std::size_t>(file.tellg()));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  BOOST_TEST_REQUIRE(file.good(), "cannot read " << path);
  return bytes;
}

template <class T>
std::span<const std::byte> raw(const std::vector<T>& values) {
  return std::as_bytes(std::span(values));
}

template <class T>
void set(GgufWriter& writer, std::string_view name, const std::vector<T>& values) {
  writer.set("one." + std::string(name), T(values.back()));
  writer.set("many." + std::string(name), values);
}

/// The keys that make_gguf.py sets, in its order.
void set_keys(GgufWriter& writer) {
  writer.set("general.architecture", "llama");
  set<std::uint8_t>(writer, "uint8", {0, 1, 255});
  set<std::int8_t>(writer, "int8", {-128, 0, 127});
  set<std::uint16_t>(writer, "uint16", {0, 65535});
  set<std::int16_t>(writer, "int16", {-32768, 32767});
  set<std::uint32_t>(writer, "uint32", {0, 4294967295u});
  set<std::int32_t>(writer, "int32", {-2147483647 - 1, -1, 2147483647});
  set<std::uint64_t>(writer, "uint64", {0, ~std::uint64_t{0}});
  using Int64 = std::numeric_limits<std::int64_t>;
  set<std::int64_t>(writer, "int64", {Int64::min(), Int64::max()});
  set<float>(writer, "float32", {-1.5f, 0.1f, 3.25f});
  set<double>(writer, "float64", {1e-300, 0.1, 1e300});
  set<bool>(writer, "bool", {true, false, true});
  const auto accented = "\xC3\xA9\n\xF0\x90\x8D\x88"sv;
  writer.set("one.string", accented);
  writer.set("many.string",
             std::vector<std::string_view>{"a", "", "\xE2\x96\x81the", accented, "b\0c"sv});
  writer.set("general.alignment", 64u);
}

std::vector<std::filesystem::path> vocabularies(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".gguf") found.push_back(entry.path());
  }
  return found;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(golden)

BOOST_AUTO_TEST_CASE(every_type_as_python_writes_it) {
  const auto bytes = bytes_of(test::goldens() / "gguf" / "every_type.gguf");
  const GgufFile file = read_gguf(bytes, "every_type.gguf");
  BOOST_TEST(file.version == 3u);
  BOOST_TEST(file.alignment == 64u);
  BOOST_TEST(test::walk(file, bytes));

  GgufWriter writer;
  set_keys(writer);
  const auto wanted = writer.metadata().entries();
  BOOST_TEST_REQUIRE(file.metadata.entries().size() == wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    BOOST_TEST(file.metadata.entries()[i].key == wanted[i].key);
    BOOST_TEST((file.metadata.entries()[i].value == wanted[i].value), "value of " << wanted[i].key);
  }

  std::vector<float> floats(24);
  for (std::size_t i = 0; i < floats.size(); ++i) floats[i] = static_cast<float>(i) / 8;
  std::vector<std::uint16_t> halves{0xC500, 0xC400, 0xC200, 0xC000, 0xBC00,   // -5 to -1
                                    0,      0x3C00, 0x4000, 0x4200, 0x4400};  // to 4
  std::vector<std::int32_t> integers(30);
  for (std::size_t i = 0; i < integers.size(); ++i) integers[i] = static_cast<std::int32_t>(i);
  const std::vector<double> doubles{0.1, -1e300};
  const TensorView* blocks = file.find("q8.weight");
  BOOST_TEST_REQUIRE(blocks != nullptr);
  BOOST_TEST(blocks->bytes.size() == 3u * 2 * 34);
  writer.add_tensor("token_embd.weight", FormatId::f32, {6, 4}, raw(floats))
      .add_tensor("half.weight", FormatId::f16, {5, 2}, raw(halves))
      .add_tensor("cube.weight", FormatId::i32, {5, 3, 2}, raw(integers))
      .add_tensor("q8.weight", FormatId::q8_0, {64, 3}, blocks->bytes)
      .add_tensor("long.doubles", FormatId::f64, {2}, raw(doubles));
  BOOST_TEST((writer.to_bytes() == bytes), "our writer and Python's differ");
}

BOOST_AUTO_TEST_CASE(a_split_as_python_writes_it) {
  const auto folder = test::goldens() / "gguf";
  const auto first = bytes_of(folder / "split-00001-of-00002.gguf");
  const auto second = bytes_of(folder / split_part_name("split-00001-of-00002.gguf", {1, 2}));
  std::vector<GgufFile> parts;
  parts.push_back(read_gguf(first, "first"));
  parts.push_back(read_gguf(second, "second"));
  const MergedGguf model = merge_gguf(std::move(parts));
  BOOST_TEST(model.metadata.get<int>("llama.block_count") == 1);
  BOOST_TEST_REQUIRE(model.tensors.size() == 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    const TensorView& tensor = model.tensors.all()[i];
    BOOST_TEST(tensor.name == std::string(1, static_cast<char>('a' + i)) + ".weight");
    BOOST_TEST(tensor.cols() == 4);
    BOOST_TEST(tensor.rows() == 2);
    float value = 0;
    std::memcpy(&value, tensor.row(1).data(), sizeof value);
    BOOST_TEST(value == static_cast<float>(i + 1));
  }
}

BOOST_AUTO_TEST_CASE(public_vocabularies_are_read) {
  const auto data = test::shared_data();
  if (!data) return test::skip(test::no_shared_data());
  const auto paths = vocabularies(*data / "vocab");
  BOOST_TEST(paths.size() >= 8u);
  for (const auto& path : paths) {
    const auto bytes = bytes_of(path);
    const GgufFile file = read_gguf(bytes, path.filename().string());
    BOOST_TEST(test::walk(file, bytes));
    const auto tokens = file.metadata.get<std::vector<std::string_view>>("tokenizer.ggml.tokens");
    const auto types = file.metadata.get<std::vector<std::int32_t>>("tokenizer.ggml.token_type");
    BOOST_TEST(tokens.size() > 30'000u, path);
    BOOST_TEST(tokens.size() == types.size(), path);
    GgufWriter writer;
    writer.set(file.metadata);
    const auto again = writer.to_bytes();
    BOOST_TEST_REQUIRE(again.size() >= file.data_offset - file.alignment + 1);
    const std::size_t shorter = std::min(again.size(), bytes.size());
    BOOST_TEST(std::memcmp(again.data() + 24, bytes.data() + 24, shorter - 24) == 0, path);
  }
}

BOOST_AUTO_TEST_SUITE_END()
