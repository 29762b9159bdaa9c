// Base64 (RFC 4648, section 4): three bytes as four characters, the last padded with `=`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lamina {

/// The bytes; nothing where `text` has a wrong length, a character outside the alphabet, wrong
/// padding, or bits that no byte takes.
std::optional<std::string> decode_base64(std::string_view text);

}  // namespace lamina
