// Views: rows lie one after another, whatever the number of extents and the format.
#include "lamina/core/tensor.h"

#include <boost/test/unit_test.hpp>

#include <type_traits>
#include <vector>

using namespace lamina;

BOOST_AUTO_TEST_SUITE(tensor)

BOOST_AUTO_TEST_CASE(rows_of_a_file_tensor) {
  std::vector<std::byte> bytes(3 * 2 *
                               36);  // six rows of 64 weights in Q4_0: two blocks of 18 bytes
  TensorView view{.name = "w", .format = FormatId::q4_0, .extent = {64, 3, 2, 1}, .bytes = bytes};
  BOOST_TEST(view.cols() == 64);
  BOOST_TEST(view.rows() == 6);
  BOOST_TEST(view.elements() == 384);
  for (std::int64_t r = 0; r < 6; ++r) {
    BOOST_TEST((view.row(r).data() == bytes.data() + 36 * r));
    BOOST_TEST(view.row(r).size() == 36u);
  }
}

BOOST_AUTO_TEST_CASE(a_vector_is_one_row) {
  std::vector<std::byte> bytes(20);
  TensorView view{.name = "norm", .format = FormatId::f32, .extent = {5, 1, 1, 1}, .bytes = bytes};
  BOOST_TEST(view.rows() == 1);
  BOOST_TEST(view.row(0).size() == 20u);
}

BOOST_AUTO_TEST_CASE(rows_of_a_matrix) {
  float data[6] = {0, 1, 2, 3, 4, 5};
  const MatrixView<float> matrix{data, 2, 3};
  BOOST_TEST(matrix.row(1)[0] == 3.0f);
  BOOST_TEST(matrix.row_span(1).size() == 3u);
  matrix.row(0)[2] = 9.0f;
  const MatrixView<const float> read_only = matrix;
  BOOST_TEST(read_only.row(0)[2] == 9.0f);
  BOOST_TEST(read_only.rows == 2);
  BOOST_TEST(read_only.cols == 3);
}

static_assert(std::is_convertible_v<MatrixView<float>, MatrixView<const float>>);
static_assert(!std::is_convertible_v<MatrixView<const float>, MatrixView<float>>);

BOOST_AUTO_TEST_SUITE_END()
