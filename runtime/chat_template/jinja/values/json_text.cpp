// Values as JSON, byte for byte as Python's json.dumps writes them.
#include "runtime/chat_template/jinja/values/operations.h"
#include "runtime/chat_template/jinja/values/python_text.h"

#include <algorithm>
#include <cmath>

namespace lamina::jinja {
namespace {

std::string hexadecimal(unsigned unit) {
  constexpr char digits[] = "0123456789abcdef";
  std::string out = "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += digits[unit >> shift & 15];
  return out;
}

/// The escape of a character; empty where it stands for itself.
std::string escape_of(char32_t code, bool ascii) {
  switch (code) {
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    case '\f':
      return "\\f";
    case '\b':
      return "\\b";
    default:
      break;
  }
  if (code < 0x20 || (ascii && code > 0x7E && code < 0x10000)) return hexadecimal(code);
  if (!ascii || code < 0x10000) return {};
  return hexadecimal(0xD800 + ((code - 0x10000) >> 10)) +
         hexadecimal(0xDC00 + ((code - 0x10000) & 0x3FF));
}

class JsonWriter {
 public:
  JsonWriter(Heap& heap, const JsonStyle& style) : heap_(heap), style_(style) {}

  void write(const Value& value) {
    const Deeper deeper(depth_, most_nested_values, "values");
    heap_.check_length(out.size());
    heap_.step();
    if (value.is_none()) {
      out.append("null");
    } else if (const bool* flag = value.boolean()) {
      out.append(*flag ? "true" : "false");
    } else if (const Integer* number = value.integer()) {
      out.append(integer_text(*number));
    } else if (const double* real = value.real()) {
      out.append(number_text(*real));
    } else if (const String* text = value.string()) {
      write_text(text->text);
    } else if (const List* list = value.as<List>()) {
      write_list(list->items);
    } else if (const Dict* dict = value.as<Dict>()) {
      write_dict(*dict);
    } else {
      fail("Object of type " + type_name(value) + " is not JSON serializable");
    }
  }

  Text out;

 private:
  static std::string number_text(double value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
    return float_text(value);
  }

  void write_text(const Text& text) {
    heap_.character_work(text.size());
    out.append("\"");
    std::size_t plain = 0;  // from here on nothing is to be escaped
    for (Characters at(text); !at.done(); at.next()) {
      const char32_t code = at.code();
      if (code >= 0x20 && code != '"' && code != '\\' && !(style_.ascii && code > 0x7E)) continue;
      out.append(text, plain, at.offset());
      out.append(escape_of(code, style_.ascii), at.from_user());
      plain = at.offset() + at.bytes().size();
    }
    out.append(text, plain, text.size());
    out.append("\"");
  }

  void new_line(std::size_t level) {
    if (!style_.indent) return;
    out.append("\n");
    heap_.check_length(out.size() + level * style_.indent->size());
    heap_.work(level * style_.indent->size());
    for (std::size_t i = 0; i < level; ++i) out.append(*style_.indent);
  }

  void write_list(const Values& items) {
    if (items.empty()) return out.append("[]");
    out.append("[");
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i > 0) out.append(style_.item_separator);
      new_line(depth_);
      write(items[i]);
    }
    new_line(depth_ - 1);
    out.append("]");
  }

  void write_key(const Value& key) {
    if (const String* text = key.string()) return write_text(text->text);
    if (key.object() != nullptr || key.is_undefined()) {
      fail("keys must be str, int, float, bool or None, not " + type_name(key));
    }
    out.append("\"");
    write(key);
    out.append("\"");
  }

  void write_dict(const Dict& dict) {
    if (dict.size() == 0) return out.append("{}");
    heap_.touch(2 * dict.size());
    auto entries = dict.entries();
    if (style_.sort_keys) {
      std::stable_sort(entries.begin(), entries.end(),
                       [&](const auto& a, const auto& b) { return less(heap_, a.first, b.first); });
    }
    out.append("{");
    bool first = true;
    for (const auto& [key, value] : entries) {
      if (!std::exchange(first, false)) out.append(style_.item_separator);
      new_line(depth_);
      write_key(key);
      out.append(style_.key_separator);
      write(value);
    }
    new_line(depth_ - 1);
    out.append("}");
  }

  Heap& heap_;
  const JsonStyle& style_;
  std::size_t depth_ = 0;
};

}  // namespace

Text to_json(Heap& heap, const Value& value, const JsonStyle& style) {
  JsonWriter writer(heap, style);
  writer.write(value);
  heap.check_length(writer.out.size());
  return std::move(writer.out);
}

}  // namespace lamina::jinja
