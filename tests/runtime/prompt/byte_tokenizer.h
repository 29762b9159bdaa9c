// A tokenizer in which each byte is a token, besides the special <s> (its BOS, which it adds),
// <|im_start|> and <|im_end|>.
#pragma once

#include "runtime/tokenizer/byte_alphabet.h"
#include "runtime/tokenizer/tokenizer.h"
#include "tests/runtime/tokenizer/made_vocabulary.h"

#include <string>

namespace lamina::test {

inline Tokenizer byte_tokenizer() {
  MadeVocabulary made;
  for (int value = 0; value < 256; ++value)
    made.add(std::string(byte_symbol(static_cast<unsigned char>(value))));
  const auto bos = static_cast<std::uint32_t>(made.add("<s>", control));
  made.add("<|im_start|>", control);
  const auto end = static_cast<std::uint32_t>(made.add("<|im_end|>", control));
  Metadata metadata = made.metadata("gpt2");
  metadata.set("tokenizer.ggml.bos_token_id", bos);
  metadata.set("tokenizer.ggml.add_bos_token", true);
  metadata.set("tokenizer.ggml.eos_token_id", end);
  return Tokenizer::from_metadata(metadata);
}

}  // namespace lamina::test
