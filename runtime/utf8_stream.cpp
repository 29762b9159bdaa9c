// Decoding by the table of well-formed sequences.
#include "runtime/utf8_stream.h"

#include <cstddef>

namespace lamina {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

/// A row of table 3-7: how long a sequence with this first byte is, and what its second may be.
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

/// What the text begins with: `length` bytes that belong together, and what they are.
struct Part {
  enum class Kind { character, ill_formed, incomplete };
  std::size_t length;
  Kind kind;
};

Part first_part(std::string_view text) {
  const Lead lead = lead_of(static_cast<unsigned char>(text[0]));
  if (lead.length == 0) return {1, Part::Kind::ill_formed};
  for (std::size_t i = 1; i < lead.length; ++i) {
    if (i == text.size()) return {i, Part::Kind::incomplete};
    const auto byte = static_cast<unsigned char>(text[i]);
    const unsigned char low = i == 1 ? lead.low : 0x80;
    const unsigned char high = i == 1 ? lead.high : 0xBF;
    if (byte < low || byte > high) return {i, Part::Kind::ill_formed};
  }
  return {lead.length, Part::Kind::character};
}

}  // namespace

std::string Utf8Stream::feed(std::string_view bytes) {
  held_ += bytes;
  std::string_view rest = held_;
  std::string text;
  while (!rest.empty()) {
    const Part part = first_part(rest);
    if (part.kind == Part::Kind::incomplete) break;
    text += part.kind == Part::Kind::character ? rest.substr(0, part.length) : replacement;
    rest.remove_prefix(part.length);
  }
  held_ = std::string(rest);
  return text;
}

std::string Utf8Stream::finish() {
  const bool incomplete = !held_.empty();
  held_.clear();
  return std::string(incomplete ? replacement : std::string_view{});
}

}  // namespace lamina
