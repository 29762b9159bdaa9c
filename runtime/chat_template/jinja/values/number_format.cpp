// Numbers written with a width, a sign, a precision.
#include "runtime/chat_template/jinja/values/number_format.h"

#include "runtime/chat_template/jinja/values/python_text.h"
#include "runtime/chat_template/jinja/values/text_functions.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace lamina::jinja {

std::size_t read_size(std::string_view text, std::size_t& at) {
  std::size_t size = 0;
  for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
    size = size * 10 + static_cast<std::size_t>(text[at] - '0');
    if (size > (std::size_t{1} << 40)) fail_limit("a width or precision of a format is too big");
  }
  return size;
}

std::string float_digits(Heap& heap, double magnitude, char type, std::size_t precision,
                         bool alternate) {
  heap.check_length(precision + 400);
  if (!std::isfinite(magnitude)) {
    const bool upper = type == 'E' || type == 'F' || type == 'G';
    if (std::isnan(magnitude)) return upper ? "NAN" : "nan";
    return upper ? "INF" : "inf";
  }
  heap.work(precision * 16);
  const std::string format = std::string(alternate ? "%#" : "%") + ".*" + type;
  std::string out(precision + 400, '\0');
  const int size =
      std::snprintf(out.data(), out.size(), format.c_str(), static_cast<int>(precision), magnitude);
  out.resize(static_cast<std::size_t>(size));
  return out;
}

std::string plain_float_digits(Heap& heap, double magnitude, std::optional<std::size_t> precision) {
  if (!precision || !std::isfinite(magnitude)) return float_text(magnitude);
  const std::size_t digits = std::max<std::size_t>(*precision, 1);
  std::string exponential = float_digits(heap, magnitude, 'e', digits - 1, false);
  const std::size_t e = exponential.find('e');
  const int exponent = std::atoi(exponential.c_str() + e + 1);
  if (exponent < -4 || exponent + 2 > static_cast<int>(digits)) {
    std::string mantissa = exponential.substr(0, e);
    if (mantissa.find('.') != mantissa.npos) {
      mantissa.erase(mantissa.find_last_not_of('0') + 1);
      if (mantissa.back() == '.') mantissa.pop_back();
    }
    return mantissa + exponential.substr(e);
  }
  std::string fixed = float_digits(heap, magnitude, 'g', digits, false);
  return fixed.find_first_of(".e") == fixed.npos ? fixed + ".0" : fixed;
}

namespace {

/// With a separator before every third or fourth digit of the whole part.
std::string grouped(const std::string& digits, char separator, std::size_t every) {
  const std::size_t whole =
      std::min(digits.find_first_not_of("0123456789abcdefABCDEF"), digits.size());
  std::string out;
  for (std::size_t i = 0; i < whole; ++i) {
    if (i > 0 && (whole - i) % every == 0) out += separator;
    out += digits[i];
  }
  return out + digits.substr(whole);
}

}  // namespace

Text laid_out_number(Heap& heap, const FormatSpec& spec, bool negative, std::string prefix,
                     std::string digits) {
  heap.check_length(spec.width * spec.fill.size());
  heap.work(spec.width * spec.fill.size());
  heap.character_work(digits.size());
  const std::string sign = negative ? "-" : spec.sign == '-' ? "" : std::string(1, spec.sign);
  prefix = sign + prefix;
  const char align = spec.align != 0 ? spec.align : '>';
  if (spec.grouping != 0) {
    heap.character_work(spec.width);
    const bool by_four =
        spec.type == 'b' || spec.type == 'o' || spec.type == 'x' || spec.type == 'X';
    const std::size_t every = by_four ? 4 : 3;
    std::string out = grouped(digits, spec.grouping, every);
    if (align == '=' && spec.fill == "0" && prefix.size() + out.size() < spec.width) {
      // Zeros are digits too, and a separator is not the first.
      const std::size_t room = spec.width - prefix.size();
      const std::size_t behind =
          digits.size() -
          std::min(digits.find_first_not_of("0123456789abcdefABCDEF"), digits.size());
      std::size_t whole = room - behind;
      whole -= whole / (every + 1);
      digits.insert(0, whole > digits.size() - behind ? whole - (digits.size() - behind) : 0, '0');
      out = grouped(digits, spec.grouping, every);
    }
    digits = std::move(out);
  }
  if (align == '=') {
    const std::size_t size = prefix.size() + digits.size();
    Text out(prefix);
    out.append(repeated(heap, Text(spec.fill), spec.width > size ? spec.width - size : 0));
    out.append(digits);
    return out;
  }
  const Side side = align == '<' ? Side::right : align == '^' ? Side::both : Side::left;
  const Text text(prefix + digits);
  if (side != Side::both) {
    return padded(heap, text, static_cast<std::ptrdiff_t>(spec.width), side, Text(spec.fill));
  }
  const std::size_t missing = spec.width > text.length() ? spec.width - text.length() : 0;
  Text out = padded(heap, text, static_cast<std::ptrdiff_t>(text.length() + missing / 2),
                    Side::left, Text(spec.fill));
  return padded(heap, out, static_cast<std::ptrdiff_t>(spec.width), Side::right, Text(spec.fill));
}

}  // namespace lamina::jinja
