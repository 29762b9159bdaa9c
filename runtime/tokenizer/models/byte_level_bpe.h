// ByteLevelBpe: byte-pair encoding by rank over the bytes of each piece of a pre-tokenizer.
//
// Tokens spell bytes in the alphabet of byte_alphabet.h. A byte that has no token is left out, as
// the models' own tokenizers do (openai/gpt-2, encoder.py; `tokenizer.ggml.model` gpt2).
//
// Most pieces are a token that merging their bytes would give: that is looked up first, and found
// out once for each token. Others are cut where no token spans two characters (character_pairs.h).
// Where merges go through ascending ranks and no token ends within a character, each character is
// merged before any of its neighbours could join it: its token is remembered.
#pragma once

#include "runtime/tokenizer/models/character_pairs.h"
#include "runtime/tokenizer/models/lazy_table.h"
#include "runtime/tokenizer/models/merge_table.h"
#include "runtime/tokenizer/patterns/pre_tokenizer.h"
#include "runtime/tokenizer/models/symbol_chain.h"
#include "runtime/tokenizer/vocabulary.h"
#include "runtime/tokenizer/models/word_cache.h"

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace lamina {

class ByteLevelBpe {
 public:
  /// `whole_words`: a piece that is a token is not merged from its bytes. The vocabulary must
  /// outlive this.
  ByteLevelBpe(const Vocabulary& vocabulary, MergeTable merges, PreTokenizer pre_tokenizer,
               bool whole_words);

  /// Appends the tokens of `text`, in which nothing special is looked for.
  void encode(std::string_view text, std::vector<Token>& out) const;

 private:
  struct Scratch {
    SymbolChain chain;
    SymbolChain character;
    WordCache& cache = WordCache::of_this_thread();
  };

  Token find(std::string_view bytes) const;
  bool merges_to(Token token, std::string_view bytes, SymbolChain& chain) const;
  Token character(std::string_view bytes, SymbolChain& chain) const;
  void append_bytes(std::string_view bytes, SymbolChain& chain) const;
  void merge(SymbolChain& chain) const;
  void encode_piece(std::string_view piece, Scratch& scratch, std::vector<Token>& out) const;
  void encode_part(std::string_view part, bool whole, Scratch& scratch,
                   std::vector<Token>& out) const;

  const Vocabulary* vocabulary_;
  PreTokenizer pre_tokenizer_;
  MergeTable merges_;
  bool whole_words_;
  std::size_t longest_ = 0;       // bytes of the longest token
  std::array<Token, 256> bytes_;  // the token of each byte; -1: none
  CharacterPairs pairs_;
  LazyTable<signed char> merged_;  // whether the bytes of a token merge to that token
  LazyTable<Token> characters_;    // the token a character merges to; -1: none
  WordCache::Owner pieces_ = WordCache::new_owner();
  WordCache::Owner parts_ = WordCache::new_owner();
};

}  // namespace lamina
