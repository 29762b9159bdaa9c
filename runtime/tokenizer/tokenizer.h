// Tokenizer: text to tokens and back, as the model's files define it.
//
// The parts and their order are those of Hugging Face's tokenizers (definition.h): special and
// other added tokens are found first (added_tokens.h); what lies between them is normalized, cut
// and encoded (text_model.h); prefix and suffix are put around the whole.
#pragma once

#include "lamina/core/types.h"
#include "lamina/gguf/metadata.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lamina {

struct TokenizerDefinition;

struct EncodeOptions {
  bool add_special = true;    // BOS, EOS, CLS, SEP as the files ask for
  bool parse_special = true;  // text that spells a special token becomes that token
};

/// A stretch of a text. Special tokens are looked for only within a part that is not literal, and
/// never across parts; otherwise the text is encoded as if it were one.
struct TextPart {
  std::string_view text;
  bool literal = false;  // written by somebody who may not write special tokens
};

class Tokenizer {
 public:
  explicit Tokenizer(TokenizerDefinition definition);

  /// Reads `tokenizer.*` (gguf_tokenizer.h) and keeps no reference to it.
  static Tokenizer from_metadata(const Metadata& metadata);

  Tokenizer(Tokenizer&&) noexcept;
  Tokenizer& operator=(Tokenizer&&) noexcept;
  ~Tokenizer();

  /// Any bytes are accepted, also what is no UTF-8. Safe to call from several threads.
  std::vector<Token> encode(std::string_view text, EncodeOptions options = {}) const;
  std::vector<Token> encode(std::span<const TextPart> parts, EncodeOptions options = {}) const;

  /// The bytes the tokens stand for; special tokens are left out unless `special`. What a GGUF file
  /// put before a text is taken away again. Bytes that are no UTF-8 stay as they are, where
  /// tokenizers would write U+FFFD.
  std::string decode(std::span<const Token> tokens, bool special = false) const;

  /// The bytes `token` adds to a text whose earlier tokens are already written (streaming); may end
  /// inside a character. All pieces together are what `decode` gives, except that a piece never
  /// lacks the space that `decode` leaves out at the start of a text.
  std::string piece(Token token, bool special = false) const;

  Token vocab_size() const;
  std::string_view text(Token token) const;  // as the file spells it; empty for unused numbers
  Token find(std::string_view text) const;   // the token so spelled; -1 where there is none
  bool is_special(Token token) const;        // left out by `decode`

  Token bos() const;      // -1 where there is none
  Token eos() const;      // -1 where there is none
  Token padding() const;  // -1 where there is none
  /// What `add_special` puts before and after a text.
  std::span<const Token> prefix() const;
  std::span<const Token> suffix() const;
  /// Whether generation stops after `token` (the file's end-of-sequence, -turn and -message
  /// tokens).
  bool is_end(Token token) const;
  std::span<const Token> end_tokens() const;  // ascending
  /// `tokenizer.ggml.model`, or the model's type in a tokenizer.json: BPE, Unigram, ...
  std::string_view model() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lamina
