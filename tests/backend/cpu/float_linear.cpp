// Products of float weights by the portable kernels.
// Covers lamina/backend/cpu/kernels.h, lamina/backend/cpu/portable_kernels.h.
// Covers lamina/backend/cpu/float_rows/kernels.h, lamina/backend/cpu/float_rows/multiply.h.
// Covers lamina/backend/cpu/float_rows/product.h, lamina/backend/cpu/simd/load_elements.h.
#include "lamina/backend/cpu/float_linear.h"

#include "lamina/backend/cpu/portable_kernels.h"
#include "tests/backend/cpu/float_checks.h"

using namespace lamina;
using namespace lamina::test;

namespace {

constexpr FloatKernels kernels = portable_kernels.floats;

}  // namespace

BOOST_AUTO_TEST_SUITE(float_linear)

BOOST_AUTO_TEST_CASE(every_format_within_the_bound) { check_float_products(kernels, "portable"); }

BOOST_AUTO_TEST_CASE(small_integers_are_exact) {
  check_float_products_of_integers(kernels, "portable");
}

BOOST_AUTO_TEST_CASE(a_row_has_the_same_bits_in_any_company) {
  check_float_bits_without_company(kernels, "portable");
}

BOOST_AUTO_TEST_CASE(a_nan_stays_in_its_row) {
  check_that_a_nan_stays_in_its_row(kernels, "portable");
}

BOOST_AUTO_TEST_CASE(no_tokens_and_no_products) {
  const RandomWeight w = random_weight(FormatId::f32, 16, 4, 1);
  BOOST_TEST(multiply_floats(kernels, w, HostMatrix(0, 16)).rows() == 0);
  ThreadPool pool(2);
  ReusedBuffer memory;
  const HostMatrix x = random_matrix(1, 16, 1);
  BOOST_CHECK_NO_THROW(multiply_floats(pool, kernels, x.view(), {}, memory));
}

BOOST_AUTO_TEST_SUITE_END()
