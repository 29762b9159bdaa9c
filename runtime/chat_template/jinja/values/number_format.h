// Numbers written with a width, a sign, a precision: what both ways of formatting share.
#pragma once

#include "runtime/chat_template/jinja/values/heap.h"
#include "runtime/chat_template/jinja/values/value.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace lamina::jinja {

/// [[fill]align][sign][z][#][0][width][grouping][.precision][type]
struct FormatSpec {
  std::string fill = " ";
  char align = 0;  // < > ^ =, or none
  char sign = '-';
  bool no_negative_zero = false;
  bool alternate = false;
  std::size_t width = 0;
  char grouping = 0;
  std::optional<std::size_t> precision;
  char type = 0;
};

/// Reads digits, up to a number that fits in a text; throws where it is greater.
std::size_t read_size(std::string_view text, std::size_t& at);

/// Digits of a finite or infinite number without its sign, as C's printf writes %f, %e or %g.
std::string float_digits(Heap& heap, double magnitude, char type, std::size_t precision,
                         bool alternate);
/// The same for a number without a type: str() of it, or with a precision, %g with a digit behind
/// the point.
std::string plain_float_digits(Heap& heap, double magnitude, std::optional<std::size_t> precision);

/// Sign, prefix and digits, padded and grouped as the spec says.
Text laid_out_number(Heap& heap, const FormatSpec& spec, bool negative, std::string prefix,
                     std::string digits);

}  // namespace lamina::jinja
