// CharacterBpe: byte-pair encoding by rank over the characters of a piece.
//
// What becomes of a character without a token, and how the first and last character of a piece are
// spelled, is that of huggingface/tokenizers (src/models/bpe/model.rs), by the options of a
// definition. Where every character becomes tokens whatever stands beside it, a piece is cut where
// no token spans two characters (character_pairs.h); else, where no merge joins what comes before a
// U+2581 to it, words are encoded one by one. Both give the same tokens.
#pragma once

#include "runtime/tokenizer/models/character_pairs.h"
#include "runtime/tokenizer/definition.h"
#include "runtime/tokenizer/models/merge_table.h"
#include "runtime/tokenizer/models/symbol_chain.h"
#include "runtime/tokenizer/vocabulary.h"
#include "runtime/tokenizer/models/word_cache.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace lamina {

class CharacterBpe {
 public:
  /// The first `model_size` tokens of the vocabulary, which must outlive this, are the model's.
  CharacterBpe(const Vocabulary& vocabulary, Token model_size, BpeOptions options);

  /// Appends the tokens of `piece`. Throws where it has a character without a token and the unknown
  /// token is missing.
  void encode(std::string_view piece, std::vector<Token>& out) const;

 private:
  Token find(std::string_view text) const;
  Token find_character(std::string_view character, bool first, bool last) const;
  bool append_bytes(std::string_view text, SymbolChain& chain) const;
  void add_unknown(std::size_t size, std::size_t& run, SymbolChain& chain) const;
  void start(SymbolChain& chain, std::string_view piece) const;
  void merge_word(SymbolChain& chain, std::string_view word, std::vector<Token>& out) const;
  bool words_begin_with_space_mark() const;
  bool characters_are_independent() const;

  const Vocabulary* vocabulary_;
  Token model_size_;
  BpeOptions options_;
  MergeTable merges_;
  std::array<Token, 128> ascii_;
  bool affixes_;  // of the first or last character
  bool by_word_ = false;
  std::optional<CharacterPairs> pairs_;  // where a piece may be cut by them
  WordCache::Owner parts_ = WordCache::new_owner();
};

}  // namespace lamina
