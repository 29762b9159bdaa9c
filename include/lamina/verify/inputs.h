// Inputs made to break kernels, and memory that shows what a kernel did not write, or wrote too
// far.
//
// Element i of an input is a function of (kind, seed, i) alone, by Philox and exact arithmetic: the
// same bits on every machine, and any element can be made again without the others. Output starts
// as a NaN pattern that no arithmetic makes (verify/compare.h counts what is left of it) between
// two guards; input nobody should read is a NaN of a third pattern.
#pragma once

#include "lamina/core/philox.h"
#include "lamina/verify/compare.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lamina {

enum class InputKind {
  normal,          // bell-shaped, mean 0, deviation 1, within +-4.9
  outliers,        // normal, with one channel 1000 times as large
  cancelling,      // signs alternate, magnitudes in [1, 1 + 2^-8): sums of many are near 0
  constant,        // one number in [0.5, 1) with a full significand
  subnormal,       // magnitudes below 2^-126
  small_integers,  // -8 ... 8: sums of up to 2^18 products are exact, a kernel must give equal bits
};

inline constexpr InputKind input_kinds[] = {InputKind::normal,     InputKind::outliers,
                                            InputKind::cancelling, InputKind::constant,
                                            InputKind::subnormal,  InputKind::small_integers};

/// For reports.
constexpr std::string_view name(InputKind kind) {
  constexpr std::string_view names[] = {"normal",   "outliers",  "cancelling",
                                        "constant", "subnormal", "small_integers"};
  return names[static_cast<std::size_t>(kind)];
}

/// An input: what its elements are like, and which of all such.
struct InputSource {
  InputKind kind = InputKind::normal;
  std::uint64_t seed = 0;
  std::uint64_t cols = 64;  // row length: which elements are one channel
};

/// The sum of eight uniform 16-bit numbers, centred and scaled to deviation 1 (the integer has
/// variance 8 (2^32 - 1) / 12): approximately normal, and no function whose last bit differs
/// between machines.
LAMINA_HD constexpr float bell_shaped(const PhiloxBlock& bits) {
  std::int64_t sum = 0;
  for (const std::uint32_t word : bits.word) sum += (word >> 16) + (word & 0xffffu);
  return static_cast<float>(static_cast<double>(2 * sum - 8 * 0xffff) * 0x1.3988'e141'2ed7'6p-17);
}

/// Random bits that all elements of an input share.
LAMINA_HD constexpr std::uint32_t shared_bits(const InputSource& source) {
  return philox(RandomAddress{source.seed, 0, 64 + static_cast<std::uint32_t>(source.kind)})
      .word[0];
}

/// Element `i` of an input.
LAMINA_HD inline float input_element(const InputSource& source, std::uint64_t i) {
  const auto stream = 1 + static_cast<std::uint32_t>(source.kind);
  const PhiloxBlock bits = philox(RandomAddress{source.seed, i, stream});
  switch (source.kind) {
    case InputKind::normal:
      return bell_shaped(bits);
    case InputKind::outliers: {
      const bool outlier = i % source.cols == shared_bits(source) % source.cols;
      return bell_shaped(bits) * (outlier ? 1000.0f : 1.0f);
    }
    case InputKind::cancelling: {
      // Even seeds change sign at every element, odd ones at every second: products cancel too.
      const bool negative = ((i >> (source.seed & 1u)) & 1u) != 0;
      const float magnitude = 1.0f + uniform_float(bits.word[0]) * 0x1p-8f;
      return negative ? -magnitude : magnitude;
    }
    case InputKind::constant:
      return float_from_bits(0x3f00'0001u | (shared_bits(source) & 0x007f'ffffu));
    case InputKind::subnormal:
      return float_from_bits((bits.word[0] & 0x807f'ffffu) | 1u);
    case InputKind::small_integers:
      return static_cast<float>(static_cast<int>(bits.word[0] % 17u) - 8);
  }
  return 0;
}

/// Writes elements 0 ... of an input.
inline void fill(std::span<float> out, const InputSource& source) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = input_element(source, i);
}

inline void fill(std::span<float> out, InputKind kind, std::uint64_t seed) {
  fill(out, InputSource{.kind = kind, .seed = seed});
}

/// What memory nobody should read is filled with: a quiet NaN unlike those of unwritten output.
template <class T>
T unreadable() {
  using Bits = typename ElementTraits<T>::Bits;
  // The last bit of the pattern is the payload's: still a NaN, another one.
  const auto bits = static_cast<Bits>(ElementTraits<T>::poison[0] ^ 1u);
  return std::bit_cast<T>(bits);
}

/// Page tails, unused slots, padding: fill them with this before running a kernel.
template <class T>
void poison(std::span<T> memory) {
  std::fill(memory.begin(), memory.end(), unreadable<T>());
}

struct GuardOptions {
  int pattern = 0;           // which of the two NaN patterns output starts with
  std::size_t misalign = 0;  // elements after a 64-byte boundary at which the output starts
};

/// Output memory between two guards, all of it NaN: reading any of it shows in the result, writing
/// past the ends is found, and elements never written are counted.
template <class T>
class GuardedBuffer {
 public:
  static constexpr std::size_t guard = 256;  // elements on either side

  explicit GuardedBuffer(std::size_t size, GuardOptions options = {});
  GuardedBuffer(const GuardedBuffer&) = delete;
  GuardedBuffer& operator=(const GuardedBuffer&) = delete;

  std::span<T> span() { return {memory_.data() + start_, size_}; }
  std::span<const T> span() const { return {memory_.data() + start_, size_}; }

  /// Fills the output again, with pattern 0 or 1; running a kernel once with each finds output that
  /// only looks right because it was there before.
  void refill(int pattern);
  /// Elements that still hold their filling.
  std::size_t unwritten() const;
  /// A sentence on the first guard element that was overwritten, by its index in the output (-1 is
  /// just before it, size() just after); nothing where both guards are whole.
  std::optional<std::string> damage() const;

 private:
  static T guard_value(std::size_t i);

  std::vector<T> memory_;  // [guard, output, guard], and room for the alignment
  std::size_t start_ = 0;
  std::size_t size_ = 0;
};

template <class T>
GuardedBuffer<T>::GuardedBuffer(std::size_t size, GuardOptions options)
    : memory_(size + 2 * guard + 64 / sizeof(T) + options.misalign), size_(size) {
  const auto first = reinterpret_cast<std::uintptr_t>(memory_.data() + guard);
  start_ = guard + (64 - first % 64) % 64 / sizeof(T) + options.misalign;
  for (std::size_t i = 0; i < memory_.size(); ++i) memory_[i] = guard_value(i);
  refill(options.pattern);
}

/// All bits set but for the lowest byte, which depends on the place, so that a shifted copy of a
/// guard is damage too. From 0x81 up it leaves a NaN of every float type, bfloat16 included.
template <class T>
T GuardedBuffer<T>::guard_value(std::size_t i) {
  using Bits = typename ElementTraits<T>::Bits;
  const std::size_t place = 0x81 + i * 37 % 0x7f;
  const auto bits = static_cast<Bits>((static_cast<Bits>(~Bits{0}) ^ 0xffu) | place);
  return std::bit_cast<T>(bits);
}

template <class T>
void GuardedBuffer<T>::refill(int pattern) {
  const T value = std::bit_cast<T>(ElementTraits<T>::poison[pattern & 1]);
  const std::span<T> output = span();
  std::fill(output.begin(), output.end(), value);
}

template <class T>
std::size_t GuardedBuffer<T>::unwritten() const {
  std::size_t count = 0;
  for (const T& element : span()) count += is_poison(element) ? 1u : 0u;
  return count;
}

template <class T>
std::optional<std::string> GuardedBuffer<T>::damage() const {
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    if (i >= start_ && i < start_ + size_) continue;
    const T expected = guard_value(i);
    if (std::memcmp(&memory_[i], &expected, sizeof expected) == 0) continue;
    const auto index = static_cast<std::int64_t>(i) - static_cast<std::int64_t>(start_);
    return "output[" + std::to_string(index) + "] was written; the output has " +
           std::to_string(size_) + " elements";
  }
  return std::nullopt;
}

}  // namespace lamina
