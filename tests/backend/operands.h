// Inputs for backend operations: matrices, weights of any format, batches, and their exact results.
#pragma once

#include "lamina/backend/host_matrix.h"
#include "lamina/backend/host_step.h"
#include "lamina/kv/contiguous.h"
#include "lamina/verify/inputs.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <vector>

namespace lamina::test {

inline std::vector<float> random_floats(std::size_t count, std::uint64_t seed,
                                        InputKind kind = InputKind::normal) {
  std::vector<float> values(count);
  fill(values, kind, seed);
  return values;
}

inline HostMatrix random_matrix(std::int64_t rows, std::int64_t cols, std::uint64_t seed,
                                InputKind kind = InputKind::normal) {
  HostMatrix matrix(rows, cols);
  fill(std::span(matrix.row(0), static_cast<std::size_t>(rows * cols)), kind, seed);
  return matrix;
}

/// The row alone, as a matrix.
inline HostMatrix one_row(const HostMatrix& from, std::int64_t row) {
  HostMatrix matrix(1, from.cols());
  std::copy_n(from.row(row), from.cols(), matrix.row(0));
  return matrix;
}

inline std::span<const float> row_of(const HostMatrix& matrix, std::int64_t row) {
  return {matrix.row(row), static_cast<std::size_t>(matrix.cols())};
}

/// A weight of any format: random blocks, with scales that keep values within a few units.
struct RandomWeight {
  std::vector<std::byte> bytes;
  TensorView view;
  std::vector<float> decoded;  // [rows, cols]
};

inline RandomWeight random_weight(FormatId format, std::int64_t cols, std::int64_t rows,
                                  std::uint32_t seed) {
  std::mt19937 random(seed);
  RandomWeight weight;
  const auto row_bytes = static_cast<std::size_t>(bytes_of_row(format, cols));
  weight.bytes.resize(row_bytes * static_cast<std::size_t>(rows));
  // 16-bit words below 0x3c00 (1.0 in half precision) keep every scale finite, wherever it lies.
  for (std::size_t i = 0; i + 1 < weight.bytes.size(); i += 2) {
    const auto word = static_cast<std::uint16_t>((random() % 0x3800) | (random() & 0x8000));
    std::memcpy(weight.bytes.data() + i, &word, sizeof word);
  }
  if (format == FormatId::f32) {
    const std::vector<float> values = random_floats(static_cast<std::size_t>(cols * rows), seed);
    std::memcpy(weight.bytes.data(), values.data(), weight.bytes.size());
  }
  weight.view = {.name = "random", .format = format, .extent = {cols, rows, 1, 1}, .bytes = {}};
  weight.view.bytes = weight.bytes;
  weight.decoded.resize(static_cast<std::size_t>(cols * rows));
  for (std::int64_t r = 0; r < rows; ++r) {
    decode_row(format, weight.view.row(r).data(), cols, weight.decoded.data() + r * cols);
  }
  return weight;
}

/// A batch of `n` rows of one sequence from position `first` on.
inline BatchRows rows_of_one_sequence(std::int64_t n, Position first = 0) {
  BatchRows rows;
  for (std::int64_t t = 0; t < n; ++t) {
    rows.tokens.push_back(static_cast<Token>(t));
    rows.positions.push_back(first + static_cast<Position>(t));
    rows.sequence.push_back(0);
    rows.outputs.push_back(static_cast<std::int32_t>(t));
  }
  return rows;
}

}  // namespace lamina::test
