// TextModel: a model behind its pre-tokenizer, as a definition puts them together.
//
// Where the pre-tokenizer only cuts text and then spells bytes in the byte alphabet, and the model
// is byte-pair encoding, both are done on the bytes themselves (byte_level_bpe.h), which gives the
// same tokens.
#pragma once

#include "runtime/tokenizer/models/byte_level_bpe.h"
#include "runtime/tokenizer/models/character_bpe.h"
#include "runtime/tokenizer/definition.h"
#include "runtime/tokenizer/steps/pre_tokenizer_steps.h"
#include "runtime/tokenizer/models/sentence_piece.h"
#include "runtime/tokenizer/models/unigram.h"
#include "runtime/tokenizer/models/word_level.h"
#include "runtime/tokenizer/models/word_piece.h"

#include <string_view>
#include <variant>
#include <vector>

namespace lamina {

class TextModel {
 public:
  /// Takes what it needs from `definition`; the vocabulary must outlive this.
  TextModel(const Vocabulary& vocabulary, TokenizerDefinition& definition);

  /// Appends the tokens of normalized text. `first`: it begins with what the input began with.
  void encode(std::string_view text, bool first, std::vector<Token>& out) const;

  /// Whether `first` makes a difference.
  bool asks_for_first() const { return asks_for_first_; }

 private:
  using Model =
      std::variant<ByteLevelBpe, CharacterBpe, SentencePiece, Unigram, WordPiece, WordLevel>;

  static Model make_model(const Vocabulary& vocabulary, TokenizerDefinition& definition);

  Model model_;
  PreTokenizerSteps steps_;
  bool asks_for_first_;
  bool space_prefix_ = false;  // a text that does not begin with a space gets one
};

}  // namespace lamina
