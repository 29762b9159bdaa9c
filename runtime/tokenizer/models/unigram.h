// Unigram: the most likely cut of a text into tokens, by the sum of their log probabilities.
//
// Viterbi's algorithm over the bytes: of all ways to reach a place the best is kept, of equals the
// first found (Kudo 2018, arXiv:1804.10959; google/sentencepiece, unigram_model.cc). A character
// that is no token may be passed as an unknown one, for the lowest score less 10. The originals
// differ in what they call a token, in how they round sums and in what unknown characters become;
// each is followed, so that the tokens are equal.
#pragma once

#include "runtime/tokenizer/byte_trie.h"
#include "runtime/tokenizer/vocabulary.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace lamina {

/// Whose rules hold.
enum class UnigramRules {
  /// google/sentencepiece 0.2.3: normal tokens, and user-defined ones by their length; sums as
  /// floats, which begin anew from 0 where they pass 100000.
  sentence_piece,
  /// ggml-org/llama.cpp, `tokenizer.ggml.model` t5: the same tokens, but user-defined ones score 0;
  /// sums as floats.
  gguf,
  /// huggingface/tokenizers: every token of the model but control tokens; sums as doubles.
  tokenizers,
};

struct UnigramOptions {
  Token unknown = -1;          // -1: none
  bool byte_fallback = false;  // unknown characters become tokens <0xNN>
  UnigramRules rules = UnigramRules::tokenizers;
};

class Unigram {
 public:
  /// `scores` has one number for each token of the model, which come first in the vocabulary: later
  /// ones are never found. The vocabulary must outlive this.
  Unigram(const Vocabulary& vocabulary, std::span<const double> scores, UnigramOptions options);

  /// Appends the tokens of `piece`. Throws where it has an unknown character and there is neither
  /// an unknown token nor a token for each byte.
  void encode(std::string_view piece, std::vector<Token>& out) const;

 private:
  /// The best way to one place: its score, and the last token of it.
  struct Best {
    double score = 0;
    std::uint32_t begin = 0;  // of the last token
    Token token = unreached;
  };
  struct Span;  // a token, or unknown text
  static constexpr Token unreached = -2;
  static constexpr Token unknown_character = -1;

  void add_tokens();
  double score_of(Token token, std::size_t size) const;
  double rounded(double sum) const;
  void offer(Best& best, double sum, std::size_t begin, Token token) const;
  std::size_t extend(std::string_view piece, std::size_t begin, std::vector<Best>& best) const;
  void reset(std::size_t begin, std::size_t end, std::vector<Best>& best) const;
  void append_unknown(std::string_view text, std::vector<Token>& out) const;
  bool append_bytes(std::string_view text, std::vector<Token>& out) const;

  const Vocabulary* vocabulary_;
  UnigramOptions options_;
  std::vector<double> scores_;
  ByteTrie trie_;
  double unknown_score_ = 0;
};

}  // namespace lamina
