// CodePointSet: the characters that a step of a tokenizer removes, changes or cuts at.
//
// Exactly those of Hugging Face's tokenizers, whose steps know different versions of Unicode; see
// unicode_classes.h for what its patterns know.
#pragma once

#include <string_view>
#include <vector>

namespace lamina {

class CodePointSet {
 public:
  /// See code_point_runs.cpp.
  explicit CodePointSet(std::string_view runs);

  bool contains(char32_t code) const;

 private:
  std::vector<char32_t> bounds_;  // where a run begins, where it ends, and so on; ascending
};

namespace code_points {
const CodePointSet& combining_marks();   // of StripAccents: Mn, Mc and Me of Unicode 9
const CodePointSet& nonspacing_marks();  // of BertNormalizer: Mn of Unicode 8
const CodePointSet& controls();     // of BertNormalizer: Cc, Cf and Co, of Unicode 8, and U+FFFD
const CodePointSet& punctuation();  // P of Unicode 8, and the symbols of ASCII
const CodePointSet& numbers();      // Nd, Nl and No of Unicode 17
const CodePointSet& composing();    // what normalization forms change, of Unicode 9
}  // namespace code_points

/// A number for each script of UnicodeScripts, to which Hiragana, Katakana and Han are one; 0 where
/// there is none, and for the space.
unsigned script_number(char32_t code);

namespace code_point_runs {
extern const std::string_view combining_marks, nonspacing_marks, controls, punctuation, numbers,
    composing, scripts;
}  // namespace code_point_runs

}  // namespace lamina
