// MergeTable: which two tokens merge, into which token, and in which order.
#pragma once

#include "lamina/core/types.h"
#include "lamina/gguf/metadata.h"
#include "runtime/tokenizer/symbol_chain.h"
#include "runtime/tokenizer/vocabulary.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace lamina {

class MergeTable {
 public:
  /// Reads `tokenizer.ggml.merges`, "left right" in order of rank. Throws where one is not of this
  /// form, occurs twice, or names or makes a text that is no token.
  MergeTable(const Metadata& metadata, const Vocabulary& vocabulary);

  std::optional<Merge> find(Token left, Token right) const;

 private:
  struct Slot {
    std::uint64_t pair = free_slot;  // left, then right
    std::uint32_t rank = 0;
    Token result = -1;
  };
  static constexpr std::uint64_t free_slot = ~std::uint64_t{0};

  struct Batch;  // merges read together

  void insert(const Metadata& metadata, const Vocabulary& vocabulary, const Batch& batch);
  std::size_t home(std::uint64_t pair) const;
  std::size_t locate(std::uint64_t pair) const;

  std::vector<Slot> slots_;  // a power of two, at most half full
  int shift_ = 0;            // brings a 64-bit hash into the range of slots_
};

}  // namespace lamina
