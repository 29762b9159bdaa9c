// What an engine author writes: decode one block of weights with one header of the library.
#include "lamina/quant/q4_k.h"

#include <cstdio>
#include <cstring>

int main() {
  unsigned char bytes[sizeof(lamina::Q4_K::Block)] = {0x00, 0x3c};  // d = 1, dmin = 0
  for (std::size_t i = 4; i < 8; ++i) bytes[i] = 1;                 // the first four scales
  for (std::size_t i = 16; i < sizeof bytes; ++i) bytes[i] = 0x53;
  lamina::Q4_K::Block block;
  std::memcpy(&block, bytes, sizeof block);
  float values[lamina::Q4_K::block_size];
  lamina::Q4_K::decode(block, values);
  std::printf("%g %g\n", static_cast<double>(values[0]), static_cast<double>(values[32]));
  return values[0] == 3.0f && values[32] == 5.0f ? 0 : 1;
}
