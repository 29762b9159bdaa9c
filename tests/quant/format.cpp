// The concept accepts and refuses the right types; rows of whole and of broken blocks.
#include "lamina/quant/format.h"

#include "lamina/quant/f32.h"
#include "lamina/quant/q4_k.h"
#include "lamina/quant/q5_k.h"
#include "lamina/quant/q6_k.h"
#include "lamina/quant/q8_0.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <vector>

using namespace lamina;

namespace {

struct NoDecode {
  static constexpr FormatId id = FormatId::q8_0;
  static constexpr std::string_view name = "Q8_0";
  static constexpr int block_size = 32;
  struct Block {
    float16 d;
    std::int8_t qs[32];
  };
};

struct DecodesOtherSize : NoDecode {
  static void decode(const Block&, float (&)[16]) {}
};

struct WrongBytes {
  static constexpr FormatId id = FormatId::q8_0;
  static constexpr std::string_view name = "Q8_0";
  static constexpr int block_size = 32;
  struct Block {
    float d;  // two bytes too many
    std::int8_t qs[32];
  };
  static void decode(const Block&, float (&)[32]) {}
};

static_assert(!QuantFormat<NoDecode>);
static_assert(!QuantFormat<DecodesOtherSize>);
static_assert(QuantFormat<WrongBytes> && !matches_container<WrongBytes>());
static_assert(!EncodableFormat<WrongBytes>);
static_assert(QuantFormat<Q4_K> && !EncodableFormat<Q4_K>);

using List = FormatList<F32, Q8_0>;
static_assert(List::contains(FormatId::f32) && !List::contains(FormatId::q4_k));

static_assert(bytes_of_row<Q8_0>(0) == 0);
static_assert(bytes_of_row<Q8_0>(32) == 34);
static_assert(bytes_of_row<Q8_0>(33) == 68);

}  // namespace

BOOST_AUTO_TEST_SUITE(format)

BOOST_AUTO_TEST_CASE(visit_calls_the_format_of_the_number) {
  int block_size = 0;
  const auto note = [&]<class Q>() { block_size = Q::block_size; };
  BOOST_TEST(List::visit(FormatId::q8_0, note));
  BOOST_TEST(block_size == 32);
  BOOST_TEST(List::visit(FormatId::f32, note));
  BOOST_TEST(block_size == 1);
  BOOST_TEST(!List::visit(FormatId::q4_k, note));
  BOOST_TEST(block_size == 1);
}

BOOST_AUTO_TEST_CASE(rows_of_any_length_and_alignment) {
  std::vector<float> values(100);
  for (int i = 0; i < 100; ++i)
    values[static_cast<std::size_t>(i)] = std::sin(static_cast<float>(i));
  for (std::int64_t count : {0, 1, 31, 32, 33, 64, 100}) {
    const auto bytes = static_cast<std::size_t>(bytes_of_row<Q8_0>(count));
    std::vector<std::byte> row(bytes + 2, std::byte{0x5a});
    std::byte* const blocks = row.data() + 1;  // not even
    encode_row<Q8_0>(values.data(), count, blocks);
    BOOST_TEST((row.front() == std::byte{0x5a} && row.back() == std::byte{0x5a}));
    const auto end = static_cast<std::size_t>(count);
    std::vector<float> decoded(end + 32, 77.0f);
    decode_row<Q8_0>(blocks, count, decoded.data());
    for (std::size_t i = 0; i < end; ++i) {
      BOOST_TEST(std::fabs(decoded[i] - values[i]) <= 1.0f / 200.0f);
    }
    for (std::size_t i = end; i < decoded.size(); ++i) BOOST_TEST(decoded[i] == 77.0f);
  }
}

BOOST_AUTO_TEST_CASE(a_short_last_block_is_filled_with_zeros) {
  const float values[33] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,   0,
                            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5.0f};
  Q8_0::Block blocks[2];
  encode_row<Q8_0>(values, 33, reinterpret_cast<std::byte*>(blocks));
  BOOST_TEST(int{blocks[1].qs[0]} == 127);
  for (int i = 1; i < 32; ++i) BOOST_TEST(int{blocks[1].qs[i]} == 0);
}

// The claim of the header: products are exact, so that a fused multiply-add gives the same weight.
// The fractions of float16 with the widest code and scale of each kind; exponents cannot matter,
// since float has room for all of them, and subnormal numbers have fewer bits.
BOOST_AUTO_TEST_CASE(products_of_a_decode_are_exact) {
  std::int64_t inexact = 0;
  const auto check = [&](int scales, int codes) {
    for (int fraction = 1024; fraction < 2048; ++fraction) {
      for (int scale = 1; scale <= scales; ++scale) {
        for (int code = 1; code <= codes; ++code) {
          const float product =
              static_cast<float>(fraction) * static_cast<float>(scale) * static_cast<float>(code);
          inexact += static_cast<std::int64_t>(product) != std::int64_t{fraction} * scale * code;
        }
      }
    }
  };
  check(63, 31);   // Q5_K, and with less Q2_K, Q3_K, Q4_K, Q4_1, Q5_1
  check(128, 32);  // Q6_K
  check(1, 128);   // Q8_0
  BOOST_TEST(inexact == 0);
}

BOOST_AUTO_TEST_SUITE_END()
