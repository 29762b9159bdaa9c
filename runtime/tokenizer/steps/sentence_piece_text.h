// SentencePiece's own rules of text: what it does before its models see a text, and how it joins
// the tokens again.
//
// Before: rules of a charsmap, spaces as U+2581, extra ones dropped, one put in front (or behind);
// what spells a user-defined token stays as it is (google/sentencepiece, normalizer.cc). After:
// U+2581 to spaces, without those that were put in front, and bytes to characters
// (sentencepiece_processor.cc). Bytes that are no UTF-8 stay, where SentencePiece has U+FFFD.
#pragma once

#include "runtime/tokenizer/byte_trie.h"
#include "runtime/tokenizer/steps/charsmap.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lamina {

/// A step of a Normalizer.
struct SentencePieceNormalizer {
  std::string charsmap;             // without rules where empty
  bool add_dummy_prefix = true;     // a space in front
  bool remove_extra_spaces = true;  // at both ends, and all but one elsewhere
  bool space_as_suffix = false;     // the space that is put in front stands behind
  std::vector<std::string> user_defined;
};

/// A step of a Decoder: the texts of all tokens to one.
struct SentencePieceDecoder {
  bool add_dummy_prefix = true;  // as encoded
  bool remove_extra_spaces = true;
  bool byte_fallback = false;   // <0xNN> is a byte
  std::string unknown;          // the text of the unknown token; empty: none
  std::string unknown_surface;  // what it becomes
};

class SentencePieceRewriter {
 public:
  /// Throws where the charsmap is damaged.
  explicit SentencePieceRewriter(const SentencePieceNormalizer& rules);

  std::string apply(std::string_view text) const;

 private:
  /// The start of a text: so many bytes of it, and what they become.
  struct Start {
    std::size_t length = 0;
    std::string_view becomes;
  };

  Start start_of(std::string_view text) const;
  void remove_leading_spaces(std::string_view& text) const;

  std::optional<Charsmap> charsmap_;
  ByteTrie user_defined_;
  bool add_dummy_prefix_;
  bool remove_extra_spaces_;
  bool space_as_suffix_;
};

/// Makes one text of `texts`. Bytes that are no UTF-8 become U+FFFD each, or stay if
/// `keep_invalid`.
void join_sentence_pieces(const SentencePieceDecoder& rules, std::vector<std::string>& texts,
                          bool keep_invalid);

}  // namespace lamina
