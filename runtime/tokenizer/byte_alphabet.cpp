// The alphabet as two tables: byte to character, and code point to byte.
#include "runtime/tokenizer/byte_alphabet.h"

#include "runtime/unicode/utf8.h"

#include <array>
#include <cstddef>

namespace lamina {
namespace {

constexpr char32_t first_extra = 0x100;             // spells the first byte that is not printable
constexpr char32_t code_points = first_extra + 68;  // one past the last of the alphabet

constexpr bool spelled_by_itself(unsigned byte) {
  return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

struct Tables {
  std::array<std::string, 256> symbols;
  std::array<unsigned char, code_points> bytes{};
  std::array<bool, code_points> known{};

  Tables() {
    char32_t extra = first_extra;
    for (unsigned byte = 0; byte < 256; ++byte) {
      const char32_t code = spelled_by_itself(byte) ? static_cast<char32_t>(byte) : extra++;
      append_utf8(symbols[byte], code);
      bytes[code] = static_cast<unsigned char>(byte);
      known[code] = true;
    }
  }
};

const Tables& tables() {
  static const Tables made;
  return made;
}

}  // namespace

std::string_view byte_symbol(unsigned char byte) { return tables().symbols[byte]; }

void append_spelled(std::string& out, std::string_view bytes) {
  for (const char byte : bytes) out += byte_symbol(static_cast<unsigned char>(byte));
}

bool append_unspelled(std::string& out, std::string_view spelling) {
  const std::size_t before = out.size();
  const Tables& alphabet = tables();
  out.resize(before + spelling.size());
  char* to = out.data() + before;
  for (std::size_t at = 0; at < spelling.size();) {
    char32_t code = static_cast<unsigned char>(spelling[at++]);
    if (code >= 0xC2 && code < 0xE0 && at < spelling.size() && (spelling[at] & 0xC0) == 0x80) {
      code = (code & 0x1F) << 6 | static_cast<char32_t>(spelling[at++] & 0x3F);
    } else if (code >= 0x80) {
      code = code_points;  // not of two bytes, or ill-formed
    }
    if (code >= code_points || !alphabet.known[code]) {
      out.resize(before);
      return false;
    }
    *to++ = static_cast<char>(alphabet.bytes[code]);
  }
  out.resize(static_cast<std::size_t>(to - out.data()));
  return true;
}

}  // namespace lamina
