// Text of a file made fit for a message or a terminal: in quotes, escaped, shortened.
//
// Keys, names and strings of a file may hold any byte. What is well-formed UTF-8 (RFC 3629) and no
// control character is kept; every other byte becomes \xNN.
#pragma once

#include "lamina/core/config.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace lamina {

/// `text` between quotes, at most about `limit` bytes of it, then an ellipsis.
std::string quoted(std::string_view text, std::size_t limit = 80);

namespace detail {

/// Bytes of the UTF-8 character at the start of `text`; 0 where it is not well-formed or a control.
inline std::size_t printable_character(std::string_view text) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = at(0);
  if (lead < 0x80) return lead >= 0x20 && lead != 0x7F ? 1 : 0;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  unsigned code = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((at(i) & 0xC0u) != 0x80) return 0;
    code = code << 6 | (at(i) & 0x3Fu);
  }
  const unsigned smallest = length == 2   ? 0xA0
                            : length == 3 ? 0x800
                                          : 0x10000;  // 0x80..9F: controls
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return code >= smallest && code <= 0x10FFFF && !surrogate ? length : 0;
}

}  // namespace detail

inline std::string quoted(std::string_view text, std::size_t limit) {
  constexpr char digits[] = "0123456789abcdef";
  std::string out = "'";
  while (!text.empty() && out.size() <= limit) {
    const std::size_t length = detail::printable_character(text);
    if (length > 0) {
      out += text.substr(0, length);
    } else {
      const auto byte = static_cast<unsigned char>(text[0]);
      out += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
    }
    text.remove_prefix(length > 0 ? length : 1);
  }
  out += text.empty() ? "'" : "'...";
  return out;
}

}  // namespace lamina
