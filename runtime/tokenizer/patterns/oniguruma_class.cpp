// Brackets where they do, alternatives where they do not; names of properties.
#include "runtime/tokenizer/patterns/oniguruma_class.h"

#include "runtime/unicode/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <utility>

namespace lamina {
namespace {

using Names = std::pair<std::string_view, std::string_view>;

/// General categories by their long names.
constexpr std::array categories = {
    Names{"letter", "L"},
    Names{"uppercaseletter", "Lu"},
    Names{"lowercaseletter", "Ll"},
    Names{"titlecaseletter", "Lt"},
    Names{"modifierletter", "Lm"},
    Names{"otherletter", "Lo"},
    Names{"mark", "M"},
    Names{"nonspacingmark", "Mn"},
    Names{"spacingmark", "Mc"},
    Names{"enclosingmark", "Me"},
    Names{"number", "N"},
    Names{"decimalnumber", "Nd"},
    Names{"letternumber", "Nl"},
    Names{"othernumber", "No"},
    Names{"punctuation", "P"},
    Names{"connectorpunctuation", "Pc"},
    Names{"dashpunctuation", "Pd"},
    Names{"openpunctuation", "Ps"},
    Names{"closepunctuation", "Pe"},
    Names{"initialpunctuation", "Pi"},
    Names{"finalpunctuation", "Pf"},
    Names{"otherpunctuation", "Po"},
    Names{"symbol", "S"},
    Names{"mathsymbol", "Sm"},
    Names{"currencysymbol", "Sc"},
    Names{"modifiersymbol", "Sk"},
    Names{"othersymbol", "So"},
    Names{"separator", "Z"},
    Names{"spaceseparator", "Zs"},
    Names{"lineseparator", "Zl"},
    Names{"paragraphseparator", "Zp"},
    Names{"other", "C"},
    Names{"control", "Cc"},
    Names{"format", "Cf"},
    Names{"unassigned", "Cn"},
    Names{"privateuse", "Co"},
};

/// Properties that PCRE2 has by these names.
constexpr std::array properties = {
    Names{"alpha", "Alphabetic"},
    Names{"alphabetic", "Alphabetic"},
    Names{"upper", "Uppercase"},
    Names{"uppercase", "Uppercase"},
    Names{"lower", "Lowercase"},
    Names{"lowercase", "Lowercase"},
    Names{"space", "White_Space"},
    Names{"whitespace", "White_Space"},
    Names{"digit", "Nd"},
    Names{"any", "Any"},
    Names{"emoji", "Emoji"},
    Names{"emojipresentation", "Emoji_Presentation"},
    Names{"ideographic", "Ideographic"},
    Names{"extendedpictographic", "Extended_Pictographic"},
};

constexpr std::string_view scripts[] = {
    "arabic",   "armenian",  "bengali",   "bopomofo", "common",   "cyrillic", "devanagari",
    "ethiopic", "georgian",  "greek",     "gujarati", "gurmukhi", "han",      "hangul",
    "hebrew",   "hiragana",  "inherited", "kannada",  "katakana", "khmer",    "lao",
    "latin",    "malayalam", "mongolian", "myanmar",  "oriya",    "sinhala",  "tamil",
    "telugu",   "thai",      "tibetan",
};

/// As names are compared: letters only, without case.
std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    if (c == ' ' || c == '_' || c == '-') continue;
    plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return plain;
}

template <class Table>
std::string_view found_in(const Table& table, std::string_view name) {
  const auto entry = std::find_if(table.begin(), table.end(),
                                  [&](const Names& names) { return names.first == name; });
  return entry == table.end() ? std::string_view() : entry->second;
}

/// The short name of a category, whichever way it is written; empty where it is none.
std::string_view category_name(std::string_view name) {
  for (const auto& [text, category] : categories) {
    if (name == text || name == plain_name(category)) return category;
  }
  return {};
}

}  // namespace

void append_literal(std::string& out, char32_t code) {
  const bool alphanumeric =
      (code >= '0' && code <= '9') || (code >= 'A' && code <= 'Z') || (code >= 'a' && code <= 'z');
  if (code < 0x20 || code == 0x7F) {
    out += fmt::format("\\x{{{:X}}}", static_cast<unsigned>(code));
    return;
  }
  if (code < 0x80 && !alphanumeric) out += '\\';
  append_utf8(out, code);
}

void PatternClass::add_excluded(std::string_view items) {
  others_.push_back(fmt::format("[^{}]", items));
}

void PatternClass::add_code(char32_t code) { append_literal(items_, code); }

void PatternClass::add_range(char32_t first, char32_t last) {
  append_literal(items_, first);
  items_ += '-';
  append_literal(items_, last);
}

void PatternClass::add(const PatternClass& other) {
  if (other.negated_) {
    others_.push_back(other.expression());
    return;
  }
  items_ += other.items_;
  others_.insert(others_.end(), other.others_.begin(), other.others_.end());
}

PatternClass PatternClass::common(const std::vector<PatternClass>& parts) {
  if (parts.size() == 1) return parts[0];
  std::string all;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) all += "(?=" + parts[i].expression() + ")";
  PatternClass result;
  result.others_.push_back("(?:" + all + parts.back().expression() + ")");
  return result;
}

std::string PatternClass::expression() const {
  if (others_.empty()) return (negated_ ? "[^" : "[") + items_ + "]";
  std::string any = items_.empty() ? "" : "[" + items_ + "]";
  for (const std::string& other : others_) any += (any.empty() ? "" : "|") + other;
  if (negated_) return "(?:(?!" + any + ")(?s:.))";
  return "(?:" + any + ")";
}

PatternProperty pattern_property(std::string_view name, bool negated) {
  if (!name.empty() && name[0] == '^') {
    negated = !negated;
    name.remove_prefix(1);
  }
  const std::string plain = plain_name(name);
  std::string found(category_name(plain));
  bool follows_case = found.empty() || found[0] == 'L' || found[0] == 'M';
  if (found.empty()) {
    found = found_in(properties, plain);
    follows_case = found != "White_Space" && found != "Nd" && found != "Any";
  }
  if (found.empty() &&
      std::find(std::begin(scripts), std::end(scripts), plain) != std::end(scripts)) {
    found = "sc:" + plain;
  }
  if (found.empty()) return {};
  return {fmt::format("\\{}{{{}}}", negated ? 'P' : 'p', found), follows_case};
}

std::string_view posix_items(std::string_view name) {
  constexpr std::array known = {
      Names{"alpha", R"(\p{Alphabetic})"},  Names{"alnum", R"(\p{Alphabetic}\p{Nd})"},
      Names{"digit", pattern_items::digit}, Names{"lower", R"(\p{Lowercase})"},
      Names{"punct", R"(\p{P}\p{S})"},      Names{"space", pattern_items::white},
      Names{"upper", R"(\p{Uppercase})"},   Names{"word", pattern_items::word_in_class},
      Names{"xdigit", pattern_items::hex},
  };
  return found_in(known, name);
}

}  // namespace lamina
