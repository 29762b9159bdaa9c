// MergeTable: which two tokens merge, into which token, and in which order.
//
// A hash table of pairs with linear probing, at most three quarters full.
#pragma once

#include "lamina/core/types.h"
#include "lamina/gguf/metadata.h"
#include "runtime/tokenizer/models/symbol_chain.h"
#include "runtime/tokenizer/vocabulary.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace lamina {

/// `left` and `right` become `result`; of all pairs the one of the lowest rank goes first.
struct PairMerge {
  Token left = -1;
  Token right = -1;
  std::uint32_t rank = 0;
  Token result = -1;
};

/// The merges of `tokenizer.ggml.merges`, "left right" in order of rank. Throws where one is not of
/// this form, or names or makes a text that is no token.
std::vector<PairMerge> read_merges(const Metadata& metadata, const Vocabulary& vocabulary);

class MergeTable {
 public:
  /// Several pairs may have one rank; of a pair that occurs again the last counts, as in Hugging
  /// Face's tokenizers.
  explicit MergeTable(std::span<const PairMerge> merges);

  std::optional<Merge> find(Token left, Token right) const;

  /// A hint that this pair will be looked for.
  void prefetch(Token left, Token right) const {
    __builtin_prefetch(&slots_[home(pair_of(left, right))]);
  }

  /// How many pairs there are.
  std::size_t size() const { return size_; }

  /// Whether a pair always comes after those that make its two tokens, so that merging goes through
  /// ascending ranks. Merges that were learnt one after the other are of this kind.
  bool ascending() const { return ascending_; }

 private:
  struct Slot {
    std::uint64_t pair = free_slot;  // left, then right
    std::uint32_t rank = 0;
    Token result = -1;
  };
  static constexpr std::uint64_t free_slot = ~std::uint64_t{0};

  static std::uint64_t pair_of(Token left, Token right) {
    return std::uint64_t{static_cast<std::uint32_t>(left)} << 32 |
           static_cast<std::uint32_t>(right);
  }
  std::size_t home(std::uint64_t pair) const;
  std::size_t locate(std::uint64_t pair) const;

  std::vector<Slot> slots_;  // a power of two
  std::size_t size_ = 0;
  bool ascending_ = true;
  int shift_ = 0;  // brings a 64-bit hash into the range of slots_
};

inline std::size_t MergeTable::home(std::uint64_t pair) const {
  return static_cast<std::size_t>((pair * 0x9E3779B97F4A7C15) >> shift_);
}

inline std::size_t MergeTable::locate(std::uint64_t pair) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t i = home(pair);
  while (slots_[i].pair != free_slot && slots_[i].pair != pair) i = (i + 1) & mask;
  return i;
}

inline std::optional<Merge> MergeTable::find(Token left, Token right) const {
  const Slot& slot = slots_[locate(pair_of(left, right))];
  if (slot.pair == free_slot) return std::nullopt;
  return Merge{slot.rank, slot.result};
}

}  // namespace lamina
