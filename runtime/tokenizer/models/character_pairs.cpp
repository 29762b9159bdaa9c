// Setting bits, and looking for one that is not set.
#include "runtime/tokenizer/models/character_pairs.h"

#include "runtime/unicode/character_reader.h"
#include "runtime/unicode/utf8.h"

#include <algorithm>
#include <bit>

namespace lamina {
namespace {

constexpr std::size_t bits_a_token = 8;

unsigned byte_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

bool continues(std::string_view text, std::size_t at) { return (byte_at(text, at) & 0xC0) == 0x80; }

bool test(const std::uint64_t* words, std::size_t bit) {
  return (words[bit / 64] >> (bit % 64) & 1) != 0;
}

/// A number for up to four bytes.
std::uint64_t packed(std::string_view bytes) {
  std::uint64_t number = bytes.size();
  for (const char byte : bytes) number = number << 8 | static_cast<unsigned char>(byte);
  return number;
}

/// What `token` has of the character that ends, and of the one that begins, at `at`.
std::string_view part_before(std::string_view token, std::size_t at) {
  std::size_t size = 1;
  while (size < at && size < 4 && continues(token, at - size)) ++size;
  return token.substr(at - size, size);
}

std::string_view part_behind(std::string_view token, std::size_t at) {
  std::size_t size = well_formed_length(token.substr(at));
  if (size > 0) return token.substr(at, size);
  size = 1;
  while (at + size < token.size() && size < 4 && continues(token, at + size)) ++size;
  return token.substr(at, size);
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

std::size_t CharacterPairs::bit(std::uint64_t left, std::uint64_t right) const {
  constexpr std::uint64_t multiplier = 0x9E3779B97F4A7C15;  // 2^64 / golden ratio
  return static_cast<std::size_t>(((left * multiplier ^ right) * multiplier) >> shift_);
}

void CharacterPairs::add(std::string_view token) {
  Character left;
  for (std::size_t at = 0; at < token.size(); at += left.size) {
    const unsigned lead = byte_at(token, at);
    if (at > 0 && left.code < 0x80 && lead < 0x80) {
      set(ascii_.data(), left.code << 7 | lead);
      left.code = lead;
      continue;
    }
    const Character right = first_character(token.substr(at));
    // Within a character there is no place to cut.
    if (at > 0 && !continues(token, at)) {
      if (!left.whole || !right.whole) {
        set(edges_.data(), byte_at(token, at - 1) << 8 | byte_at(token, at));
        set(others_.data(), bit(packed(part_before(token, at)), packed(part_behind(token, at))));
      } else {
        set(others_.data(), bit(left.code, right.code));
      }
    }
    left = right;
  }
}

/// Whether a token may have an end of `left` and a beginning of `right`, not both of them whole.
bool CharacterPairs::broken(std::string_view left, std::string_view right) const {
  if (!test(edges_.data(), byte_at(left, left.size() - 1) << 8 | byte_at(right, 0))) return false;
  for (std::size_t from = 0; from < left.size(); ++from) {
    const std::uint64_t end = packed(left.substr(from));
    for (std::size_t size = 1; size <= right.size(); ++size) {
      if (from == 0 && size == right.size()) continue;
      if (test(others_.data(), bit(end, packed(right.substr(0, size))))) return true;
    }
  }
  return false;
}

CharacterPairs::Part CharacterPairs::first_part(std::string_view text) const {
  Character left = first_character(text);
  Part part{left.size, left.whole};
  while (part.size < text.size()) {
    const std::size_t at = part.size;
    const unsigned lead = byte_at(text, at);
    if (left.code < 0x80 && lead < 0x80) {
      if (!test(ascii_.data(), left.code << 7 | lead)) return part;
      left.code = lead;
      ++part.size;
      continue;
    }
    const Character right = first_character(text.substr(at));
    const bool whole = left.whole && right.whole &&
                       !broken(text.substr(at - left.size, left.size), text.substr(at, right.size));
    if (whole && !test(others_.data(), bit(left.code, right.code))) return part;
    part.whole = part.whole && whole;
    left = right;
    part.size += right.size;
  }
  return part;
}

}  // namespace lamina
