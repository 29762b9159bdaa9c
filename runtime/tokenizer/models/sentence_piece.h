// SentencePiece: byte-pair encoding by score, over characters, with spaces as U+2581.
//
// Of all adjacent pairs that together are a token, the one of the highest score merges, the
// leftmost of equals; what spells a user-defined token becomes that token beforehand, and merges
// with nothing; characters that are no token become their bytes (google/sentencepiece, model types
// BPE and CHAR; `tokenizer.ggml.model` llama). Texts are cut where no token spans two characters
// (character_pairs.h), which is before most words.
#pragma once

#include "runtime/tokenizer/byte_trie.h"
#include "runtime/tokenizer/models/character_pairs.h"
#include "runtime/tokenizer/models/character_symbols.h"
#include "runtime/tokenizer/models/lazy_table.h"
#include "runtime/tokenizer/models/symbol_chain.h"
#include "runtime/tokenizer/vocabulary.h"
#include "runtime/tokenizer/models/word_cache.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace lamina {

class SentencePiece {
 public:
  /// The vocabulary has scores and must outlive this.
  SentencePiece(const Vocabulary& vocabulary, Token unknown);

  /// Appends the tokens of `text`, in which nothing special is looked for.
  void encode(std::string_view text, std::vector<Token>& out) const;

 private:
  /// Between user-defined tokens.
  void encode_part(std::string_view text, SymbolChain& chain, std::vector<Token>& out) const;
  void encode_word(std::string_view word, SymbolChain& chain, std::vector<Token>& out) const;
  void merge_characters(std::string_view word, SymbolChain& chain) const;
  std::optional<Merge> merge(std::string_view text, const Symbol& left, const Symbol& right) const;

  const Vocabulary* vocabulary_;
  CharacterSymbols characters_;
  std::vector<std::uint32_t> ranks_;  // of each token: ascending where scores descend
  std::size_t longest_ = 0;           // bytes of the longest token
  ByteTrie user_defined_;
  CharacterPairs pairs_;
  LazyTable<signed char> merged_;  // whether the characters of a token merge to that token
  WordCache::Owner words_ = WordCache::new_owner();
};

}  // namespace lamina
