// A weight of any format with random content, and what it decodes to by the format's definition.
#pragma once

#include "lamina/core/tensor.h"
#include "lamina/quant/formats.h"
#include "lamina/verify/inputs.h"

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace lamina::test {

struct WeightMatrix {
  FormatId format = FormatId::f32;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::vector<std::byte> bytes;
  std::vector<float> values;  // [rows, cols]

  TensorView view() const { return {"weight", format, {cols, rows, 1, 1}, bytes}; }
};

/// Decodes block by block: the definition, without decode_row.
template <QuantFormat Q>
void decode_by_definition(WeightMatrix& w) {
  float block_values[Q::block_size];
  const std::size_t blocks = w.bytes.size() / sizeof(typename Q::Block);
  for (std::size_t b = 0; b < blocks; ++b) {
    typename Q::Block block;
    std::memcpy(&block, w.bytes.data() + b * sizeof block, sizeof block);
    Q::decode(block, block_values);
    w.values.insert(w.values.end(), std::begin(block_values), std::end(block_values));
  }
}

/// A matrix of the given floats; exact for F32.
inline WeightMatrix f32_weight(std::int64_t rows, std::int64_t cols, std::vector<float> values) {
  WeightMatrix w{FormatId::f32, rows, cols, {}, std::move(values)};
  w.bytes.resize(w.values.size() * sizeof(float));
  std::memcpy(w.bytes.data(), w.values.data(), w.bytes.size());
  return w;
}

/// Random bits, cleared where they could make a float16 or float scale infinite or NaN; F32 gets
/// normal numbers.
template <QuantFormat Q>
WeightMatrix random_weight(std::int64_t rows, std::int64_t blocks_per_row, std::uint32_t seed) {
  const std::int64_t cols = blocks_per_row * Q::block_size;
  if constexpr (Q::id == FormatId::f32) {
    std::vector<float> values(static_cast<std::size_t>(rows * cols));
    fill(values, InputKind::normal, seed);
    return f32_weight(rows, cols, std::move(values));
  }
  WeightMatrix w{Q::id, rows, cols, {}, {}};
  std::mt19937 random(seed);
  w.bytes.resize(static_cast<std::size_t>(rows * blocks_per_row) * sizeof(typename Q::Block));
  for (std::byte& byte : w.bytes) byte = static_cast<std::byte>(random() & 0xbfu);
  decode_by_definition<Q>(w);
  return w;
}

}  // namespace lamina::test
