// What a Regex is given instead of a text that is no UTF-8, or newer than PCRE2's Unicode.
//
// A byte that is part of no character counts as the control character U+001A. A character of which
// Unicode 14 knew another category, or none, is replaced by an older one of the same category,
// script (Han or not) and number of bytes; one that has no category yet by one that never will. So
// matches are those of unicode_classes.h, whichever version PCRE2 has, as far as a pattern does not
// name characters one by one.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lamina {

/// A text of the same size to search instead of `text`; nothing where that will do itself.
std::optional<std::string> regex_text(std::string_view text);

/// The same, but only what is no UTF-8 is replaced.
std::optional<std::string> well_formed_text(std::string_view text);

}  // namespace lamina
