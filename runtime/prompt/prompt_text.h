// What can be said of a prompt's text without a model: counts, places, and how it is shown.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lamina {

struct TextCounts {
  std::size_t bytes = 0;
  std::size_t characters = 0;  // code points; a byte that is no UTF-8 counts as one
  std::size_t words = 0;       // what white space (Unicode's) separates
};

TextCounts count_text(std::string_view text);

/// Where a byte of a text stands, as people and as editors count.
struct TextPlace {
  std::size_t byte = 0;    // from 0
  std::size_t line = 1;    // from 1; lines end after '\n'
  std::size_t column = 1;  // from 1, in characters

  bool operator==(const TextPlace&) const = default;
};

TextPlace place_of(std::string_view text, std::size_t byte);

/// The text on one line with everything to be seen: a space as U+2423, line breaks and tabs as \n,
/// \r, \t, a backslash doubled, other controls and invisible characters as \u{200B}, bytes that are
/// no UTF-8 as \xFF.
std::string visible(std::string_view text);

/// White space other than space, tab and line break; controls; characters without width or that
/// turn the direction of writing (Unicode: Zs, Zl, Zp, Cc, Cf). Not those that join emoji or shape
/// letters (U+200C, U+200D).
bool is_invisible(char32_t code);

/// The code point of the well-formed character that `text` begins with.
char32_t first_code_point(std::string_view text);

}  // namespace lamina
