// Decodes one block of Q4_K, 256 weights in 144 bytes, with a single header of the library.
//
//   01_dequantize [FILE OFFSET]   the block at a byte offset of a file; by default one made here
#include <lamina/quant/q4_k.h>

#include <cstdio>
#include <cstdlib>

namespace {

/// Scale 0.5 * 2 and minimum 0.25 * 1 in every sub-block of 32; codes 0 1 2 ... 15 0 1 2 ...
lamina::Q4_K::Block made_here() {
  lamina::Q4_K::Block block{lamina::to_float16(0.5f), lamina::to_float16(0.25f), {}, {}};
  for (int i = 0; i < 4; ++i) {
    block.scales[i] = 2;         // sub-blocks 0 to 3: the scale
    block.scales[4 + i] = 1;     // and the minimum
    block.scales[8 + i] = 0x12;  // sub-blocks 4 to 7: both
  }
  for (int i = 0; i < 128; ++i) block.qs[i] = static_cast<std::uint8_t>(i % 16 * 0x11);
  return block;
}

bool read_block(const char* path, const char* offset, lamina::Q4_K::Block& block) {
  std::FILE* file = std::fopen(path, "rb");
  if (file == nullptr) return false;
  const bool read = std::fseek(file, std::strtol(offset, nullptr, 10), SEEK_SET) == 0 &&
                    std::fread(&block, sizeof block, 1, file) == 1;
  std::fclose(file);
  return read;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 1 && argc != 3) {
    std::fprintf(stderr, "usage: %s [FILE OFFSET]\n", argv[0]);
    return 2;
  }
  lamina::Q4_K::Block block = made_here();
  if (argc == 3 && !read_block(argv[1], argv[2], block)) {
    std::fprintf(stderr, "%s has no %zu bytes at %s\n", argv[1], sizeof block, argv[2]);
    return 1;
  }
  float weights[lamina::Q4_K::block_size];
  lamina::Q4_K::decode(block, weights);
  for (int i = 0; i < lamina::Q4_K::block_size; ++i) {
    std::printf("%9.5f%c", static_cast<double>(weights[i]), i % 8 == 7 ? '\n' : ' ');
    const float expected = static_cast<float>(i % 16) - 0.25f;  // of the block made here
    if (argc != 3 && weights[i] != expected) return 1;
  }
}
