// Fuzz target of SentencePiece's tokenizer.model: whatever reads as one encodes a text and gives it
// back.
#include "encode_anything.h"
#include "runtime/tokenizer/files/sentence_piece_model.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return lamina::test::fuzz_tokenizer(data, size, lamina::read_sentence_piece_model);
}
