// The sequences of RFC 3629, section 4, recognised and written.
#include "runtime/tokenizer/utf8.h"

#include <algorithm>

namespace lamina {

std::size_t well_formed_length(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  // The second byte alone tells overlong forms, surrogates and what lies above U+10FFFF.
  const unsigned low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (byte(1) < low || byte(1) > high) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if ((byte(i) & 0xC0u) != 0x80) return 0;
  }
  return length;
}

std::size_t character_length(std::string_view text) {
  return std::max<std::size_t>(1, well_formed_length(text));
}

void append_utf8(std::string& out, char32_t code) {
  const auto put = [&](char32_t bits) {
    out += static_cast<char>(static_cast<unsigned char>(bits));
  };
  const auto put_continuation = [&](int shift) { put(0x80 | ((code >> shift) & 0x3F)); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xC0 | (code >> 6));
  } else if (code < 0x10000) {
    put(0xE0 | (code >> 12));
    put_continuation(6);
  } else {
    put(0xF0 | (code >> 18));
    put_continuation(12);
    put_continuation(6);
  }
  put_continuation(0);
}

}  // namespace lamina
