// Normalizer: the steps that change a text before it is cut into pieces.
//
// Each step means what the `normalizer` of the same name in a tokenizer.json means to Hugging
// Face's tokenizers (tokenizers/src/normalizers/); a Sequence is its steps in order. Bytes that are
// no UTF-8 pass through every step, as characters with no properties.
#pragma once

#include "runtime/tokenizer/steps/sentence_piece_text.h"
#include "runtime/tokenizer/patterns/text_pattern.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lamina {

/// Unicode normalization forms.
struct Nfc {};
struct Nfd {};
struct Nfkc {};
struct Nfkd {};

/// Each character to its full lowercase mapping.
struct Lowercase {};

/// Removes white space from the ends.
struct Strip {
  bool left = true;
  bool right = true;
};

/// Removes combining marks.
struct StripAccents {};

struct Replace {
  TextPattern pattern;
  std::string content;
};

/// Puts `text` before a text that is not empty.
struct Prepend {
  std::string text;
};

/// Which of a charsmap's rules apply where: see Charsmap.
enum class CharsmapMatching { clusters, longest };

struct Precompiled {
  std::string charsmap;  // decoded from base64; without rules where empty
  CharsmapMatching matching = CharsmapMatching::clusters;
};

/// What BERT does before it looks for words.
struct BertNormalizer {
  bool clean_text = true;             // controls removed, white space to spaces
  bool handle_chinese_chars = true;   // spaces around each
  std::optional<bool> strip_accents;  // as `lowercase` where it is not said
  bool lowercase = true;
};

/// The rules of SentencePiece's nmt beyond NFKC: controls removed, other spaces to spaces.
struct Nmt {};

/// Each byte to its character of the byte alphabet.
struct ByteLevelNormalizer {};

using NormalizerStep =
    std::variant<Nfc, Nfd, Nfkc, Nfkd, Lowercase, Strip, StripAccents, Replace, Prepend,
                 Precompiled, BertNormalizer, Nmt, ByteLevelNormalizer, SentencePieceNormalizer>;

/// Immutable; may be used by several threads at once.
class Normalizer {
 public:
  /// Throws where a step has a wrong pattern or charsmap.
  explicit Normalizer(std::vector<NormalizerStep> steps = {});

  std::string apply(std::string_view text) const;
  bool empty() const { return steps_.empty(); }

  /// Whether the result begins with something that the first character of `text` has become.
  bool keeps_start(std::string_view text) const;

  using Change = std::function<std::string(std::string_view)>;

  struct Step {
    Change change;
    /// Of a text, and what its first character has become so far: the text begins with that.
    std::function<void(std::string_view text, std::string& start)> change_start;
  };

 private:
  std::vector<Step> steps_;
};

}  // namespace lamina
