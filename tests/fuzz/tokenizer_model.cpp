// Fuzz target of SentencePiece's tokenizer.model: whatever reads as one encodes a text and gives it
// back.
#include "lamina/core/error.h"
#include "runtime/tokenizer/sentence_piece_model.h"
#include "runtime/tokenizer/tokenizer.h"

#include <cstdint>
#include <cstdlib>

using namespace lamina;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const Tokenizer tokenizer(read_sentence_piece_model(bytes, "fuzz"));
    for (const std::string_view text :
         {std::string_view(" a  bc\xC3\xA9 \xE4\xBD\xA0\n\xFF<s>\xF0\x9F\xA6\x99"),
          bytes.substr(0, 200)}) {
      const std::vector<Token> tokens = tokenizer.encode(text);
      for (const Token token : tokens) {
        if (token < 0 || token >= tokenizer.vocab_size()) std::abort();
        tokenizer.piece(token, true);
      }
      tokenizer.decode(tokens);
      tokenizer.decode(tokens, true);
    }
  } catch (const Error&) {  // what bad input is answered with
  }
  return 0;
}
