// One pattern after the other over the pieces.
#include "runtime/tokenizer/pre_tokenizer.h"

#include "runtime/tokenizer/regex_text.h"

#include <optional>

namespace lamina {
namespace {

// PCRE2's own \s also has U+180E, which lost the property White_Space in Unicode 6.3.
constexpr std::string_view white_space =
    R"(\x09-\x0D\x20\x85\xA0\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000})";

/// The pattern with \s and \S written out as classes of characters.
std::string spell_white_space(std::string_view pattern) {
  std::string out;
  bool in_class = false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '\\') {
      const std::string_view escape = pattern.substr(i++, 2);
      if (escape == "\\s") {
        out += in_class ? std::string(white_space) : "[" + std::string(white_space) + "]";
      } else if (escape == "\\S") {
        out += "[^" + std::string(white_space) + "]";
      } else {
        out += escape;
      }
      continue;
    }
    if (pattern[i] == '[') in_class = true;
    if (pattern[i] == ']') in_class = false;
    out += pattern[i];
  }
  return out;
}

/// Appends the ends of the pieces that `pattern` makes of text[begin, end).
void split_piece(const Regex& pattern, Regex::Scratch& scratch, std::string_view text,
                 RegexMatch piece, std::vector<std::size_t>& ends) {
  const std::string_view part = text.substr(piece.begin, piece.end - piece.begin);
  std::size_t at = 0;
  while (at < part.size()) {
    const auto match = pattern.find(part, at, scratch);
    if (!match) break;
    if (match->begin > at) ends.push_back(piece.begin + match->begin);
    ends.push_back(piece.begin + match->end);
    at = match->end;
  }
  if (at < part.size()) ends.push_back(piece.end);
}

}  // namespace

PreTokenizer::PreTokenizer(std::span<const std::string> passes) {
  for (const std::string& pattern : passes) {
    if (const PatternMatcher matcher = find_pattern_matcher(pattern)) {
      passes_.emplace_back(matcher);
    } else {
      passes_.emplace_back(Regex(spell_white_space(pattern)));
      has_regex_ = true;
    }
  }
}

std::vector<std::size_t> PreTokenizer::split(std::string_view text) const {
  if (text.empty()) return {};
  const std::optional<std::string> well_formed = well_formed_text(text);
  if (well_formed) text = *well_formed;
  std::optional<std::string> for_regex;
  if (has_regex_) for_regex = regex_text(text);
  const std::string_view searched = for_regex ? std::string_view(*for_regex) : text;
  Regex::Scratch scratch;
  std::vector<std::size_t> ends = {text.size()};
  for (const auto& pass : passes_) {
    std::vector<std::size_t> finer;
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
      if (const auto* matcher = std::get_if<PatternMatcher>(&pass)) {
        (*matcher)(text.substr(begin, end - begin), begin, finer);
      } else {
        split_piece(std::get<Regex>(pass), scratch, searched, {begin, end}, finer);
      }
      begin = end;
    }
    ends = std::move(finer);
  }
  return ends;
}

}  // namespace lamina
