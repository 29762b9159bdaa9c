// What each single bit of a block means: set one, and see which weights change and by how much.
//
// A test states the place of every bit in its own words; a place named twice or left out is an
// error.
#pragma once

#include "lamina/quant/format.h"

#include <boost/test/unit_test.hpp>

#include <cstring>
#include <set>

namespace lamina::test {

/// A bit of a block: `byte` counts from the block's start, `bit` from the low end of that byte.
struct BitPlace {
  int byte;
  int bit;
  auto operator<=>(const BitPlace&) const = default;
};

/// The elements first .. first + count - 1.
struct Elements {
  int first;
  int count;
};

/// A block written byte by byte, starting from zeros, without the help of Q::Block's field names.
template <QuantFormat Q>
struct BlockBytes {
  unsigned char bytes[sizeof(typename Q::Block)] = {};

  /// A float16 1.0 at this byte.
  BlockBytes& one(int offset) {
    bytes[offset] = 0x00;
    bytes[offset + 1] = 0x3c;
    return *this;
  }
  BlockBytes& fill(int first, int count, unsigned char byte) {
    std::memset(bytes + first, byte, static_cast<std::size_t>(count));
    return *this;
  }
  operator typename Q::Block() const {
    typename Q::Block block;
    std::memcpy(&block, bytes, sizeof block);
    return block;
  }
};

template <QuantFormat Q>
class SingleBits {
 public:
  using Block = typename Q::Block;

  /// `base`: the block in which one bit at a time is flipped.
  explicit SingleBits(const Block& base) : base_(base) { Q::decode(base_, before_); }

  /// Flipping the bit changes these weights by `delta`, and no other.
  void changes(BitPlace place, Elements elements, float delta) {
    BOOST_TEST(seen_.insert(place).second,
               "byte " << place.byte << " bit " << place.bit << " again");
    float after[Q::block_size];
    Q::decode(with_flipped(place), after);
    for (int e = 0; e < Q::block_size; ++e) {
      const bool meant = e >= elements.first && e < elements.first + elements.count;
      const float expected = before_[e] + (meant ? delta : 0.0f);
      if (after[e] == expected) continue;
      BOOST_TEST(false, Q::name << " byte " << place.byte << " bit " << place.bit << " element "
                                << e << ": decoded " << after[e] << ", expected " << expected);
    }
  }

  void changes(BitPlace place, int element, float delta) { changes(place, {element, 1}, delta); }

  /// How many bits were tried so far.
  int seen() const { return static_cast<int>(seen_.size()); }

 private:
  Block with_flipped(BitPlace place) const {
    unsigned char bytes[sizeof(Block)];
    std::memcpy(bytes, &base_, sizeof bytes);
    bytes[place.byte] = static_cast<unsigned char>(bytes[place.byte] ^ (1 << place.bit));
    Block block;
    std::memcpy(&block, bytes, sizeof block);
    return block;
  }

  Block base_;
  float before_[Q::block_size];
  std::set<BitPlace> seen_;
};

inline float power_of_two(int exponent) { return static_cast<float>(1 << exponent); }

/// A float16 NaN at this byte of a block of zeros makes every weight NaN.
template <QuantFormat Q>
void check_nan_scale(int offset) {
  BlockBytes<Q> bytes;
  bytes.fill(offset, 2, 0x7e);
  float values[Q::block_size];
  Q::decode(bytes, values);
  for (const float value : values) BOOST_TEST(value != value);
}

}  // namespace lamina::test
