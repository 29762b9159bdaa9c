// ClassifiedText: the characters of a well-formed text with their classes, as patterns ask for
// them.
#pragma once

#include "runtime/unicode/unicode_classes.h"

#include <cstddef>
#include <string_view>

namespace lamina {

class ClassifiedText {
 public:
  struct Character {
    char32_t code = 0;
    CharacterSet sets = 0;  // none behind the end of the text
    std::size_t size = 0;   // bytes

    bool in(CharacterSet set) const { return (sets & set) != 0; }
  };

  /// The text must outlive this.
  explicit ClassifiedText(std::string_view text) : text_(text) {}

  std::size_t size() const { return text_.size(); }

  /// The byte at `at`; 0 behind the end.
  char byte(std::size_t at) const { return at < text_.size() ? text_[at] : '\0'; }

  /// The character whose first byte is at `at`.
  Character operator[](std::size_t at) const;

  /// The end of the characters of `set`, none of them of `without`, that begin at `at`.
  std::size_t run(std::size_t at, CharacterSet set, CharacterSet without = 0) const;

 private:
  std::string_view text_;
  const UnicodeClasses& classes_ = UnicodeClasses::instance();
};

inline ClassifiedText::Character ClassifiedText::operator[](std::size_t at) const {
  if (at >= text_.size()) return {};
  const auto bits = [&](std::size_t i) {
    return static_cast<char32_t>(static_cast<unsigned char>(text_[at + i]) & 0x3F);
  };
  const auto with_class = [&](char32_t code, std::size_t size) {
    return Character{code, classes_.sets(code), size};
  };
  const char32_t lead = static_cast<unsigned char>(text_[at]);
  if (lead < 0x80) return with_class(lead, 1);
  if (lead < 0xE0) return with_class((lead & 0x1F) << 6 | bits(1), 2);
  if (lead < 0xF0) return with_class((lead & 0xF) << 12 | bits(1) << 6 | bits(2), 3);
  return with_class((lead & 7) << 18 | bits(1) << 12 | bits(2) << 6 | bits(3), 4);
}

inline std::size_t ClassifiedText::run(std::size_t at, CharacterSet set,
                                       CharacterSet without) const {
  for (;;) {
    const Character character = (*this)[at];
    if (!character.in(set) || character.in(without)) return at;
    at += character.size;
  }
}

}  // namespace lamina
