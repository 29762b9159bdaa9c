// Reading the float32 matrices that NumPy wrote, for goldens.
#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace lamina::test {

struct NpyMatrix {
  std::vector<float> values;  // [rows, cols]
  std::size_t rows = 0, cols = 0;

  std::span<const float> row(std::size_t r) const {
    return std::span(values).subspan(r * cols, cols);
  }
};

/// Throws where the file is no little-endian, C-ordered float32 matrix.
inline NpyMatrix read_npy(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  if (bytes.size() < 10 || bytes.compare(1, 5, "NUMPY") != 0) {
    throw std::runtime_error(path.string() + " is no NumPy file");
  }
  std::uint16_t length = 0;
  std::memcpy(&length, bytes.data() + 8, sizeof length);
  const std::string header = bytes.substr(10, length);
  const auto shape = header.find("'shape': (");
  if (header.find("'<f4'") == std::string::npos || header.find("True") != std::string::npos ||
      shape == std::string::npos) {
    throw std::runtime_error(path.string() + " holds no float32 matrix: " + header);
  }
  NpyMatrix matrix;
  std::size_t used = 0;
  const std::string extents = header.substr(shape + 10);
  matrix.rows = std::stoul(extents, &used);
  matrix.cols = std::stoul(extents.substr(used + 1));
  matrix.values.resize(matrix.rows * matrix.cols);
  const std::size_t start = std::size_t{10} + length;
  if (bytes.size() != start + matrix.values.size() * sizeof(float)) {
    throw std::runtime_error(path.string() + " has another size than its shape says");
  }
  std::memcpy(matrix.values.data(), bytes.data() + start, bytes.size() - start);
  return matrix;
}

}  // namespace lamina::test
