// Masks by brute force: what a variant shows, against a definition, for every query and key below
// 40.
#pragma once

#include "lamina/attention/variant.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>

namespace lamina::test {

inline constexpr Position mask_size = 40;

/// Whether `keys` may be wider than what is visible.
enum class Range { tight, loose };

/// `definition(q, k)` says what `variant` must show; keys(q) must cover it, and no more if tight.
template <AttentionVariant V, class Definition>
void check_mask(const V& variant, const Definition& definition, Range range = Range::tight) {
  for (Position q = 0; q < mask_size; ++q) {
    const KeyRange keys = variant.keys(q);
    Position first = mask_size, end = 0;
    for (Position k = 0; k < mask_size; ++k) {
      const bool expected = definition(q, k);
      BOOST_REQUIRE_MESSAGE(
          variant.visible(q, k) == expected,
          "query " << q << ", key " << k << " should be " << (expected ? "visible" : "hidden"));
      if (!expected) continue;
      first = std::min(first, k);
      end = std::max(end, k + 1);
    }
    BOOST_REQUIRE(keys.first >= 0 || first == mask_size);
    if (first == mask_size) {  // nothing is visible: a tight range is empty
      if (range == Range::tight) BOOST_REQUIRE(keys.first >= std::min(keys.end, mask_size));
      continue;
    }
    BOOST_REQUIRE(keys.first <= first);
    BOOST_REQUIRE(keys.end >= end);
    if (range == Range::loose) continue;
    BOOST_REQUIRE(keys.first == first);
    BOOST_REQUIRE(std::min(keys.end, mask_size) == end);
  }
}

/// Whether a variant gives back every score as it is, in float and in double.
template <AttentionVariant V>
void check_identity_score(const V& variant) {
  for (const double s : {-1e30, -2.5, 0.0, 1e-40, 3.75, 1e30}) {
    BOOST_TEST(variant.score(s, 1, 7, 3) == s);
    BOOST_TEST(variant.score(static_cast<float>(s), 1, 7, 3) == static_cast<float>(s));
  }
}

}  // namespace lamina::test
