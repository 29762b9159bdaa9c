// CharacterPairs: which two characters stand side by side in some token.
//
// Where two neighbours in a text do so in no token, no token spans the place between them, and none
// that merging makes on its way does: what lies to the left and to the right may be encoded one
// after the other, with the same result. A pair is a bit chosen by a hash, so that now and then a
// pair counts as seen that is not; that costs time but changes nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace lamina {

class CharacterPairs {
 public:
  /// Room for the pairs of about `tokens` tokens.
  explicit CharacterPairs(std::size_t tokens);

  /// Takes in all pairs of the bytes of a token, which may begin or end within a character.
  void add(std::string_view token);

  /// What a text begins with, up to the first place that no token spans.
  struct Part {
    std::size_t size = 0;  // bytes
    bool whole = true;     // well-formed, and no token ends within one of its inner characters
  };
  Part first_part(std::string_view text) const;  // `text` is not empty

 private:
  struct Character {
    char32_t code = 0;
    std::size_t size = 0;  // bytes
    bool whole = false;    // well-formed
  };

  static Character first_character(std::string_view text);
  bool broken(std::string_view left, std::string_view right) const;
  std::size_t bit(std::uint64_t left, std::uint64_t right) const;

  // Bits by the last byte of a character and the first of the next, for pairs of which a token has
  // one only in part: most places are none of these.
  std::array<std::uint64_t, 1024> edges_{};
  std::array<std::uint64_t, 256> ascii_{};  // pairs of ASCII characters
  std::vector<std::uint64_t> others_;       // bits of all other pairs, whole or not; a power of two
  int shift_ = 0;                           // brings a 64-bit hash into the range of bits
};

}  // namespace lamina
