// What the fuzz targets of tokenizer files do with a tokenizer that could be read.
#pragma once

#include "lamina/core/error.h"
#include "runtime/tokenizer/definition.h"
#include "runtime/tokenizer/tokenizer.h"

#include <cstddef>
#include <cstdint>
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

/// The target of a kind of file: `read(bytes, source)` makes a definition of it, or throws Error.
template <class Read>
int fuzz_tokenizer(const std::uint8_t* data, std::size_t size, const Read& read) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    encode_anything(Tokenizer(read(bytes, "fuzz")), bytes);
  } catch (const Error&) {  // what bad input is answered with
  }
  return 0;
}

}  // namespace lamina::test
