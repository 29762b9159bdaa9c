// Properties of characters: utf8proc's data, and the few tables that it lacks.
//
// Unicode 14: UnicodeData.txt, PropList.txt (Other_Lowercase, Other_Uppercase), SpecialCasing.txt
// and CaseFolding.txt (status F).
#include "runtime/chat_template/jinja/values/python_characters.h"

#include "runtime/unicode/utf8.h"

#include <utf8proc.h>

#include <algorithm>
#include <iterator>

namespace lamina::jinja {
namespace {

struct Range {
  char32_t first, last;
};

// Digits that stand for themselves only: superscripts, circled ones.
constexpr Range other_digits[] = {
    {0xB2, 0xB3},       {0xB9, 0xB9},       {0x1369, 0x1371},   {0x19DA, 0x19DA},
    {0x2070, 0x2070},   {0x2074, 0x2079},   {0x2080, 0x2089},   {0x2460, 0x2468},
    {0x2474, 0x247C},   {0x2488, 0x2490},   {0x24EA, 0x24EA},   {0x24F5, 0x24FD},
    {0x24FF, 0x24FF},   {0x2776, 0x277E},   {0x2780, 0x2788},   {0x278A, 0x2792},
    {0x10A40, 0x10A43}, {0x10E60, 0x10E68}, {0x11052, 0x1105A}, {0x1F100, 0x1F10A}};
// Ideographs of numbers.
constexpr Range ideographic_numbers[] = {
    {0x3405, 0x3405},   {0x3483, 0x3483},   {0x382A, 0x382A},   {0x3B4D, 0x3B4D},
    {0x4E00, 0x4E00},   {0x4E03, 0x4E03},   {0x4E07, 0x4E07},   {0x4E09, 0x4E09},
    {0x4E5D, 0x4E5D},   {0x4E8C, 0x4E8C},   {0x4E94, 0x4E94},   {0x4E96, 0x4E96},
    {0x4EBF, 0x4EC0},   {0x4EDF, 0x4EDF},   {0x4EE8, 0x4EE8},   {0x4F0D, 0x4F0D},
    {0x4F70, 0x4F70},   {0x5104, 0x5104},   {0x5146, 0x5146},   {0x5169, 0x5169},
    {0x516B, 0x516B},   {0x516D, 0x516D},   {0x5341, 0x5341},   {0x5343, 0x5345},
    {0x534C, 0x534C},   {0x53C1, 0x53C4},   {0x56DB, 0x56DB},   {0x58F1, 0x58F1},
    {0x58F9, 0x58F9},   {0x5E7A, 0x5E7A},   {0x5EFE, 0x5EFF},   {0x5F0C, 0x5F0E},
    {0x5F10, 0x5F10},   {0x62FE, 0x62FE},   {0x634C, 0x634C},   {0x67D2, 0x67D2},
    {0x6F06, 0x6F06},   {0x7396, 0x7396},   {0x767E, 0x767E},   {0x8086, 0x8086},
    {0x842C, 0x842C},   {0x8CAE, 0x8CAE},   {0x8CB3, 0x8CB3},   {0x8D30, 0x8D30},
    {0x9621, 0x9621},   {0x9646, 0x9646},   {0x964C, 0x964C},   {0x9678, 0x9678},
    {0x96F6, 0x96F6},   {0xF96B, 0xF96B},   {0xF973, 0xF973},   {0xF978, 0xF978},
    {0xF9B2, 0xF9B2},   {0xF9D1, 0xF9D1},   {0xF9D3, 0xF9D3},   {0xF9FD, 0xF9FD},
    {0x20001, 0x20001}, {0x20064, 0x20064}, {0x200E2, 0x200E2}, {0x20121, 0x20121},
    {0x2092A, 0x2092A}, {0x20983, 0x20983}, {0x2098C, 0x2098C}, {0x2099C, 0x2099C},
    {0x20AEA, 0x20AEA}, {0x20AFD, 0x20AFD}, {0x20B19, 0x20B19}, {0x22390, 0x22390},
    {0x22998, 0x22998}, {0x23B1B, 0x23B1B}, {0x2626D, 0x2626D}, {0x2F890, 0x2F890}};
constexpr Range other_lower[] = {
    {0xAA, 0xAA},       {0xBA, 0xBA},       {0x2B0, 0x2B8},     {0x2C0, 0x2C1},    {0x2E0, 0x2E4},
    {0x345, 0x345},     {0x37A, 0x37A},     {0x1D2C, 0x1D6A},   {0x1D78, 0x1D78},  {0x1D9B, 0x1DBF},
    {0x2071, 0x2071},   {0x207F, 0x207F},   {0x2090, 0x209C},   {0x2170, 0x217F},  {0x24D0, 0x24E9},
    {0x2C7C, 0x2C7D},   {0xA69C, 0xA69D},   {0xA770, 0xA770},   {0xA7F8, 0xA7F9},  {0xAB5C, 0xAB5F},
    {0x10780, 0x10780}, {0x10783, 0x10785}, {0x10787, 0x107B0}, {0x107B2, 0x107BA}};
constexpr Range other_upper[] = {
    {0x2160, 0x216F}, {0x24B6, 0x24CF}, {0x1F130, 0x1F149}, {0x1F150, 0x1F169}, {0x1F170, 0x1F189}};

// Characters that become several in some case; 'İ' in lower case is the one more.
struct Special {
  char32_t code;
  const char8_t *upper, *title, *fold;
};
constexpr Special special_casing[] = {
    {0x00DF, u8"SS", u8"Ss", u8"ss"},
    {0x0130, u8"\u0130", u8"\u0130", u8"i\u0307"},
    {0x0149, u8"\u02BCN", u8"\u02BCN", u8"\u02BCn"},
    {0x01F0, u8"J\u030C", u8"J\u030C", u8"j\u030C"},
    {0x0390, u8"\u0399\u0308\u0301", u8"\u0399\u0308\u0301", u8"\u03B9\u0308\u0301"},
    {0x03B0, u8"\u03A5\u0308\u0301", u8"\u03A5\u0308\u0301", u8"\u03C5\u0308\u0301"},
    {0x0587, u8"\u0535\u0552", u8"\u0535\u0582", u8"\u0565\u0582"},
    {0x1E96, u8"H\u0331", u8"H\u0331", u8"h\u0331"},
    {0x1E97, u8"T\u0308", u8"T\u0308", u8"t\u0308"},
    {0x1E98, u8"W\u030A", u8"W\u030A", u8"w\u030A"},
    {0x1E99, u8"Y\u030A", u8"Y\u030A", u8"y\u030A"},
    {0x1E9A, u8"A\u02BE", u8"A\u02BE", u8"a\u02BE"},
    {0x1E9E, u8"\u1E9E", u8"\u1E9E", u8"ss"},
    {0x1F50, u8"\u03A5\u0313", u8"\u03A5\u0313", u8"\u03C5\u0313"},
    {0x1F52, u8"\u03A5\u0313\u0300", u8"\u03A5\u0313\u0300", u8"\u03C5\u0313\u0300"},
    {0x1F54, u8"\u03A5\u0313\u0301", u8"\u03A5\u0313\u0301", u8"\u03C5\u0313\u0301"},
    {0x1F56, u8"\u03A5\u0313\u0342", u8"\u03A5\u0313\u0342", u8"\u03C5\u0313\u0342"},
    {0x1F80, u8"\u1F08\u0399", u8"\u1F88", u8"\u1F00\u03B9"},
    {0x1F81, u8"\u1F09\u0399", u8"\u1F89", u8"\u1F01\u03B9"},
    {0x1F82, u8"\u1F0A\u0399", u8"\u1F8A", u8"\u1F02\u03B9"},
    {0x1F83, u8"\u1F0B\u0399", u8"\u1F8B", u8"\u1F03\u03B9"},
    {0x1F84, u8"\u1F0C\u0399", u8"\u1F8C", u8"\u1F04\u03B9"},
    {0x1F85, u8"\u1F0D\u0399", u8"\u1F8D", u8"\u1F05\u03B9"},
    {0x1F86, u8"\u1F0E\u0399", u8"\u1F8E", u8"\u1F06\u03B9"},
    {0x1F87, u8"\u1F0F\u0399", u8"\u1F8F", u8"\u1F07\u03B9"},
    {0x1F88, u8"\u1F08\u0399", u8"\u1F88", u8"\u1F00\u03B9"},
    {0x1F89, u8"\u1F09\u0399", u8"\u1F89", u8"\u1F01\u03B9"},
    {0x1F8A, u8"\u1F0A\u0399", u8"\u1F8A", u8"\u1F02\u03B9"},
    {0x1F8B, u8"\u1F0B\u0399", u8"\u1F8B", u8"\u1F03\u03B9"},
    {0x1F8C, u8"\u1F0C\u0399", u8"\u1F8C", u8"\u1F04\u03B9"},
    {0x1F8D, u8"\u1F0D\u0399", u8"\u1F8D", u8"\u1F05\u03B9"},
    {0x1F8E, u8"\u1F0E\u0399", u8"\u1F8E", u8"\u1F06\u03B9"},
    {0x1F8F, u8"\u1F0F\u0399", u8"\u1F8F", u8"\u1F07\u03B9"},
    {0x1F90, u8"\u1F28\u0399", u8"\u1F98", u8"\u1F20\u03B9"},
    {0x1F91, u8"\u1F29\u0399", u8"\u1F99", u8"\u1F21\u03B9"},
    {0x1F92, u8"\u1F2A\u0399", u8"\u1F9A", u8"\u1F22\u03B9"},
    {0x1F93, u8"\u1F2B\u0399", u8"\u1F9B", u8"\u1F23\u03B9"},
    {0x1F94, u8"\u1F2C\u0399", u8"\u1F9C", u8"\u1F24\u03B9"},
    {0x1F95, u8"\u1F2D\u0399", u8"\u1F9D", u8"\u1F25\u03B9"},
    {0x1F96, u8"\u1F2E\u0399", u8"\u1F9E", u8"\u1F26\u03B9"},
    {0x1F97, u8"\u1F2F\u0399", u8"\u1F9F", u8"\u1F27\u03B9"},
    {0x1F98, u8"\u1F28\u0399", u8"\u1F98", u8"\u1F20\u03B9"},
    {0x1F99, u8"\u1F29\u0399", u8"\u1F99", u8"\u1F21\u03B9"},
    {0x1F9A, u8"\u1F2A\u0399", u8"\u1F9A", u8"\u1F22\u03B9"},
    {0x1F9B, u8"\u1F2B\u0399", u8"\u1F9B", u8"\u1F23\u03B9"},
    {0x1F9C, u8"\u1F2C\u0399", u8"\u1F9C", u8"\u1F24\u03B9"},
    {0x1F9D, u8"\u1F2D\u0399", u8"\u1F9D", u8"\u1F25\u03B9"},
    {0x1F9E, u8"\u1F2E\u0399", u8"\u1F9E", u8"\u1F26\u03B9"},
    {0x1F9F, u8"\u1F2F\u0399", u8"\u1F9F", u8"\u1F27\u03B9"},
    {0x1FA0, u8"\u1F68\u0399", u8"\u1FA8", u8"\u1F60\u03B9"},
    {0x1FA1, u8"\u1F69\u0399", u8"\u1FA9", u8"\u1F61\u03B9"},
    {0x1FA2, u8"\u1F6A\u0399", u8"\u1FAA", u8"\u1F62\u03B9"},
    {0x1FA3, u8"\u1F6B\u0399", u8"\u1FAB", u8"\u1F63\u03B9"},
    {0x1FA4, u8"\u1F6C\u0399", u8"\u1FAC", u8"\u1F64\u03B9"},
    {0x1FA5, u8"\u1F6D\u0399", u8"\u1FAD", u8"\u1F65\u03B9"},
    {0x1FA6, u8"\u1F6E\u0399", u8"\u1FAE", u8"\u1F66\u03B9"},
    {0x1FA7, u8"\u1F6F\u0399", u8"\u1FAF", u8"\u1F67\u03B9"},
    {0x1FA8, u8"\u1F68\u0399", u8"\u1FA8", u8"\u1F60\u03B9"},
    {0x1FA9, u8"\u1F69\u0399", u8"\u1FA9", u8"\u1F61\u03B9"},
    {0x1FAA, u8"\u1F6A\u0399", u8"\u1FAA", u8"\u1F62\u03B9"},
    {0x1FAB, u8"\u1F6B\u0399", u8"\u1FAB", u8"\u1F63\u03B9"},
    {0x1FAC, u8"\u1F6C\u0399", u8"\u1FAC", u8"\u1F64\u03B9"},
    {0x1FAD, u8"\u1F6D\u0399", u8"\u1FAD", u8"\u1F65\u03B9"},
    {0x1FAE, u8"\u1F6E\u0399", u8"\u1FAE", u8"\u1F66\u03B9"},
    {0x1FAF, u8"\u1F6F\u0399", u8"\u1FAF", u8"\u1F67\u03B9"},
    {0x1FB2, u8"\u1FBA\u0399", u8"\u1FBA\u0345", u8"\u1F70\u03B9"},
    {0x1FB3, u8"\u0391\u0399", u8"\u1FBC", u8"\u03B1\u03B9"},
    {0x1FB4, u8"\u0386\u0399", u8"\u0386\u0345", u8"\u03AC\u03B9"},
    {0x1FB6, u8"\u0391\u0342", u8"\u0391\u0342", u8"\u03B1\u0342"},
    {0x1FB7, u8"\u0391\u0342\u0399", u8"\u0391\u0342\u0345", u8"\u03B1\u0342\u03B9"},
    {0x1FBC, u8"\u0391\u0399", u8"\u1FBC", u8"\u03B1\u03B9"},
    {0x1FC2, u8"\u1FCA\u0399", u8"\u1FCA\u0345", u8"\u1F74\u03B9"},
    {0x1FC3, u8"\u0397\u0399", u8"\u1FCC", u8"\u03B7\u03B9"},
    {0x1FC4, u8"\u0389\u0399", u8"\u0389\u0345", u8"\u03AE\u03B9"},
    {0x1FC6, u8"\u0397\u0342", u8"\u0397\u0342", u8"\u03B7\u0342"},
    {0x1FC7, u8"\u0397\u0342\u0399", u8"\u0397\u0342\u0345", u8"\u03B7\u0342\u03B9"},
    {0x1FCC, u8"\u0397\u0399", u8"\u1FCC", u8"\u03B7\u03B9"},
    {0x1FD2, u8"\u0399\u0308\u0300", u8"\u0399\u0308\u0300", u8"\u03B9\u0308\u0300"},
    {0x1FD3, u8"\u0399\u0308\u0301", u8"\u0399\u0308\u0301", u8"\u03B9\u0308\u0301"},
    {0x1FD6, u8"\u0399\u0342", u8"\u0399\u0342", u8"\u03B9\u0342"},
    {0x1FD7, u8"\u0399\u0308\u0342", u8"\u0399\u0308\u0342", u8"\u03B9\u0308\u0342"},
    {0x1FE2, u8"\u03A5\u0308\u0300", u8"\u03A5\u0308\u0300", u8"\u03C5\u0308\u0300"},
    {0x1FE3, u8"\u03A5\u0308\u0301", u8"\u03A5\u0308\u0301", u8"\u03C5\u0308\u0301"},
    {0x1FE4, u8"\u03A1\u0313", u8"\u03A1\u0313", u8"\u03C1\u0313"},
    {0x1FE6, u8"\u03A5\u0342", u8"\u03A5\u0342", u8"\u03C5\u0342"},
    {0x1FE7, u8"\u03A5\u0308\u0342", u8"\u03A5\u0308\u0342", u8"\u03C5\u0308\u0342"},
    {0x1FF2, u8"\u1FFA\u0399", u8"\u1FFA\u0345", u8"\u1F7C\u03B9"},
    {0x1FF3, u8"\u03A9\u0399", u8"\u1FFC", u8"\u03C9\u03B9"},
    {0x1FF4, u8"\u038F\u0399", u8"\u038F\u0345", u8"\u03CE\u03B9"},
    {0x1FF6, u8"\u03A9\u0342", u8"\u03A9\u0342", u8"\u03C9\u0342"},
    {0x1FF7, u8"\u03A9\u0342\u0399", u8"\u03A9\u0342\u0345", u8"\u03C9\u0342\u03B9"},
    {0x1FFC, u8"\u03A9\u0399", u8"\u1FFC", u8"\u03C9\u03B9"},
    {0xFB00, u8"FF", u8"Ff", u8"ff"},
    {0xFB01, u8"FI", u8"Fi", u8"fi"},
    {0xFB02, u8"FL", u8"Fl", u8"fl"},
    {0xFB03, u8"FFI", u8"Ffi", u8"ffi"},
    {0xFB04, u8"FFL", u8"Ffl", u8"ffl"},
    {0xFB05, u8"ST", u8"St", u8"st"},
    {0xFB06, u8"ST", u8"St", u8"st"},
    {0xFB13, u8"\u0544\u0546", u8"\u0544\u0576", u8"\u0574\u0576"},
    {0xFB14, u8"\u0544\u0535", u8"\u0544\u0565", u8"\u0574\u0565"},
    {0xFB15, u8"\u0544\u053B", u8"\u0544\u056B", u8"\u0574\u056B"},
    {0xFB16, u8"\u054E\u0546", u8"\u054E\u0576", u8"\u057E\u0576"},
    {0xFB17, u8"\u0544\u053D", u8"\u0544\u056D", u8"\u0574\u056D"}};

template <std::size_t size>
bool within(const Range (&ranges)[size], char32_t code) {
  const auto after = std::upper_bound(std::begin(ranges), std::end(ranges), code,
                                      [](char32_t c, const Range& r) { return c < r.first; });
  return after != std::begin(ranges) && code <= std::prev(after)->last;
}

int category(char32_t code) { return utf8proc_category(static_cast<utf8proc_int32_t>(code)); }

template <class... Categories>
bool is_one_of(char32_t code, Categories... categories) {
  const int found = category(code);
  return ((found == categories) || ...);
}

const Special* special(char32_t code) {
  const auto found = std::lower_bound(std::begin(special_casing), std::end(special_casing), code,
                                      [](const Special& row, char32_t c) { return row.code < c; });
  return found != std::end(special_casing) && found->code == code ? &*found : nullptr;
}

}  // namespace

bool is_space(char32_t code) {
  if (code < 0x80) return (code >= 9 && code <= 13) || (code >= 0x1C && code <= 0x20);
  return code == 0x85 || code == 0x2028 || code == 0x2029 || is_one_of(code, UTF8PROC_CATEGORY_ZS);
}

bool is_line_end(char32_t code) {
  return (code >= 10 && code <= 13) || (code >= 0x1C && code <= 0x1E) || code == 0x85 ||
         code == 0x2028 || code == 0x2029;
}

bool is_letter(char32_t code) {
  return is_one_of(code, UTF8PROC_CATEGORY_LU, UTF8PROC_CATEGORY_LL, UTF8PROC_CATEGORY_LT,
                   UTF8PROC_CATEGORY_LM, UTF8PROC_CATEGORY_LO);
}

bool is_decimal(char32_t code) { return is_one_of(code, UTF8PROC_CATEGORY_ND); }

bool is_digit(char32_t code) { return is_decimal(code) || within(other_digits, code); }

bool is_numeric(char32_t code) {
  return is_one_of(code, UTF8PROC_CATEGORY_ND, UTF8PROC_CATEGORY_NL, UTF8PROC_CATEGORY_NO) ||
         within(ideographic_numbers, code);
}

bool is_printable(char32_t code) {
  return code == ' ' ||
         !is_one_of(code, UTF8PROC_CATEGORY_CC, UTF8PROC_CATEGORY_CF, UTF8PROC_CATEGORY_CS,
                    UTF8PROC_CATEGORY_CO, UTF8PROC_CATEGORY_CN, UTF8PROC_CATEGORY_ZL,
                    UTF8PROC_CATEGORY_ZP, UTF8PROC_CATEGORY_ZS);
}

bool is_upper(char32_t code) {
  return is_one_of(code, UTF8PROC_CATEGORY_LU) || within(other_upper, code);
}

bool is_lower(char32_t code) {
  return is_one_of(code, UTF8PROC_CATEGORY_LL) || within(other_lower, code);
}

bool is_title(char32_t code) { return is_one_of(code, UTF8PROC_CATEGORY_LT); }

bool is_cased(char32_t code) { return is_upper(code) || is_lower(code) || is_title(code); }

bool is_case_ignorable(char32_t code) {
  static constexpr char32_t middle[] = {0x27,   0x2E,   0x3A,   0xB7,   0x387,  0x55F,
                                        0x5F4,  0x2018, 0x2019, 0x2024, 0x2027, 0xFE13,
                                        0xFE52, 0xFE55, 0xFF07, 0xFF0E, 0xFF1A};
  return is_one_of(code, UTF8PROC_CATEGORY_MN, UTF8PROC_CATEGORY_ME, UTF8PROC_CATEGORY_CF,
                   UTF8PROC_CATEGORY_LM, UTF8PROC_CATEGORY_SK) ||
         std::binary_search(std::begin(middle), std::end(middle), code);
}

bool is_name_start(char32_t code) {
  return code == '_' || is_letter(code) || is_one_of(code, UTF8PROC_CATEGORY_NL);
}

bool is_name_part(char32_t code) {
  return is_name_start(code) || code == 0xB7 || code == 0x387 ||
         is_one_of(code, UTF8PROC_CATEGORY_ND, UTF8PROC_CATEGORY_MN, UTF8PROC_CATEGORY_MC,
                   UTF8PROC_CATEGORY_PC);
}

int decimal_value(char32_t code) {
  if (code < 0x80) return static_cast<int>(code) - '0';
  // Digits come in runs of ten, or of several tens, that start with a zero.
  char32_t zero = code;
  while (is_decimal(zero - 1)) --zero;
  return static_cast<int>(code - zero) % 10;
}

void append_in_case(std::string& out, char32_t code, Case wanted) {
  if (code < 0x80) {
    const bool up = wanted == Case::upper || wanted == Case::title;
    const bool changes = up ? code >= 'a' && code <= 'z' : code >= 'A' && code <= 'Z';
    out += static_cast<char>(changes ? code ^ 0x20u : code);
    return;
  }
  const auto here = static_cast<utf8proc_int32_t>(code);
  if (wanted == Case::lower) {
    append_utf8(out, code == 0x130 ? U'i' : static_cast<char32_t>(utf8proc_tolower(here)));
    if (code == 0x130) append_utf8(out, 0x307);
    return;
  }
  if (const Special* row = special(code)) {
    const char8_t* text = wanted == Case::upper   ? row->upper
                          : wanted == Case::title ? row->title
                                                  : row->fold;
    out += reinterpret_cast<const char*>(text);
    return;
  }
  if (wanted == Case::fold) {
    utf8proc_int32_t folded[4];
    int last = 0;
    const auto size = utf8proc_decompose_char(here, folded, 4, UTF8PROC_CASEFOLD, &last);
    append_utf8(out, size == 1 ? static_cast<char32_t>(folded[0]) : code);
    return;
  }
  const auto changed = wanted == Case::upper ? utf8proc_toupper(here) : utf8proc_totitle(here);
  append_utf8(out, static_cast<char32_t>(changed));
}

}  // namespace lamina::jinja
