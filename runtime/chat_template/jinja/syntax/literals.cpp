// Numbers (decimal, 0b, 0o, 0x, floats; digits may be separated by underlines) and the escapes of
// strings.
#include "runtime/chat_template/jinja/syntax/literals.h"

#include "runtime/chat_template/jinja/syntax/lexer.h"
#include "runtime/unicode/utf8.h"

#include <cstdlib>

namespace lamina::jinja {
namespace {

int digit_value(char byte) {
  if (byte >= '0' && byte <= '9') return byte - '0';
  const char lower = static_cast<char>(byte | 0x20);
  return lower >= 'a' && lower <= 'z' ? lower - 'a' + 10 : 99;
}

/// Past digits of `base` that single underlines may separate; `from` where there are none.
std::size_t past_digits(std::string_view text, std::size_t from, int base) {
  std::size_t at = from;
  while (at < text.size()) {
    const std::size_t digit = at > from && text[at] == '_' ? at + 1 : at;
    if (digit >= text.size() || digit_value(text[digit]) >= base) break;
    at = digit + 1;
  }
  return at;
}

std::size_t float_length(std::string_view text, std::size_t at) {
  if (at > 0 && text[at - 1] == '.') return 0;
  std::size_t end = past_digits(text, at, 10);
  if (end == at) return 0;
  bool is_float = false;
  if (end < text.size() && text[end] == '.') {
    const std::size_t fraction = past_digits(text, end + 1, 10);
    is_float = fraction > end + 1;
    if (is_float) end = fraction;
  }
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    std::size_t exponent = end + 1;
    if (exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-')) ++exponent;
    const std::size_t last = past_digits(text, exponent, 10);
    if (last > exponent) return last - at;
  }
  return is_float ? end - at : 0;
}

int base_of(std::string_view text) {
  if (text.size() < 2 || text[0] != '0') return 10;
  const char mark = static_cast<char>(text[1] | 0x20);
  return mark == 'b' ? 2 : mark == 'o' ? 8 : mark == 'x' ? 16 : 10;
}

/// Past the digits after 0b, 0o or 0x, the first of which may follow an underline.
std::size_t past_prefixed(std::string_view text, std::size_t from, int base) {
  const bool separated = from < text.size() && text[from] == '_';
  const std::size_t first = separated ? from + 1 : from;
  const std::size_t end = past_digits(text, first, base);
  return end > first ? end : from;
}

}  // namespace

std::size_t number_length(std::string_view text, std::size_t at) {
  if (text[at] < '0' || text[at] > '9') return 0;
  if (const std::size_t size = float_length(text, at); size > 0) return size;
  if (const int base = base_of(text.substr(at)); base != 10) {
    const std::size_t end = past_prefixed(text, at + 2, base);
    if (end > at + 2) return end - at;
  }
  // A decimal that starts with a zero is a zero.
  return past_digits(text, at, text[at] == '0' ? 1 : 10) - at;
}

Value number_value(std::string_view text, int line) {
  std::string digits;
  for (const char byte : text) {
    if (byte != '_') digits += byte;
  }
  const int base = base_of(digits);
  if (base == 10 && digits.find_first_of(".eE") != std::string::npos) {
    return std::strtod(digits.c_str(), nullptr);
  }
  Integer value = 0;
  for (std::size_t i = base == 10 ? 0 : 2; i < digits.size(); ++i) {
    if (__builtin_mul_overflow(value, Integer{base}, &value) ||
        __builtin_add_overflow(value, Integer{digit_value(digits[i])}, &value)) {
      throw SyntaxFault{line, "an integer of more than 128 bits is not supported"};
    }
  }
  return value;
}

std::size_t string_length(std::string_view text) {
  if (text.empty() || (text[0] != '\'' && text[0] != '"')) return 0;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == text[0]) {
      return i + 1;
    }
  }
  return 0;
}

namespace {

/// Reads the escapes of one string.
class Unescaper {
 public:
  Unescaper(std::string_view inside, int line) : inside_(inside), line_(line) {}

  std::string run() {
    while (at_ < inside_.size()) {
      if (inside_[at_] != '\\') {
        out_ += inside_[at_++];
      } else {
        ++at_;
        escape();
      }
    }
    return std::move(out_);
  }

 private:
  void escape() {
    static constexpr std::string_view names = "\\'\"abfnrtv", meant = "\\'\"\a\b\f\n\r\t\v";
    if (at_ >= inside_.size()) throw SyntaxFault{line_, "\\ at end of string"};
    const char name = inside_[at_];
    if (name == '\n') {
      ++at_;
    } else if (const std::size_t known = names.find(name); known != std::string_view::npos) {
      out_ += meant[known];
      ++at_;
    } else if (name >= '0' && name <= '7') {
      code(at_, 3, 8, false);
    } else if (name == 'x' || name == 'u' || name == 'U') {
      code(at_ + 1, name == 'x' ? 2 : name == 'u' ? 4 : 8, 16, true);
    } else if (name == 'N') {
      throw SyntaxFault{line_, "characters by name, \\N{...}, are not supported"};
    } else {
      unknown();
    }
  }

  /// A character by its number, of at most (or exactly) `most` digits.
  void code(std::size_t from, std::size_t most, int base, bool exactly) {
    char32_t value = 0;
    std::size_t end = from;
    while (end < inside_.size() && end < from + most && digit_value(inside_[end]) < base) {
      value =
          value * static_cast<char32_t>(base) + static_cast<char32_t>(digit_value(inside_[end++]));
    }
    if (exactly && end < from + most) throw SyntaxFault{line_, "truncated escape in a string"};
    if (value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) {
      throw SyntaxFault{line_, "an escape in a string is no Unicode character"};
    }
    append_utf8(out_, value);
    at_ = end;
  }

  /// The backslash stays. Of a character that is not ASCII, jinja2 leaves the escape's letters.
  void unknown() {
    constexpr char digits[] = "0123456789abcdef";
    const std::size_t size = character_length(inside_.substr(at_));
    out_ += '\\';
    if (size > 1) {
      const char32_t value = decode_character(inside_.substr(at_));
      const int places = value < 0x100 ? 2 : value < 0x10000 ? 4 : 8;
      out_ += places == 2 ? 'x' : places == 4 ? 'u' : 'U';
      for (int i = places - 1; i >= 0; --i) out_ += digits[value >> (4 * i) & 15];
    } else {
      out_ += inside_[at_];
    }
    at_ += size;
  }

  const std::string_view inside_;
  const int line_;
  std::size_t at_ = 0;
  std::string out_;
};

}  // namespace

std::string unescaped(std::string_view inside, int line) { return Unescaper(inside, line).run(); }

}  // namespace lamina::jinja
