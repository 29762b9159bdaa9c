// Tokenizer: text to tokens and back, as the model's file defines it.
//
// Kinds, by `tokenizer.ggml.model`: llama (sentence_piece.h), gpt2 (byte_level_bpe.h), gemma4
// (character_bpe.h). Special tokens are found first (special_tokens.h); what lies between them is
// encoded. A llama vocabulary gets a space before the text and after each special token, unless
// `tokenizer.ggml.add_space_prefix` is false; `decode` takes that space away again, so that it
// gives back the text wherever the vocabulary can spell all of its bytes (SentencePiece itself
// reads U+2581 as a space).
#pragma once

#include "lamina/core/types.h"
#include "lamina/gguf/metadata.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lamina {

struct EncodeOptions {
  bool add_special = true;    // BOS, EOS as the file asks for
  bool parse_special = true;  // text that spells a control token becomes that token
};

class Tokenizer {
 public:
  /// Reads `tokenizer.*` and keeps no reference to it; throws Error naming the key where something
  /// is missing, malformed or unknown.
  static Tokenizer from_metadata(const Metadata& metadata);

  Tokenizer(Tokenizer&&) noexcept;
  Tokenizer& operator=(Tokenizer&&) noexcept;
  ~Tokenizer();

  /// Any bytes are accepted, also what is no UTF-8. Safe to call from several threads.
  std::vector<Token> encode(std::string_view text, EncodeOptions options = {}) const;

  /// The bytes the tokens stand for; control and unknown tokens are left out unless `special`.
  std::string decode(std::span<const Token> tokens, bool special = false) const;

  /// The bytes `token` adds to a text whose earlier tokens are already written (streaming); may end
  /// inside a character. All pieces together are what `decode` gives, except that a piece never
  /// lacks its first space: `decode` leaves it out where `encode` would have put it.
  std::string piece(Token token, bool special = false) const;

  Token vocab_size() const;
  Token bos() const;  // -1 where there is none
  Token eos() const;  // -1 where there is none
  /// Whether generation stops after `token` (the file's end-of-sequence, -turn and -message
  /// tokens).
  bool is_end(Token token) const;
  std::span<const Token> end_tokens() const;  // ascending
  std::string_view model() const;             // tokenizer.ggml.model

 private:
  struct State;
  explicit Tokenizer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace lamina
