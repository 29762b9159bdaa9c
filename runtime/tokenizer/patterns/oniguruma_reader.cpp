// Characters, escapes and classes; groups and quantifiers are oniguruma_pattern.cpp's.
#include "runtime/tokenizer/patterns/oniguruma_reader.h"

#include "lamina/core/error.h"
#include "lamina/gguf/quoted.h"
#include "runtime/unicode/character_reader.h"

#include <fmt/format.h>

#include <cstdint>
#include <vector>

namespace lamina {
namespace {

constexpr int class_depth = 16;  // of classes within classes

}  // namespace

void PatternReader::refuse(std::string_view what) const {
  throw Error(
      fmt::format("the pattern {} is not supported: {} at byte {}", quoted(pattern_), what, at_));
}

char32_t PatternReader::take_character() {
  const std::size_t length = well_formed_length(rest());
  if (length == 0) refuse("a pattern that ends here, or is no UTF-8,");
  at_ += length;
  return code_point_of(pattern_.substr(at_ - length, length));
}

void PatternReader::check_case(char32_t code) const {
  if (caseless && code >= 0x80) refuse("a letter outside of ASCII within (?i)");
}

bool PatternReader::set_escape(bool in_class, PatternClass& set) {
  const char escaped = peek();
  const std::string_view word = in_class ? pattern_items::word_in_class : pattern_items::word;
  if ((escaped == 'w' || escaped == 'W') && caseless) refuse("\\w within (?i)");
  ++at_;
  switch (escaped) {
    case 's':
      set.add_items(pattern_items::white);
      return true;
    case 'S':
      set.add_items(pattern_items::not_white);
      return true;
    case 'd':
      set.add_items(pattern_items::digit);
      return true;
    case 'D':
      set.add_items(pattern_items::not_digit);
      return true;
    case 'h':
      set.add_items(pattern_items::hex);
      return true;
    case 'H':
      set.add_excluded(pattern_items::hex);
      return true;
    case 'w':
      set.add_items(word);
      return true;
    case 'W':
      set.add_excluded(word);
      return true;
    case 'p':
    case 'P':
      property(escaped == 'P', set);
      return true;
    default:
      --at_;
      return false;
  }
}

void PatternReader::property(bool negated, PatternClass& set) {
  const std::size_t end = rest().find('}');
  if (peek() != '{' || end == std::string_view::npos) refuse("\\p without a name in {}");
  const PatternProperty found = pattern_property(rest().substr(1, end - 1), negated);
  if (found.items.empty())
    refuse(fmt::format("the property {}", quoted(rest().substr(0, end + 1))));
  if (caseless && found.follows_case) refuse("a property of letters within (?i)");
  at_ += end + 1;
  set.add_items(found.items);
}

std::optional<char32_t> PatternReader::code_escape() {
  const char escaped = peek();
  constexpr std::string_view names = "tnrfvae";
  constexpr std::string_view controls = "\t\n\r\f\v\a\x1B";
  const std::size_t control = names.find(escaped);
  if (control != std::string_view::npos) {
    ++at_;
    return static_cast<unsigned char>(controls[control]);
  }
  if (take("x{")) {
    const std::size_t digits = rest().find('}');
    const char32_t code = hexadecimal(digits);
    ++at_;
    return code;
  }
  if (take("u")) return hexadecimal(4);
  if (take("x")) {
    const char32_t code = hexadecimal(2);
    if (code >= 0x80) refuse("a byte that is no character");
    return code;
  }
  const bool alphanumeric = (escaped >= '0' && escaped <= '9') ||
                            (escaped >= 'A' && escaped <= 'Z') ||
                            (escaped >= 'a' && escaped <= 'z');
  if (alphanumeric) return std::nullopt;
  return take_character();
}

char32_t PatternReader::hexadecimal(std::size_t digits) {
  if (digits == 0 || digits > 8 || digits > rest().size()) refuse("a number that is not one");
  std::uint64_t code = 0;
  for (; digits > 0; --digits, ++at_) {
    const char c = peek();
    const int value = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (value < 0) refuse("a number that is not hexadecimal");
    code = code * 16 + static_cast<unsigned>(value);
  }
  if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) refuse("no character of Unicode");
  return static_cast<char32_t>(code);
}

PatternClass PatternReader::bracketed(int depth) {
  if (depth == class_depth) refuse("a class in 16 others");
  const bool negated = take("^");
  std::vector<PatternClass> parts(1);
  if (take("]")) parts.back().add_code(']');
  while (!take("]")) {
    if (done()) refuse("a [ without its ]");
    if (!take("&&")) {
      class_item(parts.back(), depth);
    } else {
      parts.emplace_back();
    }
  }
  for (const PatternClass& part : parts) {
    if (part.empty()) refuse("an empty class");
  }
  PatternClass result = PatternClass::common(parts);
  if (negated) result.negate();
  return result;
}

void PatternReader::class_item(PatternClass& set, int depth) {
  if (peek() != '[') return class_member(set);
  if (posix_bracket(set)) return;
  ++at_;
  set.add(bracketed(depth + 1));
}

void PatternReader::class_member(PatternClass& set) {
  if (peek() == '\\') {
    ++at_;
    if (set_escape(true, set)) {
      if (peek() == '-' && peek(1) != ']') refuse("a range from a set");
      return;
    }
    --at_;
  }
  const bool dash = peek() == '-';
  if (dash && !set.empty() && peek(1) != ']') refuse("a - in the middle of a class");
  const char32_t first = class_code();
  if (peek() != '-' || peek(1) == ']' || dash) return set.add_code(first);
  ++at_;
  if (peek() == '[') refuse("a range up to a class");
  const char32_t last = class_code();
  if (last < first) refuse("a range that is empty");
  set.add_range(first, last);
}

char32_t PatternReader::class_code() {
  char32_t code = 0;
  if (!take("\\")) {
    code = take_character();
  } else if (take("b")) {
    code = '\b';
  } else {
    const auto escaped = code_escape();
    if (!escaped) refuse(fmt::format("\\{} in a class", peek()));
    code = *escaped;
  }
  check_case(code);
  return code;
}

/// [:name:], [:^name:].
bool PatternReader::posix_bracket(PatternClass& set) {
  const std::size_t end = rest().find(":]");
  if (peek(1) != ':' || end == std::string_view::npos) return false;
  std::string_view name = rest().substr(2, end - 2);
  const bool negated = name.starts_with('^');
  if (negated) name.remove_prefix(1);
  const std::string_view items = posix_items(name);
  if (items.empty() || caseless) refuse(fmt::format("[:{}:]", name));
  at_ += end + 2;
  negated ? set.add_excluded(items) : set.add_items(items);
  return true;
}

}  // namespace lamina
