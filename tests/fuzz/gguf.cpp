// Fuzz target of the GGUF reader, for libFuzzer:
//
//   clang++ -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined -Iinclude tests/fuzz/gguf.cpp -o
//   fuzz_gguf
//   ./fuzz_gguf -malloc_limit_mb=64 tests/goldens/gguf
#include "lamina/gguf/print.h"
#include "lamina/gguf/split.h"

#include <cstdint>
#include <cstdlib>

using namespace lamina;

namespace {

/// Touches every view of the file; a sanitizer sees those that lie outside.
unsigned touch(const GgufFile& file) {
  unsigned sum = 0;
  for (const MetadataEntry& entry : file.metadata.entries()) {
    if (file.metadata.value(entry.key) != &entry.value) std::abort();
    sum += static_cast<unsigned>(printable(entry.value).size());
  }
  for (const TensorView& tensor : file.tensors) {
    if (file.find(tensor.name) != &tensor) std::abort();
    for (const std::byte value : tensor.bytes) sum += std::to_integer<unsigned>(value);
  }
  return sum;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    GgufFile file = read_gguf({reinterpret_cast<const std::byte*>(data), size}, "fuzz");
    volatile unsigned sum = touch(file);
    static_cast<void>(sum);
    std::vector<GgufFile> parts;
    parts.push_back(std::move(file));
    merge_gguf(std::move(parts));
  } catch (const Error&) {  // what bad input is answered with
  }
  return 0;
}
