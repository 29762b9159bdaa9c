// TokenizerDefinition: everything a tokenizer's file says, whatever form the file has.
//
// The parts are those of Hugging Face's tokenizers (github.com/huggingface/tokenizers): added
// tokens are found first; what lies between them is normalized, cut into pieces, and encoded by the
// model; prefix and suffix are put around it. Decoding goes through the steps of the decoder.
// Loaders make a definition: gguf_tokenizer.h, tokenizer_json.h, sentence_piece_model.h,
// tiktoken.h.
#pragma once

#include "lamina/core/types.h"
#include "runtime/tokenizer/added_tokens.h"
#include "runtime/tokenizer/steps/decoder.h"
#include "runtime/tokenizer/models/merge_table.h"
#include "runtime/tokenizer/steps/normalizer.h"
#include "runtime/tokenizer/steps/pre_tokenizer_steps.h"
#include "runtime/tokenizer/models/unigram.h"
#include "runtime/tokenizer/vocabulary.h"
#include "runtime/tokenizer/models/word_level.h"
#include "runtime/tokenizer/models/word_piece.h"

#include <string>
#include <variant>
#include <vector>

namespace lamina {

/// Byte-pair encoding by rank over the characters of a piece (over bytes where the last step of the
/// pre-tokenizer spells them in the byte alphabet).
struct BpeOptions {
  static constexpr Token no_unknown = -2;  // a character without a token is an error
  std::vector<PairMerge> merges{};
  Token unknown = -1;                       // -1: a character without a token is left out
  bool fuse_unknown = false;                // one unknown token for a run of such characters
  bool byte_fallback = false;               // tokens <0xNN> for such a character, if all are there
  bool ignore_merges = false;               // a piece that is a token is not merged
  std::string continuing_subword_prefix{};  // before each character of a piece but the first
  std::string end_of_word_suffix{};         // after the last character of a piece
};

/// SentencePiece's own byte-pair encoding, by the scores of the vocabulary; spaces become U+2581.
struct SentencePieceOptions {
  Token unknown = -1;
};

struct UnigramModel {
  UnigramOptions options;
  std::vector<double> scores;  // of the first tokens of the vocabulary; others are not the model's
};

using ModelOptions = std::variant<BpeOptions, SentencePieceOptions, UnigramModel, WordPieceOptions,
                                  WordLevelOptions>;

struct TokenizerDefinition {
  std::string source;     // names the file in messages
  std::string kind;       // what Tokenizer::model() says: llama, gpt2, bpe, unigram, ...
  Vocabulary vocabulary;  // texts, types and scores; a number that is no token has an empty text
  Token model_size = 0;   // the first tokens are the model's, later ones are only added

  std::vector<AddedToken> added_tokens;
  std::vector<NormalizerStep> normalizer;
  std::vector<PreTokenizerStep> pre_tokenizer;
  ModelOptions model;
  std::vector<Token> prefix;  // put before and after a text where special tokens are asked for
  std::vector<Token> suffix;

  std::vector<DecoderStep> decoder;  // empty: the texts of the tokens, joined by spaces
  /// Decoding writes added tokens as they are spelled: only the others go through the decoder.
  bool added_tokens_verbatim = false;
  /// The normalizer begins a text, and what follows each added token, with a space, which decoding
  /// takes away again.
  bool space_prefix = false;

  Token bos = -1;  // -1: none, also below
  Token eos = -1;
  Token padding = -1;
  std::vector<Token> ends;  // generation stops after them; ascending
};

}  // namespace lamina
