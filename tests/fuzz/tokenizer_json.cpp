// Fuzz target of tokenizer.json: whatever reads as one encodes a text and gives it back.
#include "encode_anything.h"
#include "lamina/core/error.h"
#include "runtime/tokenizer/files/tokenizer_json.h"

#include <cstdint>

using namespace lamina;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    test::encode_anything(Tokenizer(read_tokenizer_json(bytes, "fuzz")), bytes);
  } catch (const Error&) {  // what bad input is answered with
  }
  return 0;
}
