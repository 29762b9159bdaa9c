// PeakKernels: what an instruction set does at most: the roofs that a kernel's speed is held
// against.
//
// dot: sums += bytes * bytes, and nothing else: the dot instruction of the set (vpdpbusd, of tiles
// tdpbsud), or vpmaddubsw and the addition that follows it. fma: sums += float * float. Both on as
// many independent sums as hide the latency of two such instructions a cycle. sum: the 32-bit words
// of memory, added up: what reading costs at least.
#pragma once

#include "lamina/backend/cpu/simd/lanes.h"

#include <cstddef>
#include <cstdint>

namespace lamina {

/// What the kernels below start from and end with.
struct PeakOperands {
  alignas(64) std::int32_t codes[16] = {};
  alignas(64) std::int32_t other[16] = {};
  alignas(64) float factors[16] = {};
  alignas(64) std::int32_t sums[16] = {};  // of all independent sums together
  alignas(64) float float_sums[16] = {};
};

struct PeakKernels {
  int dot_operations = 0;  // multiplications and additions of a round
  int fma_operations = 0;
  void (*dot)(PeakOperands& operands, std::int64_t rounds);
  void (*fma)(PeakOperands& operands, std::int64_t rounds);
  /// `bytes` is a multiple of 512.
  std::uint32_t (*sum)(const std::byte* from, std::int64_t bytes);
};

/// Independent sums of 16 lanes.
template <class S>
inline constexpr int peak_chains = S::parts == 1   ? 10
                                   : S::parts == 2 ? 5
                                                   : 2;

/// From here on the compiler knows nothing of what `value` holds: products of it are not computed
/// once for all rounds. It stays in registers: a load for each product can cost more than that.
template <class Lanes>
[[gnu::always_inline]] inline void forget(Lanes& value) {
#pragma GCC unroll 4
  for (auto& part : value.part) {
#if defined(__x86_64__)
    asm volatile("" : "+v"(part));
#elif defined(__aarch64__)
    asm volatile("" : "+w"(part));
#else
    asm volatile("" : "+m"(part));
#endif
  }
}

template <class S>
void dot_at_peak(PeakOperands& operands, std::int64_t rounds) {
  using Int = typename S::Int;
  if constexpr (S::has_tiles) {
    S::tiles_at_peak(operands.codes, operands.other, operands.sums, rounds);
    return;
  }
  constexpr int chains = peak_chains<S>;
  const Int codes = Int::load(operands.codes);
  Int other = Int::load(operands.other);
  Int sums[chains];
#pragma GCC unroll 10
  for (int c = 0; c < chains; ++c) sums[c] = Int::load(operands.sums);
  for (std::int64_t i = 0; i < rounds; ++i) {
#pragma GCC unroll 10
    for (int c = 0; c < chains; ++c) {
      forget(other);
      sums[c] = S::add_products(sums[c], codes, other);
    }
  }
#pragma GCC unroll 10
  for (int c = 1; c < chains; ++c) sums[0] = sums[0] + sums[c];
  sums[0].store(operands.sums);
}

template <class S>
void fma_at_peak(PeakOperands& operands, std::int64_t rounds) {
  using Float = typename S::Float;
  constexpr int chains = peak_chains<S>;
  const Float factors = Float::load(operands.factors);
  Float other = factors;
  Float sums[chains];
#pragma GCC unroll 10
  for (int c = 0; c < chains; ++c) sums[c] = Float::load(operands.float_sums);
  for (std::int64_t i = 0; i < rounds; ++i) {
#pragma GCC unroll 10
    for (int c = 0; c < chains; ++c) {
      forget(other);
      sums[c] = S::multiply_add(factors, other, sums[c]);
    }
  }
#pragma GCC unroll 10
  for (int c = 1; c < chains; ++c) sums[0] = sums[0] + sums[c];
  sums[0].store(operands.float_sums);
}

template <class S>
std::uint32_t sum_of_words(const std::byte* from, std::int64_t bytes) {
  using Words = LanesOf<std::uint32_t, 64 / S::parts>;  // unsigned: sums may wrap
  Words sums[8];
  for (Words& sum : sums) sum = Words::all(0);
  for (const std::byte* end = from + bytes; from != end; from += 512) {
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i) sums[i] = sums[i] + Words::load(from + 64 * i);
  }
  for (int i = 1; i < 8; ++i) sums[0] = sums[0] + sums[i];
  std::uint32_t lanes[16];
  sums[0].store(lanes);
  std::uint32_t all = 0;
  for (const std::uint32_t lane : lanes) all += lane;
  return all;
}

template <class S>
constexpr PeakKernels peak_kernels() {
  constexpr int lanes = 16 * peak_chains<S>;
  // Of tiles four at once, each of 16 rows by 16 columns by 64 bytes.
  return {.dot_operations = S::has_tiles ? 4 * 16 * 16 * 64 * 2 : lanes * 4 * 2,
          .fma_operations = lanes * 2,
          .dot = dot_at_peak<S>,
          .fma = fma_at_peak<S>,
          .sum = sum_of_words<S>};
}

}  // namespace lamina
