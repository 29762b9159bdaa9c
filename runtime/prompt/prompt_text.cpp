// One walk over the characters for each question.
#include "runtime/prompt/prompt_text.h"

#include "runtime/unicode/unicode_classes.h"
#include "runtime/unicode/utf8.h"

#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>

namespace lamina {
namespace {

bool is_white(std::string_view character) {
  if (well_formed_length(character) == 0) return false;
  return UnicodeClasses::instance().is(first_code_point(character), character_set::white);
}

std::string visible_character(std::string_view character) {
  if (well_formed_length(character) == 0)
    return fmt::format("\\x{:02X}", static_cast<unsigned char>(character[0]));
  switch (character[0]) {
    case ' ':
      return "\u2423";
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    case '\\':
      return "\\\\";
    default:
      break;
  }
  const char32_t code = first_code_point(character);
  return is_invisible(code) ? fmt::format("\\u{{{:X}}}", static_cast<unsigned>(code))
                            : std::string(character);
}

}  // namespace

char32_t first_code_point(std::string_view text) {
  utf8proc_int32_t code = -1;
  utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                   static_cast<utf8proc_ssize_t>(text.size()), &code);
  return static_cast<char32_t>(code);
}

bool is_invisible(char32_t code) {
  using enum Category;
  if (code == ' ' || code == '\t' || code == '\n' || code == 0x200C || code == 0x200D) return false;
  return UnicodeClasses::instance().is(code, set_of(Zs, Zl, Zp, Cc, Cw, Cf));
}

TextCounts count_text(std::string_view text) {
  TextCounts counts{.bytes = text.size()};
  bool in_word = false;
  while (!text.empty()) {
    const std::string_view character = text.substr(0, character_length(text));
    const bool white = is_white(character);
    counts.words += !white && !in_word ? 1 : 0;
    in_word = !white;
    ++counts.characters;
    text.remove_prefix(character.size());
  }
  return counts;
}

TextPlace place_of(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, byte);
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return {byte, static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1,
          count_text(before.substr(line_start)).characters + 1};
}

std::string visible(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const std::string_view character = text.substr(0, character_length(text));
    shown += visible_character(character);
    text.remove_prefix(character.size());
  }
  return shown;
}

}  // namespace lamina
