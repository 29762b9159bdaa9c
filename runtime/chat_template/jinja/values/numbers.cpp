// Numbers out of texts, and rounding to the even neighbour.
#include "runtime/chat_template/jinja/values/numbers.h"

#include "runtime/chat_template/jinja/values/text_functions.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace lamina::jinja {
namespace {

/// The text without blanks around it, its decimals of any script as ASCII, and without single
/// underlines between digits; nothing where an underline stands elsewhere.
std::optional<std::string> plain_digits(Heap& heap, const Text& text) {
  heap.character_work(text.size());
  const Text inner = stripped(heap, text, Side::both, nullptr);
  std::string out;
  bool after_digit = false, separated = false;
  for (Characters at(inner); !at.done(); at.next()) {
    const char32_t code = at.code();
    if (code == '_') {
      if (!after_digit || separated) return std::nullopt;
      separated = true;
      continue;
    }
    const bool decimal = is_decimal(code);
    const bool letter = code < 0x80 && is_letter(code);
    if (separated && !decimal && !letter) return std::nullopt;
    if (decimal) {
      out += static_cast<char>('0' + decimal_value(code));
    } else {
      out += code < 0x80 ? static_cast<char>(code) : '?';
    }
    after_digit = decimal || letter;
    separated = false;
  }
  if (separated) return std::nullopt;
  return out;
}

int value_of_digit(char byte) {
  if (byte >= '0' && byte <= '9') return byte - '0';
  const char lower = static_cast<char>(byte | 0x20);
  return lower >= 'a' && lower <= 'z' ? lower - 'a' + 10 : 99;
}

}  // namespace

std::optional<Integer> parse_integer(Heap& heap, const Text& text, Integer base) {
  if (base != 0 && (base < 2 || base > 36)) return std::nullopt;
  const auto digits = plain_digits(heap, text);
  if (!digits) return std::nullopt;
  std::string_view left = *digits;
  const bool negative = left.starts_with('-');
  if (negative || left.starts_with('+')) left.remove_prefix(1);
  if (left.size() > 1 && left[0] == '0') {
    const char mark = static_cast<char>(left[1] | 0x20);
    const Integer named = mark == 'b' ? 2 : mark == 'o' ? 8 : mark == 'x' ? 16 : 0;
    if (named != 0 && (base == 0 || base == named)) {
      base = named;
      left.remove_prefix(2);
    } else if (base == 0 && left.find_first_not_of('0') != left.npos) {
      return std::nullopt;
    }
  }
  if (base == 0) base = 10;
  if (left.empty()) return std::nullopt;
  Integer value = 0;
  for (const char byte : left) {
    const int digit = value_of_digit(byte);
    if (digit >= base) return std::nullopt;
    if (__builtin_mul_overflow(value, base, &value) ||
        __builtin_add_overflow(value, Integer{digit}, &value)) {
      fail("an integer of more than 128 bits is not supported");
    }
  }
  return negative ? -value : value;
}

std::optional<double> parse_float(Heap& heap, const Text& text) {
  const auto digits = plain_digits(heap, text);
  if (!digits || digits->empty()) return std::nullopt;
  std::string_view left = *digits;
  if (left[0] == '+' || left[0] == '-') left.remove_prefix(1);
  const std::string lower(in_case(heap, Text(left), Case::lower).view());
  const bool named = lower == "inf" || lower == "infinity" || lower == "nan";
  // strtod also reads hexadecimal floats and nan(...), which Python does not.
  if (!named && lower.find_first_not_of("0123456789.e+-") != std::string::npos) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(digits->c_str(), &end);
  if (end != digits->c_str() + digits->size()) return std::nullopt;
  return value;
}

Integer to_integer(double number) {
  if (std::isnan(number)) fail("cannot convert float NaN to integer");
  if (std::isinf(number)) fail("cannot convert float infinity to integer");
  if (number >= 0x1p127 || number < -0x1p127) {
    fail("an integer of more than 128 bits is not supported");
  }
  return static_cast<Integer>(number);
}

double round_to(double number, std::ptrdiff_t digits) {
  if (!std::isfinite(number) || digits > 400) return number;
  if (digits < 0) {
    if (digits < -310) return std::copysign(0.0, number);
    const long double unit = std::pow(10.0L, static_cast<long double>(-digits));
    return static_cast<double>(std::nearbyint(static_cast<long double>(number) / unit) * unit);
  }
  // The C library rounds the exact value, ties to even.
  char text[800];
  std::snprintf(text, sizeof text, "%.*f", static_cast<int>(digits), number);
  return std::strtod(text, nullptr);
}

Integer round_to(Integer number, std::ptrdiff_t digits) {
  if (digits >= 0) return number;
  if (digits < -38) return 0;
  Integer unit = 1;
  for (; digits < 0; ++digits) unit *= 10;
  Integer rest = number % unit;
  if (rest < 0) rest += unit;
  Integer down = 0;
  if (__builtin_sub_overflow(number, rest, &down)) fail("the rounded number has too many bits");
  const bool odd = (down / unit) % 2 != 0;
  const bool up = rest > unit - rest || (rest == unit - rest && odd);
  Integer result = down;
  if (up && __builtin_add_overflow(down, unit, &result)) {
    fail("the rounded number has more than 128 bits");
  }
  return result;
}

}  // namespace lamina::jinja
