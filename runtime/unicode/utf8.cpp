// The sequences of RFC 3629, section 4, recognised and written.
#include "runtime/unicode/utf8.h"

namespace lamina {

namespace {

/// A row of Unicode's table 3-7: how long a sequence with this first byte is, and what its second
/// may be, which alone tells overlong forms, surrogates and what lies above U+10FFFF.
struct Lead {
  std::size_t length = 0;  // 0: no sequence begins so
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
};

Lead lead_of(unsigned char byte) {
  if (byte < 0x80) return {1};
  if (byte < 0xC2) return {};
  if (byte < 0xE0) return {2};
  if (byte == 0xE0) return {3, 0xA0, 0xBF};  // no overlong forms
  if (byte == 0xED) return {3, 0x80, 0x9F};  // no surrogates
  if (byte < 0xF0) return {3};
  if (byte == 0xF0) return {4, 0x90, 0xBF};
  if (byte < 0xF4) return {4};
  if (byte == 0xF4) return {4, 0x80, 0x8F};  // nothing above U+10FFFF
  return {};
}

}  // namespace

Utf8Part first_utf8_part(std::string_view text) {
  const Lead lead = lead_of(static_cast<unsigned char>(text[0]));
  if (lead.length == 0) return {1, Utf8Part::Kind::ill_formed};
  for (std::size_t i = 1; i < lead.length; ++i) {
    if (i == text.size()) return {i, Utf8Part::Kind::incomplete};
    const auto byte = static_cast<unsigned char>(text[i]);
    const unsigned char low = i == 1 ? lead.low : 0x80;
    const unsigned char high = i == 1 ? lead.high : 0xBF;
    if (byte < low || byte > high) return {i, Utf8Part::Kind::ill_formed};
  }
  return {lead.length, Utf8Part::Kind::character};
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = well_formed_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
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
