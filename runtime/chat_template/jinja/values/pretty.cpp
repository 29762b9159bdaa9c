// pprint.pformat: what fits into 80 columns stays on a line; else each part gets one.
#include "runtime/chat_template/jinja/values/pretty.h"

#include "runtime/chat_template/jinja/values/operations.h"
#include "runtime/chat_template/jinja/values/python_text.h"
#include "runtime/chat_template/jinja/values/text_functions.h"

#include <algorithm>
#include <string>

namespace lamina::jinja {
namespace {

constexpr std::size_t page = 80;

/// Order of keys; of those that Python cannot compare, the order of their types.
bool before(Heap& heap, const Value& left, const Value& right) {
  try {
    return less(heap, left, right);
  } catch (const TemplateFault& fault) {
    if (fault.kind != TemplateFault::Kind::ordinary) throw;
    return type_name(left) < type_name(right);
  }
}

/// The value with the keys of every dict in it sorted.
Value sorted(Heap& heap, const Value& value, std::size_t depth = 0) {
  if (depth > most_nested_values) fail_limit("values nested too deep");
  heap.step();
  if (const List* list = value.as<List>()) {
    Values items;
    for (const Value& item : list->items) items.push_back(sorted(heap, item, depth + 1));
    return std::make_shared<List>(heap, std::move(items), list->kind);
  }
  const Dict* dict = value.as<Dict>();
  if (dict == nullptr) return value;
  auto entries = dict->entries();
  std::stable_sort(entries.begin(), entries.end(),
                   [&](const auto& a, const auto& b) { return before(heap, a.first, b.first); });
  const auto result = heap.dict();
  for (const auto& [key, each] : entries) result->set(key, sorted(heap, each, depth + 1));
  return result;
}

class Pretty {
 public:
  explicit Pretty(Heap& heap) : heap_(heap) {}

  void write(const Value& value, std::size_t indent, std::size_t allowance) {
    const Deeper deeper(depth_, most_nested_values, "values");
    heap_.check_length(out.size());
    const Text whole = repr(heap_, value);
    const String* text = value.string();
    const List* list = value.as<List>();
    if (whole.length() + indent + allowance <= page) {
      out.append(whole);
    } else if (const Dict* dict = value.as<Dict>()) {
      write_dict(*dict, indent, allowance + 1);
    } else if (list != nullptr) {
      const bool tuple = list->kind == Object::Kind::tuple;
      const std::string close = !tuple ? "]" : list->items.size() == 1 ? ",)" : ")";
      out.append(tuple ? "(" : "[");
      write_items(list->items, indent + 1, allowance + close.size());
      out.append(close);
    } else if (text != nullptr && !text->markup && !text->text.empty()) {
      write_text(text->text, indent, allowance);
    } else {
      out.append(whole);
    }
  }

  Text out;

 private:
  void new_line(std::size_t indent) {
    heap_.check_length(out.size() + indent);
    heap_.work(indent);
    out.append("\n" + std::string(indent, ' '));
  }

  void write_dict(const Dict& dict, std::size_t indent, std::size_t allowance) {
    out.append("{");
    std::size_t left = dict.size();
    for (const auto& [key, value] : dict.entries()) {
      const Text name = repr(heap_, key);
      out.append(name);
      out.append(": ");
      write(value, indent + 1 + name.length() + 2, --left == 0 ? allowance : 1);
      if (left == 0) break;
      out.append(",");
      new_line(indent + 1);
    }
    out.append("}");
  }

  void write_items(const Values& items, std::size_t indent, std::size_t allowance) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i > 0) {
        out.append(",");
        new_line(indent);
      }
      write(items[i], indent, i + 1 == items.size() ? allowance : 1);
    }
  }

  /// The reprs of the pieces that a long text is cut into.
  std::vector<Text> chunks_of(const Text& text, std::size_t indent, std::size_t allowance) {
    std::vector<Text> chunks;
    heap_.character_work(text.size());
    const std::vector<Text> lines = lines_of(heap_, text, true);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::size_t last = i + 1 == lines.size() ? allowance : 0;
      const Text whole = repr_of_text(lines[i]);
      if (whole.length() + indent + last <= page) {
        chunks.push_back(whole);
        continue;
      }
      add_words(chunks, lines[i], indent, last);
    }
    return chunks;
  }

  void add_words(std::vector<Text>& chunks, const Text& line, std::size_t indent,
                 std::size_t allowance) {
    Text current;
    for (std::size_t begin = 0; begin < line.size();) {
      Characters at(line, begin);
      while (!at.done() && !is_space(at.code())) at.next();
      while (!at.done() && is_space(at.code())) at.next();
      const Text part = line.slice(begin, at.offset());
      begin = at.offset();
      heap_.step();
      heap_.character_work(2 * (part.size() + current.size()));
      Text candidate = current;
      candidate.append(part);
      const std::size_t taken = begin >= line.size() ? indent + allowance : indent;
      if (repr_of_text(candidate).length() + taken > page) {
        if (!current.empty()) chunks.push_back(repr_of_text(current));
        current = part;
      } else {
        current = std::move(candidate);
      }
    }
    if (!current.empty()) chunks.push_back(repr_of_text(current));
  }

  void write_text(const Text& text, std::size_t indent, std::size_t allowance) {
    const bool outermost = depth_ == 1;
    if (outermost) {
      ++indent;
      ++allowance;
    }
    const std::vector<Text> chunks = chunks_of(text, indent, allowance);
    if (chunks.size() == 1) return out.append(repr_of_text(text));
    if (outermost) out.append("(");
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      if (i > 0) new_line(indent);
      out.append(chunks[i]);
    }
    if (outermost) out.append(")");
  }

  Heap& heap_;
  std::size_t depth_ = 0;
};

}  // namespace

Text pretty_text(Heap& heap, const Value& value) {
  Pretty pretty(heap);
  pretty.write(sorted(heap, value), 0, 0);
  return std::move(pretty.out);
}

}  // namespace lamina::jinja
