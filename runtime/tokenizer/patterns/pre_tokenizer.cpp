// One pattern after the other over the pieces.
#include "runtime/tokenizer/patterns/pre_tokenizer.h"

#include "runtime/tokenizer/patterns/regex_text.h"

#include <optional>

namespace lamina {

PreTokenizer::PreTokenizer(std::span<const std::string> passes) {
  for (const std::string& pattern : passes) {
    if (const PatternMatcher matcher = find_pattern_matcher(pattern)) {
      passes_.emplace_back(matcher);
    } else {
      passes_.emplace_back(PatternSearch({.text = pattern, .regex = true}));
    }
  }
}

std::vector<std::size_t> PreTokenizer::split(std::string_view text) const {
  if (text.empty()) return {};
  const std::optional<std::string> well_formed = well_formed_text(text);
  if (well_formed) text = *well_formed;
  std::vector<std::size_t> ends = {text.size()};
  std::vector<std::size_t> finer;
  for (const auto& pass : passes_) {
    finer.clear();
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
      const std::string_view piece = text.substr(begin, end - begin);
      if (const auto* matcher = std::get_if<PatternMatcher>(&pass)) {
        (*matcher)(piece, begin, finer);
      } else {
        for (const PatternSpan& span : std::get<PatternSearch>(pass).spans(piece)) {
          if (span.end > span.begin) finer.push_back(begin + span.end);
        }
      }
      begin = end;
    }
    ends.swap(finer);
  }
  return ends;
}

}  // namespace lamina
