// What Python's str methods do to texts.
#include "runtime/chat_template/jinja/values/text_functions.h"

#include "runtime/chat_template/jinja/values/search.h"
#include "runtime/unicode/utf8.h"

#include <algorithm>
#include <bit>
#include <string>

namespace lamina::jinja {
namespace {

/// Where the last character of text[0, end) begins.
std::size_t last_character(std::string_view text, std::size_t end) {
  do --end;
  while ((static_cast<unsigned char>(text[end]) & 0xC0u) == 0x80);
  return end;
}

std::vector<Text> split_at_spaces(Heap& heap, const Text& text, std::ptrdiff_t most) {
  std::vector<Text> parts;
  Characters at(text);
  for (;;) {
    while (!at.done() && is_space(at.code())) at.next();
    if (at.done()) return parts;
    const std::size_t begin = at.offset();
    if (most == 0) {
      parts.push_back(text.slice(begin, text.size()));
      return parts;
    }
    while (!at.done() && !is_space(at.code())) at.next();
    heap.check_items(parts.size() + 1);
    parts.push_back(text.slice(begin, at.offset()));
    --most;
  }
}

std::vector<Text> split_at_spaces_from_right(Heap& heap, const Text& text, std::ptrdiff_t most) {
  const std::string_view all = text.view();
  const auto is_space_before = [&](std::size_t end) {
    return is_space(decode_character(all.substr(last_character(all, end))));
  };
  std::vector<Text> parts;
  std::size_t end = all.size();
  for (;;) {
    while (end > 0 && is_space_before(end)) end = last_character(all, end);
    if (end == 0) break;
    if (most == 0) {
      parts.push_back(text.slice(0, end));
      break;
    }
    const std::size_t word_end = end;
    while (end > 0 && !is_space_before(end)) end = last_character(all, end);
    heap.check_items(parts.size() + 1);
    parts.push_back(text.slice(end, word_end));
    --most;
  }
  std::reverse(parts.begin(), parts.end());
  return parts;
}

std::vector<Text> split_from_right(Heap& heap, const Text& text, std::string_view separator,
                                   std::ptrdiff_t most) {
  const Search search(heap, separator, true);
  std::vector<Text> parts;
  std::size_t end = text.size();
  for (; most != 0; --most) {
    const std::size_t at = search.first(text.view().substr(0, end));
    if (at == std::string_view::npos) break;
    heap.check_items(parts.size() + 1);
    parts.push_back(text.slice(at + separator.size(), end));
    end = at;
  }
  parts.push_back(text.slice(0, end));
  std::reverse(parts.begin(), parts.end());
  return parts;
}

}  // namespace

Text stripped(Heap& heap, const Text& text, Side side, const Text* characters) {
  const std::string_view all = text.view();
  const auto goes = [&](std::size_t at, std::size_t end) {
    const std::string_view character = all.substr(at, end - at);
    heap.character_work(1 + (characters == nullptr ? 0 : characters->size()));
    return characters == nullptr ? is_space(decode_character(character))
                                 : characters->view().find(character) != all.npos;
  };
  std::size_t begin = 0, end = all.size();
  if (side != Side::right) {
    Characters at(text);
    while (!at.done() && goes(at.offset(), at.offset() + at.bytes().size())) at.next();
    begin = at.offset();
  }
  if (side != Side::left) {
    while (end > begin && goes(last_character(all, end), end)) end = last_character(all, end);
  }
  heap.work(end - begin);
  return text.slice(begin, end);
}

std::vector<Text> split(Heap& heap, const Text& text, const Text* separator, std::ptrdiff_t most,
                        bool from_right) {
  if (separator == nullptr) {
    heap.character_work(text.size());
    return from_right ? split_at_spaces_from_right(heap, text, most)
                      : split_at_spaces(heap, text, most);
  }
  if (separator->empty()) fail("empty separator");
  if (from_right) return split_from_right(heap, text, separator->view(), most);
  const Search search(heap, separator->view());
  std::vector<Text> parts;
  std::size_t begin = 0;
  for (; most != 0; --most) {
    const std::size_t size = search.first(text.view().substr(begin));
    if (size == std::string_view::npos) break;
    heap.check_items(parts.size() + 1);
    parts.push_back(text.slice(begin, begin + size));
    begin += size + separator->size();
  }
  parts.push_back(text.slice(begin, text.size()));
  return parts;
}

std::vector<Text> lines_of(Heap& heap, const Text& text, bool keep_ends) {
  heap.character_work(text.size());
  std::vector<Text> lines;
  std::size_t begin = 0;
  for (Characters at(text); !at.done();) {
    const std::size_t end = at.offset();
    const bool carriage = at.bytes() == "\r";
    const bool ends = is_line_end(at.code());
    at.next();
    if (!ends) continue;
    if (carriage && !at.done() && at.bytes() == "\n") at.next();
    heap.check_items(lines.size() + 1);
    lines.push_back(text.slice(begin, keep_ends ? at.offset() : end));
    begin = at.offset();
  }
  if (begin < text.size()) lines.push_back(text.slice(begin, text.size()));
  return lines;
}

Text replaced(Heap& heap, const Text& text, const Text& before, const Text& after,
              std::ptrdiff_t most) {
  heap.work(text.size());
  Text out;
  const auto put = [&](std::size_t begin, std::size_t end) {
    heap.touch(6);
    heap.check_length(out.size() + (end - begin) + after.size());
    out.append(text, begin, end);
  };
  std::size_t begin = 0;
  if (before.empty()) {
    // Before each character, and at the end.
    for (Characters at(text); most != 0; --most) {
      out.append(after);
      begin = at.offset();
      if (at.done()) break;
      put(begin, begin + at.bytes().size());
      at.next();
      begin = at.offset();
    }
  } else {
    const Search search(heap, before.view());
    for (; most != 0; --most) {
      const std::size_t size = search.first(text.view().substr(begin));
      if (size == std::string_view::npos) break;
      put(begin, begin + size);
      out.append(after);
      begin += size + before.size();
    }
  }
  put(begin, text.size());
  return out;
}

namespace {

/// Whether the sigma at `at` ends a word: a cased letter before it and none after, those that do
/// not count left aside.
bool is_final_sigma(const Text& text, std::size_t at) {
  const std::string_view all = text.view();
  bool before = false;
  for (std::size_t end = at; end > 0;) {
    end = last_character(all, end);
    const char32_t code = decode_character(all.substr(end));
    if (is_case_ignorable(code)) continue;
    before = is_cased(code);
    break;
  }
  if (!before) return false;
  Characters after(text, at);
  for (after.next(); !after.done(); after.next()) {
    if (!is_case_ignorable(after.code())) return !is_cased(after.code());
  }
  return true;
}

/// Appends the character at `offset` of `text` in another case.
void append_cased(std::string& out, const Text& text, std::size_t offset, char32_t code,
                  Case wanted) {
  if (wanted == Case::lower && code == 0x3A3) {
    out += is_final_sigma(text, offset) ? "\xCF\x82" : "\xCF\x83";
  } else {
    append_in_case(out, code, wanted);
  }
}

/// What `put(out, code, offset)` writes for each character, with its mark.
template <class Put>
Text mapped(Heap& heap, const Text& text, const Put& put) {
  heap.character_work(text.size());
  Text result;
  std::size_t offset = 0;
  std::string out;
  for (const TemplatePart& part : text.parts()) {
    out.clear();
    for (const std::size_t end = offset + part.text.size(); offset < end;) {
      const std::string_view rest = text.view().substr(offset);
      const char32_t code = decode_character(rest);
      put(out, code, offset);
      offset += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    }
    result.append(out, part.from_user);
  }
  return result;
}

}  // namespace

bool is_in_case(Heap& heap, const Text& text, bool lower) {
  heap.character_work(text.size());
  bool any = false;
  for (Characters at(text); !at.done(); at.next()) {
    const char32_t code = at.code();
    if (is_title(code) || (lower ? is_upper(code) : is_lower(code))) return false;
    any = any || (lower ? is_lower(code) : is_upper(code));
  }
  return any;
}

Text in_case(Heap& heap, const Text& text, Case wanted) {
  return mapped(heap, text, [&](std::string& out, char32_t code, std::size_t offset) {
    append_cased(out, text, offset, code, wanted);
  });
}

Text capitalized(Heap& heap, const Text& text) {
  return mapped(heap, text, [&](std::string& out, char32_t code, std::size_t offset) {
    append_cased(out, text, offset, code, offset == 0 ? Case::title : Case::lower);
  });
}

Text titled(Heap& heap, const Text& text) {
  bool within = false;
  return mapped(heap, text, [&](std::string& out, char32_t code, std::size_t offset) {
    append_cased(out, text, offset, code, within ? Case::lower : Case::title);
    within = is_cased(code);
  });
}

Text case_swapped(Heap& heap, const Text& text) {
  return mapped(heap, text, [&](std::string& out, char32_t code, std::size_t offset) {
    if (is_upper(code) || is_lower(code)) {
      append_cased(out, text, offset, code, is_upper(code) ? Case::lower : Case::upper);
    } else {
      append_utf8(out, code);
    }
  });
}

Text padded(Heap& heap, const Text& text, std::ptrdiff_t width, Side side, const Text& fill) {
  if (width <= 0 || static_cast<std::size_t>(width) <= text.length()) return text;
  const std::size_t missing = static_cast<std::size_t>(width) - text.length();
  heap.check_length(missing);
  heap.check_length(text.size() + missing * fill.size());
  std::size_t left = side == Side::left ? missing : 0;
  if (side == Side::both) left = missing / 2 + (missing & static_cast<std::size_t>(width) & 1);
  heap.work(2 * (text.size() + missing * fill.size()));
  Text out = repeated(heap, fill, left);
  out.append(text);
  out.append(repeated(heap, fill, missing - left));
  return out;
}

Text repeated(Heap& heap, const Text& text, std::size_t count) {
  heap.check_length(text.size() * count);
  heap.work(2 * text.size() * count);
  Text out;
  // From the highest bit of the count on, what is there is doubled.
  for (std::size_t bit = std::bit_floor(count); bit > 0; bit /= 2) {
    const Text half = out;
    out.append(half);
    if ((count & bit) != 0) out.append(text);
  }
  return out;
}

void Joined::add(const Text& part) {
  heap_.check_length(text_.size() + separator_.size() + part.size());
  heap_.touch(2);
  heap_.work(separator_.size() + part.size());
  if (std::exchange(begun_, true)) text_.append(separator_);
  text_.append(part);
}

std::size_t offset_of(Heap& heap, const Text& text, std::size_t index) {
  if (text.size() != text.length()) heap.character_work(std::min(index, text.size()));
  return text.offset(index);
}

Text joined(Heap& heap, const std::vector<Text>& parts, const Text& separator) {
  Joined out(heap, separator);
  for (const Text& part : parts) out.add(part);
  return out.take();
}

}  // namespace lamina::jinja
