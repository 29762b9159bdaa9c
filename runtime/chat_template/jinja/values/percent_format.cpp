// "format % values": Python's printf-style formatting.
#include "runtime/chat_template/jinja/values/formatting.h"
#include "runtime/chat_template/jinja/values/number_format.h"
#include "runtime/chat_template/jinja/values/numbers.h"
#include "runtime/chat_template/jinja/values/operations.h"
#include "runtime/chat_template/jinja/values/python_text.h"
#include "runtime/chat_template/jinja/values/text_functions.h"
#include "runtime/unicode/utf8.h"

#include <cmath>

namespace lamina::jinja {
namespace {

class PercentFormat {
 public:
  PercentFormat(Heap& heap, const String& format, const Value& values)
      : heap_(heap), format_(format.text), markup_(format.markup), values_(values) {
    const List* list = values.as<List>();
    is_tuple_ = list != nullptr && list->kind == Object::Kind::tuple;
    is_mapping_ = !is_tuple_ && values.string() == nullptr &&
                  (values.is_undefined() || list != nullptr || values.as<Dict>() != nullptr ||
                   values.as<Range>() != nullptr);
  }

  Text run() {
    const std::string_view all = format_.view();
    while (at_ < all.size()) {
      const std::size_t next = std::min(all.find('%', at_), all.size());
      out_.append(format_, at_, next);
      at_ = next;
      if (at_ < all.size()) conversion();
      heap_.check_length(out_.size());
    }
    const std::size_t count = is_tuple_ ? values_.as<List>()->items.size() : 1;
    if (!is_mapping_ && taken_ < count) {
      fail("not all arguments converted during string formatting");
    }
    return std::move(out_);
  }

 private:
  char here() const {
    if (at_ >= format_.size()) fail("incomplete format");
    return format_.view()[at_];
  }

  Value next_value() {
    if (is_tuple_) {
      const Values& items = values_.as<List>()->items;
      if (taken_ >= items.size()) fail("not enough arguments for format string");
      return items[taken_++];
    }
    if (taken_++ > 0) fail("not enough arguments for format string");
    return values_;
  }

  /// The value of %(key)s.
  Value named_value() {
    std::size_t depth = 1, end = ++at_;
    for (; end < format_.size() && depth > 0; ++end) {
      if (format_.view()[end] == '(') ++depth;
      if (format_.view()[end] == ')') --depth;
    }
    if (depth > 0) fail("incomplete format key");
    if (!is_mapping_) fail("format requires a mapping");
    const Value key = heap_.string(format_.slice(at_, end - 1));
    at_ = end;
    const Dict* dict = values_.as<Dict>();
    if (dict == nullptr) {
      if (values_.is_undefined()) fail(values_.undefined_message());
      fail("the values of the format are no mapping");
    }
    const Value* found = dict->find(key);
    if (found == nullptr) fail("KeyError: " + std::string(repr(heap_, key).view()));
    return *found;
  }

  std::ptrdiff_t size_or_star() {
    if (here() != '*') return static_cast<std::ptrdiff_t>(read_size(format_.view(), at_));
    ++at_;
    const Value value = next_value();
    if (value.integer() == nullptr && value.boolean() == nullptr) fail("* wants int");
    return to_index(value, "a width");
  }

  void conversion() {
    heap_.step();
    ++at_;
    if (here() == '%') {
      ++at_;
      return out_.append("%");
    }
    FormatSpec spec;
    std::optional<Value> value;
    if (here() == '(') value = named_value();
    bool left = false, zero = false;
    for (;; ++at_) {
      const char flag = here();
      if (flag == '-') {
        left = true;
      } else if (flag == '0') {
        zero = true;
      } else if (flag == '+' || (flag == ' ' && spec.sign != '+')) {
        spec.sign = flag;
      } else if (flag == '#') {
        spec.alternate = true;
      } else if (flag != ' ') {
        break;
      }
    }
    const std::ptrdiff_t width = size_or_star();
    left = left || width < 0;
    spec.width = static_cast<std::size_t>(width < 0 ? -width : width);
    if (here() == '.') {
      ++at_;
      spec.precision = static_cast<std::size_t>(std::max<std::ptrdiff_t>(size_or_star(), 0));
    }
    if (here() == 'h' || here() == 'l' || here() == 'L') ++at_;
    spec.type = here();
    ++at_;
    spec.align = left ? '<' : zero ? '=' : '>';
    if (zero && !left) spec.fill = "0";
    convert(spec, value ? *value : next_value());
  }

  void convert(const FormatSpec& spec, const Value& value) {
    heap_.check_length(spec.width);
    switch (spec.type) {
      case 's':
      case 'r':
      case 'a':
        return text(spec, value);
      case 'd':
      case 'i':
      case 'u':
      case 'x':
      case 'X':
      case 'o':
        return integer(spec, value);
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G': {
        if (value.is_undefined()) fail(value.undefined_message());
        const auto number = as_real(value);
        if (!number) fail("must be real number, not " + type_name(value));
        return out_.append(
            laid_out_number(heap_, spec, std::signbit(*number) && !std::isnan(*number), "",
                            float_digits(heap_, std::abs(*number), spec.type,
                                         spec.precision.value_or(6), spec.alternate)));
      }
      case 'c':
        return character(spec, value);
      default:
        fail(std::string("unsupported format character '") + spec.type + "'");
    }
  }

  void text(const FormatSpec& spec, const Value& value) {
    Text text = spec.type == 's' ? to_text(heap_, value) : repr(heap_, value);
    if (spec.type == 'a') text = ascii(text);
    if (markup_) text = spec.type == 's' ? escaped(heap_, value) : escaped(heap_, text);
    if (spec.precision) text = text.slice(0, offset_of(heap_, text, *spec.precision));
    put(spec, text);
  }

  /// Of a repr: what is not ASCII, as an escape.
  Text ascii(const Text& text) const {
    heap_.character_work(8 * text.size());
    Text out;
    for (Characters at(text); !at.done(); at.next()) {
      const Text one(at.bytes(), at.from_user());
      const Text quoted = at.code() > 0x7E ? repr_of_text(one, true) : one;
      out.append(quoted, at.code() > 0x7E ? 1 : 0, quoted.size() - (at.code() > 0x7E ? 1 : 0));
    }
    return out;
  }

  void put(const FormatSpec& spec, const Text& text) {
    const Side side = spec.align == '<' ? Side::right : Side::left;
    out_.append(padded(heap_, text, static_cast<std::ptrdiff_t>(spec.width), side, Text(" ")));
  }

  void integer(const FormatSpec& spec, const Value& value) {
    const bool decimal = spec.type == 'd' || spec.type == 'i' || spec.type == 'u';
    if (value.is_undefined()) fail(value.undefined_message());
    auto number = as_integer(value);
    if (!number && decimal && value.real() != nullptr) number = to_integer(*value.real());
    if (!number) {
      fail(std::string("%") + spec.type + " format: " + (decimal ? "a real number" : "an integer") +
           " is required, not " + type_name(value));
    }
    const bool hexadecimal = spec.type == 'x' || spec.type == 'X';
    std::string digits = integer_text(*number,
                                      decimal       ? 10
                                      : hexadecimal ? 16
                                                    : 8,
                                      spec.type == 'X');
    if (*number < 0) digits.erase(0, 1);
    if (spec.precision && digits.size() < *spec.precision) {
      heap_.check_length(*spec.precision);
      heap_.work(*spec.precision);
      digits.insert(0, *spec.precision - digits.size(), '0');
    }
    std::string prefix;
    if (spec.alternate && !decimal) prefix = {'0', spec.type};
    out_.append(laid_out_number(heap_, spec, *number < 0, prefix, digits));
  }

  void character(const FormatSpec& spec, const Value& value) {
    const auto code = as_integer(value);
    if (const String* text = value.string(); text != nullptr && text->text.length() == 1) {
      return put(spec, text->text);
    }
    if (!code) fail("%c requires int or char");
    if (*code < 0 || *code > 0x10FFFF || (*code >= 0xD800 && *code <= 0xDFFF)) {
      fail("%c arg not in range(0x110000)");
    }
    std::string bytes;
    append_utf8(bytes, static_cast<char32_t>(*code));
    put(spec, Text(bytes));
  }

  Heap& heap_;
  const Text& format_;
  const bool markup_;
  const Value& values_;
  bool is_tuple_ = false, is_mapping_ = false;
  std::size_t taken_ = 0;
  std::size_t at_ = 0;
  Text out_;
};

}  // namespace

Text percent_format(Heap& heap, const String& format, const Value& values) {
  return PercentFormat(heap, format, values).run();
}

}  // namespace lamina::jinja
