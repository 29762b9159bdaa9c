// One tile of Eigen's product: its layout, its accumulation, and the columns that must not see each
// other.
#include "lamina/backend/cpu/eigen_gemm.h"

#include "lamina/verify/compare.h"
#include "tests/backend/operands.h"

#include <boost/test/unit_test.hpp>

using namespace lamina;
using namespace lamina::test;

BOOST_AUTO_TEST_SUITE(eigen_gemm)

BOOST_AUTO_TEST_CASE(adds_w_x_transposed) {
  for (const std::int64_t rows : {1, 5, 24, 64}) {
    for (const std::int64_t inner : {1, 31, 32, 200, 256}) {
      const auto w =
          random_floats(static_cast<std::size_t>(rows * inner), 1, InputKind::small_integers);
      const std::int64_t stride = inner + 3;
      const auto x = random_floats(static_cast<std::size_t>(tile_tokens * stride), 2,
                                   InputKind::small_integers);
      std::vector<float> y(static_cast<std::size_t>(tile_tokens * rows), 1000.0f);
      multiply_tile(y.data(), w.data(), x.data(), rows, inner, stride);
      for (std::int64_t t = 0; t < tile_tokens; ++t) {
        for (std::int64_t r = 0; r < rows; ++r) {
          float sum = 1000.0f;  // exact: small integers
          for (std::int64_t k = 0; k < inner; ++k) {
            sum += w[static_cast<std::size_t>(r * inner + k)] *
                   x[static_cast<std::size_t>(t * stride + k)];
          }
          BOOST_TEST(y[static_cast<std::size_t>(t * rows + r)] == sum);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_token_has_the_same_bits_in_every_column) {
  const std::int64_t rows = 64, inner = 256;
  const auto w = random_floats(static_cast<std::size_t>(rows * inner), 3);
  const auto token = random_floats(static_cast<std::size_t>(inner), 4);
  std::vector<float> first;
  for (std::int64_t column = 0; column < tile_tokens; ++column) {
    auto x = random_floats(static_cast<std::size_t>(tile_tokens * inner),
                           5 + static_cast<std::uint64_t>(column));
    std::copy(token.begin(), token.end(), x.begin() + column * inner);
    std::vector<float> y(static_cast<std::size_t>(tile_tokens * rows), 0.0f);
    multiply_tile(y.data(), w.data(), x.data(), rows, inner, inner);
    const std::vector<float> result(y.begin() + column * rows, y.begin() + (column + 1) * rows);
    if (first.empty()) first = result;
    BOOST_TEST(same_bits(result, first), "column " << column);
  }
}

BOOST_AUTO_TEST_SUITE_END()
