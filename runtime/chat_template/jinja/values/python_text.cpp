// str() and repr() of values.
#include "runtime/chat_template/jinja/values/python_text.h"

#include "runtime/chat_template/jinja/values/operations.h"
#include "runtime/chat_template/jinja/values/python_characters.h"

#include <charconv>
#include <cmath>

namespace lamina::jinja {

std::string integer_text(Integer value, unsigned base, bool upper) {
  __extension__ using Unsigned = unsigned __int128;
  auto rest = static_cast<Unsigned>(value);
  if (value < 0) rest = Unsigned{0} - rest;
  std::string digits;
  do {
    const auto digit = static_cast<unsigned>(rest % base);
    digits += static_cast<char>(digit < 10 ? '0' + digit : (upper ? 'A' : 'a') + digit - 10);
    rest /= base;
  } while (rest > 0);
  if (value < 0) digits += '-';
  return {digits.rbegin(), digits.rend()};
}

std::string float_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char buffer[64];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific);
  std::string_view all(buffer, static_cast<std::size_t>(end.ptr - buffer));
  std::string out = value < 0 || std::signbit(value) ? "-" : "";
  if (!out.empty()) all.remove_prefix(1);
  const std::size_t e = all.find('e');
  int exponent = 0;
  std::from_chars(all.data() + e + (all[e + 1] == '+' ? 2 : 1), all.data() + all.size(), exponent);
  std::string digits(all.substr(0, 1));
  if (e > 2) digits += all.substr(2, e - 2);
  const int size = static_cast<int>(digits.size());
  if (exponent < -4 || exponent >= 16) {
    out += digits.substr(0, 1) + (size > 1 ? "." + digits.substr(1) : "") + "e";
    const int magnitude = std::abs(exponent);
    return out + (exponent < 0 ? '-' : '+') + (magnitude < 10 ? "0" : "") +
           std::to_string(magnitude);
  }
  if (exponent < 0)
    return out + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  if (size <= exponent + 1) {
    return out + digits + std::string(static_cast<std::size_t>(exponent + 1 - size), '0') + ".0";
  }
  const auto whole = static_cast<std::size_t>(exponent + 1);
  return out + digits.substr(0, whole) + "." + digits.substr(whole);
}

namespace {

std::string escape_of(char32_t code) {
  constexpr char digits[] = "0123456789abcdef";
  const int size = code < 0x100 ? 2 : code < 0x10000 ? 4 : 8;
  std::string out = code < 0x100 ? "\\x" : code < 0x10000 ? "\\u" : "\\U";
  for (int i = size - 1; i >= 0; --i) out += digits[code >> (4 * i) & 15];
  return out;
}

/// Writes the reprs of values, one after the other.
class Writer {
 public:
  explicit Writer(Heap& heap) : heap_(heap) {}

  void write(const Value& value) {
    const Deeper deeper(depth_, most_nested_values, "values");
    heap_.check_length(out.size());
    heap_.step();
    if (value.is_undefined()) {
      out.append("Undefined");
    } else if (const Object* object = value.object()) {
      write_object(value, *object);
    } else {
      out.append(to_text(heap_, value));
    }
  }

  Text out;

 private:
  void write_object(const Value& value, const Object& object) {
    if (const String* text = value.string()) {
      if (text->markup) out.append("Markup(");
      heap_.character_work(text->text.size());
      out.append(repr_of_text(text->text));
      if (text->markup) out.append(")");
    } else if (const List* list = value.as<List>()) {
      const bool tuple = object.kind == Object::Kind::tuple;
      out.append(tuple ? "(" : "[");
      write_all(list->items);
      out.append(!tuple ? "]" : list->items.size() == 1 ? ",)" : ")");
    } else if (const Dict* dict = value.as<Dict>()) {
      write_dict(*dict);
    } else if (value.as<View>() != nullptr) {
      out.append(type_name(value) + "([");
      write_all(items_of(heap_, value));
      out.append("])");
    } else if (const Namespace* space = value.as<Namespace>()) {
      out.append("<Namespace ");
      write(space->dict);
      out.append(">");
    } else {
      out.append(to_text(heap_, value));
    }
  }

  void write_all(const Values& items) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i > 0) out.append(", ");
      write(items[i]);
    }
  }

  void write_dict(const Dict& dict) {
    out.append("{");
    bool first = true;
    for (const auto& [key, value] : dict.entries()) {
      if (!std::exchange(first, false)) out.append(", ");
      write(key);
      out.append(": ");
      write(value);
    }
    out.append("}");
  }

  Heap& heap_;
  std::size_t depth_ = 0;
};

std::string text_of_range(const Range& range) {
  std::string text = "range(" + integer_text(range.start) + ", " + integer_text(range.stop);
  if (range.step != 1) text += ", " + integer_text(range.step);
  return text + ")";
}

}  // namespace

Text repr_of_text(const Text& text, bool ascii) {
  const std::string_view all = text.view();
  const bool single = all.find('\'') != all.npos && all.find('"') == all.npos;
  const char quote = single ? '"' : '\'';
  Text out{std::string(1, quote)};
  for (Characters at(text); !at.done(); at.next()) {
    const char32_t code = at.code();
    std::string escape;
    if (code == static_cast<unsigned char>(quote) || code == '\\') {
      escape.append(1, '\\').append(1, static_cast<char>(code));
    } else if (code == '\n' || code == '\r' || code == '\t') {
      escape.append(1, '\\').append(1, code == '\n' ? 'n' : code == '\r' ? 'r' : 't');
    } else if (!is_printable(code) || (ascii && code > 0x7E)) {
      escape = escape_of(code);
    }
    out.append(escape.empty() ? at.bytes() : escape, at.from_user());
  }
  out.append(std::string(1, quote));
  return out;
}

Text repr(Heap& heap, const Value& value) {
  Writer writer(heap);
  writer.write(value);
  heap.check_length(writer.out.size());
  return std::move(writer.out);
}

Text to_text(Heap& heap, const Value& value) {
  if (value.is_undefined()) return {};
  if (value.is_none()) return Text("None");
  if (const bool* flag = value.boolean()) return Text(*flag ? "True" : "False");
  if (const Integer* number = value.integer()) return Text(integer_text(*number));
  if (const double* number = value.real()) return Text(float_text(*number));
  if (const String* text = value.string()) {
    heap.work(text->text.size());
    return text->text;
  }
  if (const Range* range = value.as<Range>()) return Text(text_of_range(*range));
  switch (value.object()->kind) {
    case Object::Kind::list:
    case Object::Kind::tuple:
    case Object::Kind::dict:
    case Object::Kind::view:
    case Object::Kind::name_space:
      return repr(heap, value);
    case Object::Kind::iterator:
      return Text("<generator object " + value.as<Iterator>()->name + ">");
    case Object::Kind::method:
      return Text("<built-in method " + value.as<Method>()->name + " of " +
                  type_name(value.as<Method>()->self) + " object>");
    case Object::Kind::function:
      return Text("<function " + value.as<Function>()->name + ">");
    default:
      return Text(identity_text(value));
  }
}

}  // namespace lamina::jinja
