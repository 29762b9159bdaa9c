// Repeated passages: stretches of words that stand in a text more than once.
//
// The text is read once from its start; wherever the next words have stood before, the passage that
// follows is as long as the two agree and do not overlap. Earlier words are found by a hash of each
// window of words, so that the time is that of reading the text. A word is a run of letters and
// digits; any other character that is not white space, and each ideograph, is a word of its own.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace lamina {

struct RepeatedPassage {
  std::size_t first = 0;           // byte where it stands first
  std::size_t length = 0;          // bytes, without white space around it
  std::vector<std::size_t> again;  // bytes where it stands again, ascending
};

/// Those of at least `least` words, the one that costs most bytes first. Words are compared without
/// the white space between them.
std::vector<RepeatedPassage> repeated_passages(std::string_view text, std::size_t least);

}  // namespace lamina
