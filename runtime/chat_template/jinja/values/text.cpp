// Text of a template's strings, and UTF-8 that is known to be well formed.
#include "runtime/chat_template/jinja/values/text.h"

#include "runtime/unicode/utf8.h"

#include <algorithm>

namespace lamina::jinja {
namespace {

std::size_t bytes_of_character(char lead) {
  const auto byte = static_cast<unsigned char>(lead);
  return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

}  // namespace

std::size_t count_characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0u) != 0x80;
  }));
}

char32_t decode_character(std::string_view text) {
  const std::size_t size = bytes_of_character(text[0]);
  char32_t code = static_cast<unsigned char>(text[0]);
  if (size > 1) code &= 0x7Fu >> size;
  for (std::size_t i = 1; i < size; ++i) {
    code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3Fu);
  }
  return code;
}

std::size_t first_malformed(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = well_formed_length(text.substr(at));
    if (length == 0) return at;
    at += length;
  }
  return std::string_view::npos;
}

std::size_t Text::offset(std::size_t index) const {
  if (index >= length_) return bytes_.size();
  if (length_ == bytes_.size()) return index;
  std::size_t at = 0;
  for (; index > 0; --index) at += bytes_of_character(bytes_[at]);
  return at;
}

bool Text::from_user(std::size_t offset) const {
  const auto passed = std::upper_bound(switches_.begin(), switches_.end(), offset);
  return (passed - switches_.begin()) % 2 != 0;
}

void Text::append(std::string_view bytes, bool from_user) {
  if (bytes.empty()) return;
  const bool now = switches_.size() % 2 != 0;
  if (now != from_user) {
    if (!switches_.empty() && switches_.back() == bytes_.size()) {
      switches_.pop_back();
    } else {
      switches_.push_back(bytes_.size());
    }
  }
  bytes_ += bytes;
  length_ += count_characters(bytes);
}

void Text::append(const Text& other, std::size_t begin, std::size_t end) {
  const std::string_view all = other.bytes_;
  auto next = std::upper_bound(other.switches_.begin(), other.switches_.end(), begin);
  bool user = (next - other.switches_.begin()) % 2 != 0;
  while (begin < end) {
    const std::size_t stop = next == other.switches_.end() ? end : std::min(*next++, end);
    append(all.substr(begin, stop - begin), user);
    begin = stop;
    user = !user;
  }
}

Text Text::slice(std::size_t begin, std::size_t end) const {
  Text result;
  result.append(*this, begin, end);
  return result;
}

std::vector<TemplatePart> Text::parts() const {
  std::vector<TemplatePart> result;
  std::size_t begin = 0;
  bool user = false;
  const auto add = [&](std::size_t end) {
    if (end > begin) result.push_back({bytes_.substr(begin, end - begin), user});
    begin = end;
    user = !user;
  };
  for (const std::size_t end : switches_) add(end);
  add(bytes_.size());
  return result;
}

std::string_view Characters::bytes() const {
  return text_.view().substr(at_, bytes_of_character(text_.view()[at_]));
}

char32_t Characters::code() const { return decode_character(text_.view().substr(at_)); }

}  // namespace lamina::jinja
