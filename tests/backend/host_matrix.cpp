// HostMatrix: rows where they should be, one after another.
#include "lamina/backend/host_matrix.h"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>

using namespace lamina;

BOOST_AUTO_TEST_SUITE(host_matrix)

static_assert(!std::is_copy_constructible_v<HostMatrix>);
static_assert(
    std::is_same_v<decltype(std::declval<const HostMatrix&>().view().data), const float*>);

BOOST_AUTO_TEST_CASE(rows_follow_each_other) {
  HostMatrix matrix(3, 5);
  BOOST_TEST(matrix.rows() == 3);
  BOOST_TEST(matrix.cols() == 5);
  for (std::int64_t r = 0; r < 3; ++r) {
    for (std::int64_t c = 0; c < 5; ++c) matrix.row(r)[c] = static_cast<float>(10 * r + c);
  }
  const HostMatrix& same = matrix;
  const MatrixView<const float> view = same.view();
  BOOST_TEST(view.rows == 3);
  BOOST_TEST(view.cols == 5);
  for (std::int64_t i = 0; i < 15; ++i) {
    BOOST_TEST(view.data[i] == static_cast<float>(10 * (i / 5) + i % 5));
    BOOST_TEST(same.row(i / 5)[i % 5] == view.data[i]);
  }
  matrix.view().row(2)[4] = -1;
  BOOST_TEST(same.row(2)[4] == -1.0f);
}

BOOST_AUTO_TEST_CASE(memory_is_aligned_and_moves) {
  HostMatrix matrix(7, 3);
  float* data = matrix.row(0);
  BOOST_TEST(reinterpret_cast<std::uintptr_t>(data) % Buffer::alignment == 0u);
  const HostMatrix moved = std::move(matrix);
  BOOST_TEST(moved.row(0) == data);
  BOOST_TEST(moved.rows() == 7);
}

BOOST_AUTO_TEST_CASE(empty_matrices) {
  const HostMatrix none, no_rows(0, 5), no_cols(5, 0);
  BOOST_TEST(none.view().data == nullptr);
  BOOST_TEST(none.rows() == 0);
  BOOST_TEST(no_rows.cols() == 5);
  BOOST_TEST(no_cols.rows() == 5);
  BOOST_TEST(no_cols.view().data == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()
