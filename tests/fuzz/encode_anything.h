// What the fuzz targets of tokenizer files do with a tokenizer that could be read.
#pragma once

#include "runtime/tokenizer/tokenizer.h"

#include <cstdlib>
#include <string_view>

namespace lamina::test {

/// Encodes a mixed text and the beginning of `bytes`, and decodes what came of them.
inline void encode_anything(const Tokenizer& tokenizer, std::string_view bytes) {
  const std::string_view mixed = " a  bc\xC3\xA9 \xE4\xBD\xA0\n\xFF<s>\xF0\x9F\xA6\x99";
  for (const std::string_view text : {mixed, bytes.substr(0, 200)}) {
    const std::vector<Token> tokens = tokenizer.encode(text);
    for (const Token token : tokens) {
      if (token < 0 || token >= tokenizer.vocab_size()) std::abort();
      tokenizer.piece(token, true);
    }
    tokenizer.decode(tokens);
    tokenizer.decode(tokens, true);
  }
}

}  // namespace lamina::test
