// Literals are found as bytes, expressions by PCRE2.
#include "runtime/tokenizer/patterns/text_pattern.h"

#include "runtime/tokenizer/patterns/oniguruma_pattern.h"
#include "runtime/tokenizer/patterns/regex_text.h"
#include "runtime/unicode/utf8.h"

namespace lamina {
namespace {

/// All matches of `find(from)`, one after the other, and what lies between them.
template <class Find>
std::vector<PatternSpan> collect(std::string_view text, Find find) {
  std::vector<PatternSpan> spans;
  std::size_t from = 0;
  std::size_t end = 0;  // of the last match
  bool found = false;   // whether there was one
  while (from <= text.size()) {
    const std::optional<RegexMatch> match = find(from);
    if (!match) break;
    if (match->begin == match->end && found && match->end == end) {
      from += from == text.size() ? 1 : character_length(text.substr(from));
      continue;
    }
    if (match->begin > end) spans.push_back({end, match->begin, false});
    spans.push_back({match->begin, match->end, true});
    from = end = match->end;
    found = true;
  }
  if (end < text.size()) spans.push_back({end, text.size(), false});
  return spans;
}

/// Whether it has properties that versions of Unicode disagree about.
bool names_properties(std::string_view pattern) {
  for (std::size_t at = pattern.find("{"); at != std::string_view::npos;
       at = pattern.find("{", at + 1)) {
    const std::string_view before = pattern.substr(0, at);
    const bool property = before.ends_with("\\p") || before.ends_with("\\P");
    if (property && !pattern.substr(at).starts_with("{White_Space}")) return true;
  }
  return false;
}

}  // namespace

PatternSearch::PatternSearch(const TextPattern& pattern) {
  if (pattern.regex) {
    const std::string translated = pcre2_pattern(pattern.text);
    regex_.emplace(translated, pattern.text);
    has_properties_ = names_properties(translated);
  } else {
    literal_ = pattern.text;
  }
}

std::vector<PatternSpan> PatternSearch::spans(std::string_view text) const {
  if (text.empty()) return {PatternSpan{}};
  if (!regex_) {
    return collect(text, [&](std::size_t from) -> std::optional<RegexMatch> {
      const std::size_t found = text.find(literal_, from);
      if (found == std::string_view::npos) return std::nullopt;
      return RegexMatch{found, found + literal_.size()};
    });
  }
  thread_local Regex::Scratch scratch;
  const auto copy = has_properties_ ? regex_text(text) : well_formed_text(text);
  const std::string_view searched = copy ? std::string_view(*copy) : text;
  return collect(searched,
                 [&](std::size_t from) { return regex_->find_any(searched, from, scratch); });
}

std::string PatternSearch::replaced(std::string_view text, std::string_view content) const {
  std::string out;
  for (const PatternSpan& span : spans(text)) {
    out += span.match ? content : text.substr(span.begin, span.end - span.begin);
  }
  return out;
}

}  // namespace lamina
