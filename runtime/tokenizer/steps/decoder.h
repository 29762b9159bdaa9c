// Decoder: the steps that make text of the texts of tokens.
//
// Each step means what the `decoder` of the same name in a tokenizer.json means to Hugging Face's
// tokenizers (tokenizers/src/decoders/): it makes a list of texts from a list of texts; a Sequence
// is its steps in order. The texts that are left are the result, one after the other.
#pragma once

#include "runtime/tokenizer/steps/sentence_piece_text.h"
#include "runtime/tokenizer/patterns/text_pattern.h"

#include <cstddef>
#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace lamina {

/// Characters of the byte alphabet to bytes, over all texts at once; a text with any other
/// character stands for itself.
struct ByteLevelDecoder {};

/// `replacement` to a space, but nothing in the first text where a space had been put in front.
struct MetaspaceDecoder {
  std::string replacement = "\xE2\x96\x81";  // one character
  bool prepended = true;
};

/// Texts that begin with `prefix` go on the word before them.
struct WordPieceDecoder {
  std::string prefix = "##";
  bool cleanup = true;  // of spaces before punctuation and English contractions
};

/// Texts <0xNN> to bytes; a run of them that is no UTF-8 becomes U+FFFD for each byte.
struct ByteFallback {};

/// All texts to one.
struct Fuse {};

struct ReplaceDecoder {
  TextPattern pattern;
  std::string content;
};

/// Removes up to `start` and `stop` times `content` from the ends of each text.
struct StripDecoder {
  std::string content = " ";  // one character
  std::size_t start = 0;
  std::size_t stop = 0;
};

/// `suffix` ends a word.
struct BpeDecoder {
  std::string suffix = "</w>";
};

/// Equal neighbours are one, the pad is nothing.
struct CtcDecoder {
  std::string pad_token = "<pad>";
  std::string word_delimiter_token = "|";
  bool cleanup = true;
};

using DecoderStep =
    std::variant<ByteLevelDecoder, MetaspaceDecoder, WordPieceDecoder, ByteFallback, Fuse,
                 ReplaceDecoder, StripDecoder, BpeDecoder, CtcDecoder, SentencePieceDecoder>;

/// Bytes that tokens spell and that are no UTF-8: U+FFFD in their place, as tokenizers has it, or
/// left as they are, for a stream that completes a character later.
enum class InvalidBytes { replaced, kept };

/// Immutable; may be used by several threads at once.
class Decoder {
 public:
  /// Throws where a step has a wrong pattern or a text that is not one character.
  explicit Decoder(std::vector<DecoderStep> steps = {},
                   InvalidBytes invalid = InvalidBytes::replaced);

  std::string decode(std::vector<std::string> token_texts) const;
  bool empty() const { return steps_.empty(); }

 private:
  std::vector<std::function<void(std::vector<std::string>&)>> steps_;
};

}  // namespace lamina
