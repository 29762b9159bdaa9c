// Small codes inside bytes: the pieces from which the packings of the formats are written.
#pragma once

#include "lamina/core/config.h"

#include <cstdint>

namespace lamina {

/// The low (half = 0) or the high (half = 1) four bits.
LAMINA_HD constexpr int nibble(std::uint8_t byte, int half) { return (byte >> (4 * half)) & 15; }

/// Two bits, counted from the low end: i = 0..3.
LAMINA_HD constexpr int crumb(std::uint8_t byte, int i) { return (byte >> (2 * i)) & 3; }

/// One bit, counted from the low end: i = 0..7.
LAMINA_HD constexpr int bit(std::uint8_t byte, int i) { return (byte >> i) & 1; }

/// Two nibbles in one byte.
LAMINA_HD constexpr std::uint8_t pack_nibbles(int low, int high) {
  return static_cast<std::uint8_t>((low & 15) | ((high & 15) << 4));
}

/// Code i of 32 codes of four bits: byte j holds code j (low nibble) and code j + 16 (high nibble).
LAMINA_HD constexpr int code4(const std::uint8_t (&nibbles)[16], int i) {
  return nibble(nibbles[i % 16], i / 16);
}

/// Code i of 32 codes of five bits: four as in code4, the fifth is bit i of a little-endian word.
LAMINA_HD constexpr int code5(const std::uint8_t (&nibbles)[16], const std::uint8_t (&fifth)[4],
                              int i) {
  return code4(nibbles, i) | (bit(fifth[i / 8], i % 8) << 4);
}

/// Stores 32 codes so that code4 finds their low four bits.
LAMINA_HD constexpr void pack_code4(const int (&codes)[32], std::uint8_t (&nibbles)[16]) {
  for (int j = 0; j < 16; ++j) nibbles[j] = pack_nibbles(codes[j], codes[j + 16]);
}

/// Stores 32 codes so that code5 finds them.
LAMINA_HD constexpr void pack_code5(const int (&codes)[32], std::uint8_t (&nibbles)[16],
                                    std::uint8_t (&fifth)[4]) {
  pack_code4(codes, nibbles);
  for (std::uint8_t& byte : fifth) byte = 0;
  for (int i = 0; i < 32; ++i) {
    fifth[i / 8] = static_cast<std::uint8_t>(fifth[i / 8] | ((codes[i] >> 4) << (i % 8)));
  }
}

}  // namespace lamina
