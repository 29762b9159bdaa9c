// Properties of characters as Python's str methods know them: what is a space, a letter or a digit,
// and what a character becomes in upper, lower and title case.
//
// Unicode's data by way of utf8proc; the mappings to several characters are those of
// SpecialCasing.txt.
#pragma once

#include <string>
#include <string_view>

namespace lamina::jinja {

bool is_space(char32_t code);      // str.isspace: also separates words in split() and strip()
bool is_line_end(char32_t code);   // str.splitlines, but for \r\n being one
bool is_letter(char32_t code);     // str.isalpha
bool is_decimal(char32_t code);    // str.isdecimal
bool is_digit(char32_t code);      // str.isdigit
bool is_numeric(char32_t code);    // str.isnumeric
bool is_printable(char32_t code);  // str.isprintable: what repr() leaves as it is
bool is_upper(char32_t code);
bool is_lower(char32_t code);
bool is_title(char32_t code);
bool is_cased(char32_t code);
bool is_case_ignorable(char32_t code);
bool is_name_start(char32_t code);  // may begin an identifier
bool is_name_part(char32_t code);   // may continue one
int decimal_value(char32_t code);   // of a decimal

enum class Case { upper, lower, title, fold };
/// Appends what `code` becomes. A final sigma is the caller's.
void append_in_case(std::string& out, char32_t code, Case wanted);

}  // namespace lamina::jinja
