// The alphabet as two tables: byte to character, and code point to byte.
#include "runtime/tokenizer/byte_alphabet.h"

#include "runtime/tokenizer/utf8.h"

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
  while (!spelling.empty()) {
    const std::size_t length = well_formed_length(spelling);
    char32_t code = code_points;
    if (length == 1) code = static_cast<unsigned char>(spelling[0]);
    if (length == 2) {
      code = static_cast<char32_t>((spelling[0] & 0x1F) << 6 | (spelling[1] & 0x3F));
    }
    if (code >= code_points || !alphabet.known[code]) {
      out.resize(before);
      return false;
    }
    out += static_cast<char>(alphabet.bytes[code]);
    spelling.remove_prefix(length);
  }
  return true;
}

}  // namespace lamina
