// Reading a text that may be any bytes character by character.
#pragma once

#include "runtime/unicode/utf8.h"

#include <cstddef>
#include <string_view>

namespace lamina {

/// What stands for the code point of a byte that is part of no character.
inline constexpr char32_t no_code_point = 0xFFFFFFFF;

/// The code point of a well-formed character.
inline char32_t code_point_of(std::string_view character) {
  const auto byte = [&](std::size_t i) {
    return static_cast<char32_t>(static_cast<unsigned char>(character[i]));
  };
  if (character.size() == 1) return byte(0);
  char32_t code = byte(0) & (0x7Fu >> character.size());
  for (std::size_t i = 1; i < character.size(); ++i) code = code << 6 | (byte(i) & 0x3F);
  return code;
}

/// Calls `visit(code, bytes)` for each character of `text`, and for each byte that is part of none.
template <class Visit>
void for_each_character(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const std::size_t length = well_formed_length(text);
    const std::string_view bytes = text.substr(0, length == 0 ? 1 : length);
    visit(length == 0 ? no_code_point : code_point_of(bytes), bytes);
    text.remove_prefix(bytes.size());
  }
}

}  // namespace lamina
