// PatternMatcher: the pieces that one pattern makes of a text, without a regular-expression engine.
//
// For the patterns of word_rules.h and digit_groups.h. Time is linear in the text, memory constant;
// classes of characters are those of unicode_classes.h.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace lamina {

/// Appends the end of each piece of `part`, plus `offset`: what the pattern matches and what lies
/// between matches. `part` must be well-formed UTF-8.
using PatternMatcher = void (*)(std::string_view part, std::size_t offset,
                                std::vector<std::size_t>& ends);

/// The matcher of `pattern`, however it is spelled; null where it is not one of these.
PatternMatcher find_pattern_matcher(std::string_view pattern);

}  // namespace lamina
