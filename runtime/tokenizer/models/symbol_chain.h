// SymbolChain: the symbols of a text, merged pair by pair in the order of a rule.
//
// Byte-pair encoding (Sennrich et al. 2016, arXiv:1508.07909) takes the best adjacent pair of
// symbols, replaces it by one symbol, and repeats; of equal pairs the leftmost goes first. Among a
// few symbols the best pair is searched; among many a heap of candidate pairs makes it O(n log n):
// candidates that a merge has made obsolete are recognised when they come up, by the bytes they
// would cover. Nothing recurses.
#pragma once

#include "lamina/core/error.h"
#include "lamina/core/types.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace lamina {

struct Symbol {
  Token token = -1;            // -1: no token
  std::uint32_t begin = 0;     // bytes from the start of the text
  std::uint32_t size = 0;      // bytes; 0: merged into an earlier symbol
  std::int32_t previous = -1;  // -1: none
  std::int32_t next = -1;      // -1: none
};

/// What a rule says of two adjacent symbols: when their turn comes, the lowest first, and what
/// they become.
struct Merge {
  std::uint32_t rank = 0;
  Token result = -1;
};

class SymbolChain {
 public:
  /// The most bytes a text may have, as normalizers and models make it.
  static constexpr std::size_t max_bytes = 0x7FFFFFFF;

  /// Forgets all symbols but keeps the memory.
  void clear();

  /// Adds the next `size` bytes of the text as one symbol. Throws where it becomes too long.
  void append(Token token, std::size_t size);

  /// Merges until `rule(left, right)`, an std::optional<Merge>, knows no pair any more.
  template <class Rule>
  void merge(const Rule& rule);

  /// Calls `visit(symbol)` for what is left, in order.
  template <class Visit>
  void for_each(Visit&& visit) const;

 private:
  struct Candidate {
    std::uint64_t key = 0;   // rank, then the left symbol's index
    std::uint32_t size = 0;  // bytes of both symbols
    Token result = -1;
    bool operator>(const Candidate& other) const { return key > other.key; }
  };

  static constexpr std::size_t few = 32;  // symbols

  template <class Rule>
  void merge_few(const Rule& rule);
  template <class Rule>
  void merge_many(const Rule& rule);
  template <class Rule>
  void consider(const Rule& rule, std::int32_t left, std::int32_t right);
  void absorb(Symbol& left, Token result);
  [[noreturn]] static void throw_too_long();

  std::vector<Symbol> symbols_;
  std::vector<Candidate> heap_;
  std::uint32_t bytes_ = 0;
};

inline void SymbolChain::clear() {
  symbols_.clear();
  heap_.clear();
  bytes_ = 0;
}

inline void SymbolChain::append(Token token, std::size_t size) {
  if (size > max_bytes - bytes_) throw_too_long();
  const auto index = static_cast<std::int32_t>(symbols_.size());
  if (index > 0) symbols_.back().next = index;
  symbols_.push_back({token, bytes_, static_cast<std::uint32_t>(size), index - 1, -1});
  bytes_ += static_cast<std::uint32_t>(size);
}

[[noreturn, gnu::cold, gnu::noinline]] inline void SymbolChain::throw_too_long() {
  throw Error(
      "a stretch of text that has to be encoded as one has become longer than 2 GiB, the most that "
      "can be; give the text in parts");
}

template <class Rule>
void SymbolChain::consider(const Rule& rule, std::int32_t left, std::int32_t right) {
  if (left < 0 || right < 0) return;
  const Symbol& first = symbols_[static_cast<std::size_t>(left)];
  const Symbol& second = symbols_[static_cast<std::size_t>(right)];
  const std::optional<Merge> merge = rule(first, second);
  if (!merge) return;
  const auto index = static_cast<std::uint32_t>(left);
  heap_.push_back(
      {std::uint64_t{merge->rank} << 32 | index, first.size + second.size, merge->result});
}

inline void SymbolChain::absorb(Symbol& left, Token result) {
  Symbol& right = symbols_[static_cast<std::size_t>(left.next)];
  if (right.next >= 0) symbols_[static_cast<std::size_t>(right.next)].previous = right.previous;
  left.token = result;
  left.size += right.size;
  left.next = right.next;
  right.size = 0;
}

template <class Rule>
void SymbolChain::merge(const Rule& rule) {
  if (symbols_.size() <= few) {
    merge_few(rule);
  } else {
    merge_many(rule);
  }
}

template <class Rule>
void SymbolChain::merge_few(const Rule& rule) {
  constexpr std::uint64_t none = ~std::uint64_t{0};
  std::array<std::uint64_t, few> keys;  // of each symbol with the next: rank, then index
  std::array<Token, few> results;
  const std::size_t count = symbols_.size();
  const auto look_up = [&](std::int32_t left) {
    if (left < 0) return;
    const auto i = static_cast<std::size_t>(left);
    keys[i] = none;
    const std::int32_t right = symbols_[i].next;
    if (right < 0) return;
    const auto merge = rule(symbols_[i], symbols_[static_cast<std::size_t>(right)]);
    if (!merge) return;
    keys[i] = std::uint64_t{merge->rank} << 32 | i;
    results[i] = merge->result;
  };
  for (std::size_t i = 0; i < count; ++i) look_up(static_cast<std::int32_t>(i));
  while (count > 0) {
    const std::uint64_t best = *std::min_element(keys.begin(), keys.begin() + count);
    if (best == none) break;
    const auto i = static_cast<std::size_t>(best & 0xFFFFFFFF);
    keys[static_cast<std::size_t>(symbols_[i].next)] = none;
    absorb(symbols_[i], results[i]);
    look_up(symbols_[i].previous);
    look_up(static_cast<std::int32_t>(i));
  }
}

template <class Rule>
void SymbolChain::merge_many(const Rule& rule) {
  const auto count = static_cast<std::int32_t>(symbols_.size());
  for (std::int32_t i = 1; i < count; ++i) consider(rule, i - 1, i);
  std::make_heap(heap_.begin(), heap_.end(), std::greater<>());
  const auto add = [&](std::int32_t left, std::int32_t right) {
    const std::size_t before = heap_.size();
    consider(rule, left, right);
    if (heap_.size() > before) std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
  };
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    const Candidate best = heap_.back();
    heap_.pop_back();
    const auto index = static_cast<std::int32_t>(best.key & 0xFFFFFFFF);
    Symbol& left = symbols_[static_cast<std::size_t>(index)];
    if (left.size == 0 || left.next < 0) continue;
    // Symbols only grow, so the pair is still the one considered if it covers as many bytes.
    if (left.size + symbols_[static_cast<std::size_t>(left.next)].size != best.size) continue;
    absorb(left, best.result);
    add(left.previous, index);
    add(index, left.next);
  }
}

template <class Visit>
void SymbolChain::for_each(Visit&& visit) const {
  for (std::int32_t i = symbols_.empty() ? -1 : 0; i >= 0;) {
    const Symbol& symbol = symbols_[static_cast<std::size_t>(i)];
    visit(symbol);
    i = symbol.next;
  }
}

}  // namespace lamina
