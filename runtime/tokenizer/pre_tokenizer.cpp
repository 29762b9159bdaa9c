// One pattern after the other over the pieces.
#include "runtime/tokenizer/pre_tokenizer.h"

#include "runtime/tokenizer/utf8.h"

#include <optional>

namespace lamina {
namespace {

constexpr char substitute = '\x1A';  // neither letter, number, mark, punctuation, symbol nor space
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

/// A copy in which each byte that is not part of a character is a substitute; nothing where there
/// is no such byte.
std::optional<std::string> well_formed_copy(std::string_view text) {
  std::optional<std::string> copy;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = well_formed_length(text.substr(at));
    if (length == 0) {
      if (!copy) copy.emplace(text);
      (*copy)[at] = substitute;
    }
    at += length == 0 ? 1 : length;
  }
  return copy;
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
  for (const std::string& pattern : passes) passes_.emplace_back(spell_white_space(pattern));
}

std::vector<std::size_t> PreTokenizer::split(std::string_view text) const {
  if (text.empty()) return {};
  const std::optional<std::string> copy = well_formed_copy(text);
  if (copy) text = *copy;
  Regex::Scratch scratch;
  std::vector<std::size_t> ends = {text.size()};
  for (const Regex& pattern : passes_) {
    std::vector<std::size_t> finer;
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
      split_piece(pattern, scratch, text, {begin, end}, finer);
      begin = end;
    }
    ends = std::move(finer);
  }
  return ends;
}

}  // namespace lamina
