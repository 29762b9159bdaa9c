// embedding: the token's row, decoded and scaled, and nothing else.
#include "lamina/ops/embedding.h"

#include "lamina/verify/compare.h"
#include "lamina/verify/inputs.h"
#include "ops/weight_matrix.h"

#include <boost/test/unit_test.hpp>

#include <vector>

using namespace lamina;
using test::WeightMatrix;

BOOST_AUTO_TEST_SUITE(embedding_)

// A product with the scale is one rounding of an exact double product: both sides have 24 bits.
BOOST_AUTO_TEST_CASE(every_format_row_and_scale) {
  int formats = 0;
  Formats::for_each([&]<class Q>() {
    ++formats;
    const WeightMatrix table = test::random_weight<Q>(5, Q::block_size == 1 ? 9 : 2, 7);
    for (const float scale : {1.0f, 25.298221f, -0.5f}) {
      for (Token token = 0; token < 5; ++token) {
        GuardedBuffer<float> y(static_cast<std::size_t>(table.cols));
        embedding(y.span(), table.view(), token, scale);
        std::vector<float> expected;
        for (std::int64_t c = 0; c < table.cols; ++c) {
          const float value = table.values[static_cast<std::size_t>(token * table.cols + c)];
          expected.push_back(
              static_cast<float>(static_cast<double>(value) * static_cast<double>(scale)));
        }
        BOOST_TEST(same_bits(y.span(), expected), Q::name << " row " << token);
        BOOST_TEST(y.damage().value_or("") == "");
      }
    }
  });
  BOOST_TEST(formats == 13);
}

BOOST_AUTO_TEST_CASE(closed_form) {
  const WeightMatrix table = test::f32_weight(3, 2, {1, 2, 3, 4, 5, 6});
  float y[2];
  embedding(y, table.view(), 2, 10.0f);
  BOOST_TEST(y[0] == 50.0f);
  BOOST_TEST(y[1] == 60.0f);
}

BOOST_AUTO_TEST_SUITE_END()
