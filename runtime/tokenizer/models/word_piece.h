// WordPiece: a word as the longest token it begins with, then the longest that goes on, to its end.
//
// A word that cannot be spelled so, or is longer than a limit, is one unknown token (Schuster and
// Nakajima 2012; google-research/bert, tokenization.py). Tokens that go on carry a prefix, `##`;
// in GGUF (`tokenizer.ggml.model` bert) those that begin a word carry U+2581 and others nothing.
#pragma once

#include "runtime/tokenizer/byte_trie.h"
#include "runtime/tokenizer/vocabulary.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lamina {

struct WordPieceOptions {
  Token unknown = -1;                            // -1: none
  std::string continuing_subword_prefix = "##";  // of tokens that go on
  std::string word_prefix;                       // of tokens that begin a word
  std::size_t max_characters = 100;              // a longer word is unknown
};

class WordPiece {
 public:
  /// The first `model_size` tokens of the vocabulary are the model's; later ones are never found.
  WordPiece(const Vocabulary& vocabulary, Token model_size, const WordPieceOptions& options);

  /// Appends the tokens of `word`. Throws where it cannot be spelled and there is no unknown token.
  void encode(std::string_view word, std::vector<Token>& out) const;

 private:
  bool spell(std::string_view word, std::vector<Token>& out) const;

  ByteTrie trie_;
  ByteTrie::Node beginning_;   // where the search for a token starts
  ByteTrie::Node continuing_;  // the same after the first
  Token unknown_;
  std::size_t max_characters_;
};

}  // namespace lamina
