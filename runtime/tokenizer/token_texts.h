// TokenTexts: the texts of all tokens in one block of memory, and the way from a text to its token.
//
// The way back is a hash table with linear probing, at most half full: the texts themselves stay in
// the block, a slot holds 32 bits of the hash and the token.
#pragma once

#include "lamina/core/types.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lamina {

class TokenTexts {
 public:
  TokenTexts() = default;

  /// Copies the texts; token i has texts[i]. Empty ones are kept but not found.
  explicit TokenTexts(std::span<const std::string_view> texts);

  Token size() const { return static_cast<Token>(ends_.size()); }
  std::string_view operator[](Token token) const;

  /// The token whose text this is, the lowest; -1 where there is none.
  Token find(std::string_view text) const;

  /// The same for many texts at once: several times as fast in a large vocabulary, because the
  /// processor waits for memory once for all of them.
  void find(std::span<const std::string_view> texts, std::span<Token> found) const;

 private:
  struct Slot {
    std::uint32_t tag = 0;  // upper half of the hash
    Token token = -1;       // -1: free
  };

  /// The slot that holds `text`, or the free one where it belongs.
  std::size_t locate(std::string_view text, std::uint64_t hash) const;

  std::string bytes_;
  std::vector<std::size_t> ends_;  // into bytes_, of each text
  std::vector<Slot> slots_;        // a power of two
};

}  // namespace lamina
