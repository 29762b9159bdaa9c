// WordCache: the tokens of short words that a thread has encoded before.
//
// A fixed number of places, each for one word at a time; which of them is chosen by a hash. Every
// thread has its own, for all encodings together, so that memory is bounded and nothing is locked.
#pragma once

#include "lamina/core/types.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace lamina {

class WordCache {
 public:
  /// Whose words these are; no two encodings have the same.
  using Owner = std::uint32_t;
  static Owner new_owner();

  static WordCache& of_this_thread();

  WordCache() : entries_(places) {}

  /// Appends the tokens of `word`: what `encode(word, out)` appends, which depends on the word
  /// alone and is called where they are not known.
  template <class Encode>
  void append(Owner owner, std::string_view word, std::vector<Token>& out, const Encode& encode);

 private:
  static constexpr std::size_t places = 8192;
  static constexpr std::size_t longest = 15;  // bytes
  static constexpr std::size_t most = 3;      // tokens

  struct Key {
    std::uint64_t low = 0;   // the first eight bytes
    std::uint64_t high = 0;  // the rest, and above it the size
    bool operator==(const Key&) const = default;
  };

  struct Entry {
    Key key;
    Owner owner = 0;                   // 0: nobody
    std::array<Token, most> tokens{};  // -1 behind the last
  };

  static Key key_of(std::string_view word);
  static std::size_t place(const Key& key, Owner owner);

  std::vector<Entry> entries_;
};

inline WordCache::Key WordCache::key_of(std::string_view word) {
  Key key;
  const std::size_t size = word.size();
  if (size >= 8) {
    std::memcpy(&key.low, word.data(), 8);
    // The last eight bytes; those of them that are in `low` already are shifted out.
    std::memcpy(&key.high, word.data() + size - 8, 8);
    key.high = size == 8 ? 0 : key.high >> (8 * (16 - size));
  } else if (size >= 4) {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::memcpy(&first, word.data(), 4);
    std::memcpy(&last, word.data() + size - 4, 4);
    key.low = first | std::uint64_t{last} << (8 * (size - 4));
  } else {
    for (std::size_t i = 0; i < size; ++i) {
      key.low |= std::uint64_t{static_cast<unsigned char>(word[i])} << (8 * i);
    }
  }
  key.high |= std::uint64_t{size} << 56;
  return key;
}

inline std::size_t WordCache::place(const Key& key, Owner owner) {
  constexpr std::uint64_t multiplier = 0x9E3779B97F4A7C15;  // 2^64 / golden ratio
  const std::uint64_t mixed = (key.low * multiplier ^ key.high ^ owner) * multiplier;
  return static_cast<std::size_t>(mixed >> 32) % places;
}

template <class Encode>
void WordCache::append(Owner owner, std::string_view word, std::vector<Token>& out,
                       const Encode& encode) {
  if (word.size() > longest) return encode(word, out);
  const Key key = key_of(word);
  Entry& entry = entries_[place(key, owner)];
  if (entry.owner == owner && entry.key == key) {
    for (const Token token : entry.tokens) {
      if (token < 0) break;
      out.push_back(token);
    }
    return;
  }
  const std::size_t before = out.size();
  encode(word, out);
  const std::size_t count = out.size() - before;
  if (count > most) return;
  entry = {key, owner, {}};
  for (std::size_t i = 0; i < most; ++i) entry.tokens[i] = i < count ? out[before + i] : -1;
}

}  // namespace lamina
