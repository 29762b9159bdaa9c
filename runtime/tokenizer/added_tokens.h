// AddedTokens: the tokens that are found in a text as they stand, before it is encoded.
//
// The leftmost comes first and, of those that begin at one place, the longest. Where that one may
// not be taken it stays text, and the search goes on behind it: a special token where there are to
// be none, or one that has to be a word of its own and is not. A token may swallow the white space
// around it, but a token in that is found all the same, unless it would swallow to the left
// (huggingface/tokenizers, src/tokenizer/added_vocabulary.rs).
#pragma once

#include "lamina/core/types.h"

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lamina {

struct AddedToken {
  Token id = -1;
  std::string text;
  bool special = false;      // not looked for in literal text, left out of what decoding gives
  bool single_word = false;  // only where no letter, mark, digit or _ touches it
  bool left_strip = false;   // swallows the white space before it
  bool right_strip = false;  // swallows the white space after it
  bool normalized = false;   // looked for in the normalized text, in its own normalized form
};

/// A stretch of text: one added token, or text to encode.
struct Fragment {
  std::string_view text;
  Token token = -1;  // -1: text to encode
};

/// A stretch of a text: a special token is found only where it lies in one that allows it.
struct Section {
  std::size_t end = 0;  // bytes from the start of the text
  bool special = true;
};

class AddedTokens {
 public:
  /// Of tokens with the same text the first is found; an empty text is not.
  explicit AddedTokens(std::vector<AddedToken> tokens = {});

  /// The fragments of `text`, which the sections cover, in order; none of them is empty.
  std::vector<Fragment> split(std::string_view text, std::span<const Section> sections) const;

  bool empty() const { return tokens_.empty(); }

 private:
  const AddedToken* match(std::string_view text, std::size_t special_room) const;

  std::vector<AddedToken> tokens_;           // by text
  std::array<std::size_t, 257> by_first_{};  // where the texts of a first byte begin
};

}  // namespace lamina
