// ByteAlphabet: the 256 printable characters by which byte-level vocabularies spell bytes.
//
// The bytes 21..7E, A1..AC and AE..FF stand for themselves as code points; the other 68, in
// ascending order, are U+0100..U+0143, so that a space is U+0120 (openai/gpt-2, encoder.py,
// bytes_to_unicode).
#pragma once

#include <string>
#include <string_view>

namespace lamina {

/// The UTF-8 of the character that spells `byte`.
std::string_view byte_symbol(unsigned char byte);

/// Appends the spelling of `bytes`.
void append_spelled(std::string& out, std::string_view bytes);

/// Appends the bytes that `spelling` stands for; false, with nothing appended, where a character is
/// outside the alphabet.
bool append_unspelled(std::string& out, std::string_view spelling);

}  // namespace lamina
