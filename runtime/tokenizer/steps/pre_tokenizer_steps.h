// PreTokenizerSteps: cuts a text into the pieces that a model encodes one by one.
//
// Each step means what the `pre_tokenizer` of the same name in a tokenizer.json means to Hugging
// Face's tokenizers (tokenizers/src/pre_tokenizers/); a Sequence is its steps in order, each of
// which cuts every piece left by the one before it. Steps may also change or drop text. Bytes that
// are no UTF-8 are characters with no properties.
#pragma once

#include "runtime/tokenizer/steps/split_behavior.h"
#include "runtime/tokenizer/patterns/text_pattern.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lamina {

struct Split {
  TextPattern pattern;
  SplitBehavior behavior = SplitBehavior::isolated;
  bool invert = false;  // what does not match is the delimiter
};

/// Words by GPT-2's pattern, then each byte to its character of the byte alphabet.
struct ByteLevelSplit {
  bool add_prefix_space = true;  // to every piece that does not begin with one
  bool use_regex = true;
};

enum class PrependScheme { always, first, never };

/// Spaces become `replacement`, one is put in front, and pieces begin with it.
struct Metaspace {
  std::string replacement = "\xE2\x96\x81";  // one character
  PrependScheme prepend_scheme = PrependScheme::always;
  bool split = true;
};

struct Digits {
  bool individual_digits = false;
};

struct Punctuation {
  SplitBehavior behavior = SplitBehavior::isolated;
};

/// \w+|[^\w\s]+ are the pieces.
struct Whitespace {};

struct WhitespaceSplit {};

/// White space is removed, each punctuation mark is a piece.
struct BertPreTokenizer {};

/// Cuts where the script changes; Hiragana, Katakana and Han count as one.
struct UnicodeScripts {};

struct CharDelimiterSplit {
  std::string delimiter;  // one character
};

struct FixedLength {
  std::size_t length = 5;  // characters
};

using PreTokenizerStep =
    std::variant<Split, ByteLevelSplit, Metaspace, Digits, Punctuation, Whitespace, WhitespaceSplit,
                 BertPreTokenizer, UnicodeScripts, CharDelimiterSplit, FixedLength>;

/// Pieces of text, none of them empty.
struct Pieces {
  std::string text;               // all of them, one after the other
  std::vector<std::size_t> ends;  // where each ends in `text`
};

class PieceList;  // pieces while steps cut them

/// Immutable; may be used by several threads at once.
class PreTokenizerSteps {
 public:
  /// Throws where a step has a wrong pattern, a delimiter that is not one character, or length 0.
  explicit PreTokenizerSteps(std::vector<PreTokenizerStep> steps = {});

  /// `first_section`: `text` begins with what the input began with, for PrependScheme::first.
  Pieces apply(std::string_view text, bool first_section = true) const;
  bool empty() const { return steps_.empty(); }

 private:
  std::vector<std::function<void(PieceList&)>> steps_;
};

}  // namespace lamina
