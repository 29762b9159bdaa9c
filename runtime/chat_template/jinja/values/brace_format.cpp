// "{}".format(...): fields, conversions and the format specification of Python.
#include "runtime/chat_template/jinja/values/formatting.h"
#include "runtime/chat_template/jinja/values/number_format.h"
#include "runtime/chat_template/jinja/values/operations.h"
#include "runtime/chat_template/jinja/values/python_text.h"
#include "runtime/chat_template/jinja/values/text_functions.h"
#include "runtime/unicode/utf8.h"

#include <algorithm>
#include <cmath>

namespace lamina::jinja {
namespace {

bool is_align(char byte) { return byte == '<' || byte == '>' || byte == '^' || byte == '='; }

FormatSpec parse_spec(std::string_view text) {
  FormatSpec spec;
  std::size_t at = 0;
  const auto next_is = [&](char byte) { return at < text.size() && text[at] == byte; };
  if (!text.empty()) {
    const std::size_t first = character_length(text);
    if (first < text.size() && is_align(text[first])) {
      spec.fill = text.substr(0, first);
      spec.align = text[first];
      at = first + 1;
    } else if (is_align(text[0])) {
      spec.align = text[at++];
    }
  }
  const bool filled = at > 1;
  if (next_is('+') || next_is('-') || next_is(' ')) spec.sign = text[at++];
  if (next_is('z')) spec.no_negative_zero = ++at > 0;
  if (next_is('#')) spec.alternate = ++at > 0;
  if (next_is('0') && !filled) {
    spec.fill = "0";
    if (spec.align == 0) spec.align = '0';  // = for numbers, < for texts
    ++at;
  }
  spec.width = read_size(text, at);
  if (next_is(',') || next_is('_')) spec.grouping = text[at++];
  if (next_is('.')) {
    const std::size_t digits = ++at;
    spec.precision = read_size(text, at);
    if (at == digits) fail("Format specifier missing precision");
  }
  if (at < text.size()) spec.type = text[at++];
  if (at < text.size()) fail("Invalid format specifier '" + std::string(text) + "'");
  return spec;
}

[[noreturn]] void fail_code(const FormatSpec& spec, const Value& value) {
  fail(std::string("Unknown format code '") + spec.type + "' for object of type '" +
       type_name(value) + "'");
}

Text format_text(Heap& heap, FormatSpec spec, const Value& value) {
  if (spec.type != 0 && spec.type != 's') fail_code(spec, value);
  if (spec.sign != '-' || spec.alternate || spec.grouping != 0 || spec.align == '=' ||
      spec.no_negative_zero) {
    fail("a sign, '=', '#' or a grouping is not allowed in a format of a string");
  }
  heap.work(value.string()->text.size());
  Text text = value.string()->text;
  if (spec.precision) text = text.slice(0, offset_of(heap, text, *spec.precision));
  heap.check_length(spec.width * spec.fill.size());
  const Text fill(spec.fill);
  const auto width = static_cast<std::ptrdiff_t>(spec.width);
  if (spec.align != '^') {
    return padded(heap, text, width, spec.align == '>' ? Side::left : Side::right, fill);
  }
  const std::size_t missing = spec.width > text.length() ? spec.width - text.length() : 0;
  const Text half = padded(heap, text, static_cast<std::ptrdiff_t>(text.length() + missing / 2),
                           Side::left, fill);
  return padded(heap, half, width, Side::right, fill);
}

Text format_float(Heap& heap, const FormatSpec& spec, const Value& value, double number) {
  static constexpr std::string_view types = "eEfFgGn%";
  if (spec.type != 0 && types.find(spec.type) == types.npos) fail_code(spec, value);
  if (spec.grouping != 0 && spec.type == 'n') fail("Cannot specify ',' with 'n'.");
  const bool percent = spec.type == '%';
  const double scaled = percent ? number * 100 : number;
  const char type = percent ? 'f' : spec.type == 'n' ? 'g' : spec.type;
  std::string digits = type == 0 ? plain_float_digits(heap, std::abs(scaled), spec.precision)
                                 : float_digits(heap, std::abs(scaled), type,
                                                spec.precision.value_or(6), spec.alternate);
  if (percent) digits += '%';
  bool negative = std::signbit(scaled) && !std::isnan(scaled);
  if (spec.no_negative_zero && digits.find_first_of("123456789in") == digits.npos) negative = false;
  return laid_out_number(heap, spec, negative, "", digits);
}

Text format_integer(Heap& heap, FormatSpec spec, const Value& value, Integer number) {
  static constexpr std::string_view floats = "eEfFgG%";
  if (spec.type != 0 && floats.find(spec.type) != floats.npos) {
    return format_float(heap, spec, value, static_cast<double>(number));
  }
  if (spec.precision) fail("Precision not allowed in integer format specifier");
  if (spec.no_negative_zero) fail("Negative zero coercion (z) not allowed in integer format");
  if (spec.type == 'c') {
    if (number < 0 || number > 0x10FFFF || (number >= 0xD800 && number <= 0xDFFF)) {
      fail("%c arg not in range(0x110000)");
    }
    std::string bytes;
    append_utf8(bytes, static_cast<char32_t>(number));
    if (spec.align == 0) spec.align = '>';
    const Value text = heap.string(bytes);
    return format_text(heap, {spec.fill, spec.align, '-', false, false, spec.width, 0, {}, 0},
                       text);
  }
  static constexpr std::string_view types = "dnboxX";
  if (spec.type != 0 && types.find(spec.type) == types.npos) fail_code(spec, value);
  const unsigned base = spec.type == 'b'                         ? 2
                        : spec.type == 'o'                       ? 8
                        : (spec.type == 'x' || spec.type == 'X') ? 16
                                                                 : 10;
  std::string digits = integer_text(number, base, spec.type == 'X');
  if (number < 0) digits.erase(0, 1);
  std::string prefix;
  if (spec.alternate && base != 10) prefix = {'0', spec.type};
  return laid_out_number(heap, spec, number < 0, prefix, digits);
}

/// format(value, spec).
Text formatted(Heap& heap, const Value& value, std::string_view spec_text) {
  if (spec_text.empty()) return to_text(heap, value);
  FormatSpec spec = parse_spec(spec_text);
  const bool zero = spec.align == '0';
  if (value.string() != nullptr) {
    if (zero) spec.align = '<';
    return format_text(heap, spec, value);
  }
  if (zero) spec.align = '=';
  if (const auto number = as_integer(value)) return format_integer(heap, spec, value, *number);
  if (const double* number = value.real()) return format_float(heap, spec, value, *number);
  fail("unsupported format string passed to " + type_name(value) + ".__format__");
}

class BraceFormat {
 public:
  BraceFormat(Heap& heap, const Arguments& arguments, bool markup)
      : heap_(heap), arguments_(arguments), markup_(markup) {}

  Text run(const Text& format, std::size_t depth) {
    if (depth > 3) fail("Max string recursion exceeded");
    const std::string_view all = format.view();
    Text out;
    for (std::size_t at = 0; at < all.size();) {
      const std::size_t next = std::min(all.find_first_of("{}", at), all.size());
      out.append(format, at, next);
      at = next;
      if (at >= all.size()) break;
      if (at + 1 < all.size() && all[at + 1] == all[at]) {
        out.append(format, at, at + 1);
        at += 2;
      } else if (all[at] == '}') {
        fail("Single '}' encountered in format string");
      } else {
        const std::size_t end = field_end(all, at + 1);
        out.append(field(format.slice(at + 1, end), depth));
        at = end + 1;
      }
      heap_.check_length(out.size());
    }
    heap_.character_work(all.size());
    return out;
  }

 private:
  static std::size_t field_end(std::string_view all, std::size_t at) {
    std::size_t depth = 1;
    bool in_brackets = false;
    for (; at < all.size(); ++at) {
      if (in_brackets) {
        in_brackets = all[at] != ']';
        continue;
      }
      if (all[at] == '[') in_brackets = depth == 1;
      if (all[at] == '{') ++depth;
      if (all[at] == '}' && --depth == 0) return at;
      if (depth == 1 && (all[at] == ':' || all[at] == '!')) break;
    }
    // Within the conversion and the specification, brackets are characters like others.
    for (; at < all.size(); ++at) {
      if (all[at] == '{') ++depth;
      if (all[at] == '}' && --depth == 0) return at;
    }
    fail("expected '}' before end of string");
  }

  Text field(const Text& inside, std::size_t depth) {
    heap_.step();
    heap_.character_work(inside.size());
    const std::string_view all = inside.view();
    std::size_t name_end = 0;
    for (bool in_brackets = false; name_end < all.size(); ++name_end) {
      if (all[name_end] == '[') in_brackets = true;
      if (all[name_end] == ']') in_brackets = false;
      if (!in_brackets && (all[name_end] == ':' || all[name_end] == '!')) break;
    }
    Value value = lookup(inside.slice(0, name_end));
    std::size_t at = name_end;
    if (at < all.size() && all[at] == '!') {
      if (at + 1 >= all.size()) fail("unmatched '{' in format spec");
      value = converted(value, all[at + 1]);
      at += 2;
      if (at < all.size() && all[at] != ':') fail("expected ':' after conversion specifier");
    }
    const Text spec = at < all.size() ? run(inside.slice(at + 1, all.size()), depth + 1) : Text();
    if (!markup_) return formatted(heap_, value, spec.view());
    const String* text = value.string();
    if (text != nullptr && text->markup) {
      if (!spec.empty()) fail("Unsupported format specification for Markup.");
      return text->text;
    }
    return escaped(heap_, formatted(heap_, value, spec.view()));
  }

  Value converted(const Value& value, char how) {
    if (how == 's') return heap_.string(to_text(heap_, value));
    if (how == 'r') return heap_.string(repr(heap_, value));
    if (how != 'a') fail(std::string("Unknown conversion specifier ") + how);
    const Values one{value};
    const Value tuple = heap_.tuple(one);
    const Value format = heap_.string("%a");
    return heap_.string(percent_format(heap_, *format.string(), tuple));
  }

  static bool is_number(std::string_view text) {
    return !text.empty() && text.size() < 10 &&
           text.find_first_not_of("0123456789") == std::string_view::npos;
  }

  Value first_value(std::string_view name) {
    if (name.empty() || is_number(name)) {
      const bool automatic = name.empty();
      if (numbering_ && *numbering_ != automatic) {
        fail("cannot switch between manual field specification and automatic field numbering");
      }
      numbering_ = automatic;
      const auto index =
          automatic ? next_++ : static_cast<std::size_t>(std::stoul(std::string(name)));
      if (index >= arguments_.positional.size()) {
        fail("Replacement index " + std::to_string(index) +
             " out of range for positional args tuple");
      }
      return arguments_.positional[index];
    }
    for (const auto& each : arguments_.named) {
      heap_.touch();
      if (each.first == name) return each.second;
    }
    fail("KeyError: '" + std::string(name) + "'");
  }

  Value lookup(const Text& path) {
    const std::string_view all = path.view();
    std::size_t at = std::min(all.find_first_of(".["), all.size());
    Value value = first_value(all.substr(0, at));
    while (at < all.size()) {
      const bool item = all[at] == '[';
      if (!item && all[at] != '.') fail("Only '.' or '[' may follow ']' in format field specifier");
      const std::size_t end =
          item ? all.find(']', at) : std::min(all.find_first_of(".[", at + 1), all.size());
      if (end == all.npos) fail("Missing ']' in format string");
      const Text part = path.slice(at + 1, end);
      heap_.step();
      if (part.empty()) fail("Empty attribute in format string");
      if (!item) {
        value = attribute(heap_, value, part.view());
      } else if (is_number(part.view())) {
        value = subscript(heap_, value, Value(Integer{std::stol(std::string(part.view()))}));
      } else {
        value = subscript(heap_, value, heap_.string(part));
      }
      at = item ? end + 1 : end;
    }
    return value;
  }

  Heap& heap_;
  const Arguments& arguments_;
  const bool markup_;
  std::optional<bool> numbering_;  // automatic, or by number
  std::size_t next_ = 0;
};

}  // namespace

Text brace_format(Heap& heap, const String& format, const Arguments& arguments) {
  return BraceFormat(heap, arguments, format.markup).run(format.text, 1);
}

}  // namespace lamina::jinja
