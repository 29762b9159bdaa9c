// Setting bits, and looking for one that is not set.
#include "runtime/tokenizer/character_pairs.h"

#include "runtime/tokenizer/character_reader.h"
#include "runtime/tokenizer/utf8.h"

#include <algorithm>
#include <bit>

namespace lamina {
namespace {

constexpr std::size_t bits_a_token = 8;

unsigned byte_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

bool test(const std::uint64_t* words, std::size_t bit) {
  return (words[bit / 64] >> (bit % 64) & 1) != 0;
}

void set(std::uint64_t* words, std::size_t bit) {
  words[bit / 64] |= std::uint64_t{1} << (bit % 64);
}

}  // namespace

CharacterPairs::CharacterPairs(std::size_t tokens)
    : others_(std::bit_ceil(std::max<std::size_t>(2, tokens * bits_a_token / 64))),
      shift_(64 - std::countr_zero(others_.size() * 64)) {}

CharacterPairs::Character CharacterPairs::first_character(std::string_view text) {
  const unsigned lead = byte_at(text, 0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t size = well_formed_length(text);
  if (size == 0) return {lead, 1, false};
  return {code_point_of(text.substr(0, size)), size, true};
}

std::size_t CharacterPairs::bit(char32_t left, char32_t right) const {
  const std::uint64_t pair = std::uint64_t{left} << 32 | right;
  return static_cast<std::size_t>((pair * 0x9E3779B97F4A7C15) >> shift_);
}

void CharacterPairs::add(std::string_view token) {
  Character left;
  for (std::size_t at = 0; at < token.size(); at += left.size) {
    const Character right = first_character(token.substr(at));
    // Within a character there is no place to cut.
    if (at > 0 && (byte_at(token, at) & 0xC0) != 0x80) {
      if (!left.whole || !right.whole) {
        set(edges_.data(), byte_at(token, at - 1) << 8 | byte_at(token, at));
      } else if (left.code < 0x80 && right.code < 0x80) {
        set(ascii_.data(), left.code << 7 | right.code);
      } else {
        set(others_.data(), bit(left.code, right.code));
      }
    }
    left = right;
  }
}

bool CharacterPairs::adjacent(char32_t left, char32_t right) const {
  if (left < 0x80 && right < 0x80) return test(ascii_.data(), left << 7 | right);
  return test(others_.data(), bit(left, right));
}

CharacterPairs::Part CharacterPairs::first_part(std::string_view text) const {
  Character left = first_character(text);
  Part part{left.size, left.whole};
  while (part.size < text.size()) {
    const std::size_t at = part.size;
    const Character right = first_character(text.substr(at));
    const bool broken = !left.whole || !right.whole ||
                        test(edges_.data(), byte_at(text, at - 1) << 8 | byte_at(text, at));
    if (!broken && !adjacent(left.code, right.code)) return part;
    if (broken) part.whole = false;
    left = right;
    part.size += right.size;
  }
  return part;
}

}  // namespace lamina
