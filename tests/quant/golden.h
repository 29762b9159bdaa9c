// Comparison with the files of tests/goldens/quant/make_blocks.py, bit for bit.
#pragma once

#include "lamina/quant/format.h"
#include "shared_data.h"

#include <boost/test/unit_test.hpp>

#include <cctype>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace lamina::test {

/// A file `<format>.<direction>.bin`: as many blocks as floats for them, in either order.
class BlockFile {
 public:
  BlockFile(const std::filesystem::path& folder, std::string_view format, const char* direction) {
    std::string name(format);
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    const std::filesystem::path path = folder / (name + "." + direction + ".bin");
    std::ifstream file(path, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(file), {});
    BOOST_TEST_REQUIRE(bytes_.size() > sizeof count_, "cannot read " << path);
    std::memcpy(&count_, bytes_.data(), sizeof count_);
    offset_ = sizeof count_;
  }

  std::int64_t count() const { return count_; }
  bool at_end() const { return offset_ == bytes_.size(); }

  /// The next `n` objects of type T.
  template <class T>
  std::vector<T> read(std::int64_t n) {
    std::vector<T> values(static_cast<std::size_t>(n));
    const std::size_t size = values.size() * sizeof(T);
    BOOST_TEST_REQUIRE(bytes_.size() - offset_ >= size);
    std::memcpy(values.data(), bytes_.data() + offset_, size);
    offset_ += size;
    return values;
  }

 private:
  std::vector<char> bytes_;
  std::uint32_t count_ = 0;
  std::size_t offset_ = 0;
};

/// decode gives the very floats of the file.
template <QuantFormat Q>
void check_decode(const std::filesystem::path& folder = goldens() / "quant") {
  BlockFile file(folder, Q::name, "decode");
  const auto blocks = file.read<typename Q::Block>(file.count());
  const auto expected = file.read<float>(file.count() * Q::block_size);
  BOOST_TEST(file.at_end());
  std::int64_t wrong = 0;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    float values[Q::block_size];
    Q::decode(blocks[b], values);
    for (int i = 0; i < Q::block_size; ++i) {
      const float value = expected[b * Q::block_size + static_cast<std::size_t>(i)];
      if (float_bits(values[i]) == float_bits(value) || ++wrong > 3) continue;
      BOOST_TEST(false, Q::name << " block " << b << " element " << i << ": decoded " << values[i]
                                << ", expected " << value);
    }
  }
  BOOST_TEST(wrong == 0);
}

/// encode gives the very bytes of the file.
template <EncodableFormat Q>
void check_encode(const std::filesystem::path& folder = goldens() / "quant") {
  BlockFile file(folder, Q::name, "encode");
  const auto values = file.read<float>(file.count() * Q::block_size);
  const auto expected = file.read<typename Q::Block>(file.count());
  BOOST_TEST(file.at_end());
  std::int64_t wrong = 0;
  for (std::size_t b = 0; b < expected.size(); ++b) {
    float block_values[Q::block_size];
    std::memcpy(block_values, values.data() + b * Q::block_size, sizeof block_values);
    const typename Q::Block block = Q::encode(block_values);
    if (std::memcmp(&block, &expected[b], sizeof block) == 0 || ++wrong > 3) continue;
    BOOST_TEST(false, Q::name << " block " << b << " was encoded differently");
  }
  BOOST_TEST(wrong == 0);
}

}  // namespace lamina::test
