// Digits in groups of three, counted from the right: 1 234 567.
//
// What published patterns say with look-aheads to the end of the number at each group; here each
// number is read once.
#pragma once

#include "runtime/tokenizer/patterns/pattern_matcher.h"

#include <string_view>

namespace lamina {

/// The matcher of one of these patterns; null for any other.
/// \d{1,3}(?=(?:\d{3})*\b): numbers that no letter follows.
/// \p{N}{1,3}(?=(?:\p{N}{3})*(?!\p{N})): all numbers.
/// (?=(\d{3})+(?!\d)): the places between groups; what is before a group stays together.
PatternMatcher find_digit_groups(std::string_view pattern);

}  // namespace lamina
