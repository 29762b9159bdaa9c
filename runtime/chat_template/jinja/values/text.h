// Text of a template's strings: UTF-8 in which each byte knows whether it came from the user.
//
// Every Text holds well-formed UTF-8; lengths and positions that templates see count characters
// (code points), as Python's str does.
#pragma once

#include "runtime/chat_template/chat_template.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lamina::jinja {

class Text {
 public:
  Text() = default;
  explicit Text(std::string_view bytes, bool from_user = false) { append(bytes, from_user); }

  std::string_view view() const { return bytes_; }
  std::size_t size() const { return bytes_.size(); }
  bool empty() const { return bytes_.empty(); }
  /// Bytes of memory, those of the parts() counted that it will become.
  std::size_t weight() const { return size() + switches_.size() * sizeof(TemplatePart); }
  /// Characters.
  std::size_t length() const { return length_; }
  /// The byte at which character `index` begins; the size where there are not so many.
  std::size_t offset(std::size_t index) const;
  /// Whether the byte at `offset` came from the user.
  bool from_user(std::size_t offset) const;
  /// Whether any byte did.
  bool any_from_user() const { return !switches_.empty(); }

  void append(std::string_view bytes, bool from_user = false);
  void append(const Text& other) { append(other, 0, other.size()); }
  /// Appends the bytes [begin, end) of `other` with their marks.
  void append(const Text& other, std::size_t begin, std::size_t end);
  /// The bytes [begin, end).
  Text slice(std::size_t begin, std::size_t end) const;
  void reserve(std::size_t bytes) { bytes_.reserve(bytes); }

  std::vector<TemplatePart> parts() const;

 private:
  std::string bytes_;
  std::size_t length_ = 0;
  // Ascending; at each the mark changes. Before the first, nothing is from the user.
  std::vector<std::size_t> switches_;
};

/// The characters of a text, one after the other.
class Characters {
 public:
  explicit Characters(const Text& text, std::size_t at = 0) : text_(text), at_(at) {}
  bool done() const { return at_ >= text_.size(); }
  std::size_t offset() const { return at_; }
  /// The bytes of the character here.
  std::string_view bytes() const;
  char32_t code() const;
  bool from_user() const { return text_.from_user(at_); }
  void next() { at_ += bytes().size(); }

 private:
  const Text& text_;
  std::size_t at_;
};

/// Characters of well-formed UTF-8.
std::size_t count_characters(std::string_view text);
/// The code point of the character at the start of well-formed UTF-8.
char32_t decode_character(std::string_view text);
/// Where the first byte that is no UTF-8 lies; npos where all is well.
std::size_t first_malformed(std::string_view text);

}  // namespace lamina::jinja
