// Philox4x32-10: random numbers that are a function of a key and a counter, with no state to carry.
//
// Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC '11, section 3.3;
// constants as published there and checked against the known answers of Random123. A round maps the
// counter words (c0, c1, c2, c3) under the key (k0, k1) to
//   (hi(m1 c2) ^ c1 ^ k0,  lo(m1 c2),  hi(m0 c0) ^ c3 ^ k1,  lo(m0 c0)),
// and the key grows by a Weyl constant between rounds.
#pragma once

#include "lamina/core/config.h"

#include <cstdint>

namespace lamina {

/// 128 bits: a counter, or the random bits it is mapped to.
struct PhiloxBlock {
  std::uint32_t word[4] = {};
};

/// 64 bits of key.
struct PhiloxKey {
  std::uint32_t word[2] = {};
};

/// The random bits at `counter` under `key`: a bijection of the counter for each key.
LAMINA_HD constexpr PhiloxBlock philox(PhiloxBlock counter, PhiloxKey key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t even = std::uint64_t{0xd251'1f53u} * counter.word[0];
    const std::uint64_t odd = std::uint64_t{0xcd9e'8d57u} * counter.word[2];
    counter = {{static_cast<std::uint32_t>(odd >> 32) ^ counter.word[1] ^ key.word[0],
                static_cast<std::uint32_t>(odd),
                static_cast<std::uint32_t>(even >> 32) ^ counter.word[3] ^ key.word[1],
                static_cast<std::uint32_t>(even)}};
    key.word[0] += 0x9e37'79b9u;  // golden ratio
    key.word[1] += 0xbb67'ae85u;  // sqrt(3) - 1
  }
  return counter;
}

/// Where a draw stands: equal addresses give equal draws, different ones independent draws.
struct RandomAddress {
  std::uint64_t seed = 0;
  std::uint64_t position = 0;
  std::uint32_t stream = 0;  // separates uses that share seed and position
};

/// The random bits at `address`: the key is the seed, the counter {position, stream}.
LAMINA_HD constexpr PhiloxBlock philox(RandomAddress address) {
  return philox(
      PhiloxBlock{{static_cast<std::uint32_t>(address.position),
                   static_cast<std::uint32_t>(address.position >> 32), address.stream, 0}},
      PhiloxKey{{static_cast<std::uint32_t>(address.seed),
                 static_cast<std::uint32_t>(address.seed >> 32)}});
}

/// Uniform in [0, 1) on the multiples of 2^-53, from the upper bits of words 1 and 0.
LAMINA_HD constexpr double uniform_double(const PhiloxBlock& bits) {
  const std::uint64_t wide = (std::uint64_t{bits.word[1]} << 32) | bits.word[0];
  return static_cast<double>(wide >> 11) * 0x1p-53;
}

/// Uniform in [0, 1) on the multiples of 2^-24, from the upper bits of one word.
LAMINA_HD constexpr float uniform_float(std::uint32_t word) {
  return static_cast<float>(word >> 8) * 0x1p-24f;
}

}  // namespace lamina
