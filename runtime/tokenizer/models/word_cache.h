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
  static constexpr std::size_t places = 4096;
  static constexpr std::size_t longest = 31;  // bytes
  static constexpr std::size_t most = 7;      // tokens

  /// The bytes of a word, then zeros, and its size as the last byte.
  struct Key {
    std::array<std::uint64_t, 4> words{};
    bool operator==(const Key&) const = default;
  };

  struct alignas(64) Entry {
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
  const auto load = [&](std::size_t at) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, word.data() + at, sizeof bytes);
    return bytes;
  };
  const std::size_t full = size / 8;
  for (std::size_t i = 0; i < full; ++i) key.words[i] = load(8 * i);
  const std::size_t rest = size % 8;
  if (rest > 0 && size >= 8) {
    key.words[full] = load(size - 8) >> (8 * (8 - rest));  // without the bytes that are in already
  } else {
    for (std::size_t i = 0; i < rest; ++i) {
      key.words[0] |= std::uint64_t{static_cast<unsigned char>(word[i])} << (8 * i);
    }
  }
  key.words[3] |= std::uint64_t{size} << 56;
  return key;
}

inline std::size_t WordCache::place(const Key& key, Owner owner) {
  constexpr std::uint64_t multiplier = 0x9E3779B97F4A7C15;  // 2^64 / golden ratio
  std::uint64_t mixed = owner;
  for (const std::uint64_t word : key.words) mixed = (mixed ^ word ^ mixed >> 32) * multiplier;
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
