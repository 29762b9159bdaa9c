// Numbers and strings as a template writes them.
#pragma once

#include "runtime/chat_template/jinja/values/value.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace lamina::jinja {

/// Bytes of the number at `at`; 0 where there is none.
std::size_t number_length(std::string_view text, std::size_t at);
/// Throws SyntaxFault where an int has more than 128 bits.
Value number_value(std::string_view text, int line);

/// Bytes of the quoted string that `text` starts with; 0 where it starts with none.
std::size_t string_length(std::string_view text);
/// What the inside of a string means: Python's escapes. Throws SyntaxFault.
std::string unescaped(std::string_view inside, int line);

}  // namespace lamina::jinja
