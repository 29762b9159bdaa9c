// UTF-8, one character at a time, over bytes that may be anything.
//
// Well-formed sequences are those of RFC 3629: no overlong forms, no surrogates, at most U+10FFFF.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lamina {

/// What a text begins with: `length` bytes that belong together, and what they are. An ill-formed
/// part is as long as a character might still have begun so (Unicode 15.0, section 3.9, "U+FFFD
/// Substitution of Maximal Subparts"); an incomplete one ends with the text.
struct Utf8Part {
  enum class Kind { character, ill_formed, incomplete };
  std::size_t length;
  Kind kind;
};

/// The first part of `text`, which is not empty.
Utf8Part first_utf8_part(std::string_view text);

bool is_utf8(std::string_view text);

/// Bytes of the well-formed character that `text` starts with; 0 where it starts with none.
std::size_t well_formed_length(std::string_view text);

/// Bytes of the character that `text`, which is not empty, starts with; a byte that begins no
/// well-formed sequence is a character of its own.
std::size_t character_length(std::string_view text);

inline std::size_t well_formed_length(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto continues = [&](std::size_t i) { return (byte(i) & 0xC0) == 0x80; };
  if (byte(0) < 0x80) return 1;
  // Of most other characters any continuation will do.
  if (byte(0) > 0xE0 && byte(0) < 0xED && text.size() > 2 && continues(1) && continues(2)) return 3;
  const Utf8Part part = first_utf8_part(text);
  return part.kind == Utf8Part::Kind::character ? part.length : 0;
}

inline std::size_t character_length(std::string_view text) {
  const std::size_t length = well_formed_length(text);
  return length > 0 ? length : 1;
}

/// Appends the UTF-8 of `code`, a Unicode scalar value.
void append_utf8(std::string& out, char32_t code);

}  // namespace lamina
