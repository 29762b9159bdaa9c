// PreTokenizer: cuts a text into the pieces within which byte-pair encoding merges.
//
// A sequence of patterns: each cuts every piece left by the one before it; what it matches and what
// lies between matches become pieces. Nothing is lost. The text may be any bytes: one that is no
// UTF-8 counts as the control character U+001A, one for each byte. The classes of characters are
// those of unicode_classes.h. Where a pattern has a matcher of its own (pattern_matcher.h), that
// finds the pieces; others are searched for as Split does (text_pattern.h).
#pragma once

#include "runtime/tokenizer/patterns/pattern_matcher.h"
#include "runtime/tokenizer/patterns/text_pattern.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lamina {

/// What `tokenizer.ggml.pre` names.
struct PreTokenizerPreset {
  std::vector<std::string_view> names;
  std::vector<std::string> passes;  // patterns, in order
  bool whole_words = false;         // a piece that is a token is not merged from its bytes
  bool add_bos = false;             // where the file does not say
};

/// All presets.
std::span<const PreTokenizerPreset> pre_tokenizer_presets();

/// The preset of `name`; throws an Error that lists the known names where there is none.
const PreTokenizerPreset& pre_tokenizer_preset(std::string_view name);

class PreTokenizer {
 public:
  explicit PreTokenizer(std::span<const std::string> passes);

  /// The ends of the pieces, in bytes, ascending; the last is the size of the text.
  std::vector<std::size_t> split(std::string_view text) const;

 private:
  std::vector<std::variant<PatternMatcher, PatternSearch>> passes_;
};

}  // namespace lamina
