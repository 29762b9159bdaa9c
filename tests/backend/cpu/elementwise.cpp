// Norms, rope, gates and sums of rows with portable kernels.
#include "lamina/backend/cpu/elementwise.h"

#include "tests/backend/cpu/elementwise_checks.h"
#include "tests/backend/portable_cpu.h"

BOOST_AUTO_TEST_SUITE(elementwise)

BOOST_AUTO_TEST_CASE(rows_within_their_bounds) {
  lamina::test::check_rows(lamina::portable_kernels.rows, "portable");
}

BOOST_AUTO_TEST_SUITE_END()
