// Spaces as SentencePiece writes them: U+2581, a lower one eighth block, in text and tokens.
#pragma once

#include <string>
#include <string_view>

namespace lamina {

constexpr std::string_view space_mark = "\xE2\x96\x81";  // U+2581

/// Appends `text` with each space as a mark.
void append_marked(std::string& out, std::string_view text);

/// Appends `text` with each mark as a space; a mark that was in a text to begin with becomes one
/// too.
void append_unmarked(std::string& out, std::string_view text);

}  // namespace lamina
