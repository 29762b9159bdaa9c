// Products of float weights by the portable kernels.
// Covers lamina/backend/cpu/kernels.h, lamina/backend/cpu/portable_kernels.h.
// Covers lamina/backend/cpu/float_rows/kernels.h, lamina/backend/cpu/float_rows/multiply.h.
// Covers lamina/backend/cpu/float_rows/phases.h, lamina/backend/cpu/float_rows/product.h.
// Covers lamina/backend/cpu/row_tiles.h, lamina/backend/cpu/simd/load_elements.h.
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

BOOST_AUTO_TEST_CASE(tasks_cover_each_row_once_and_shrink_for_one_token) {
  const RandomWeight w = random_weight(FormatId::f16, 64, 3000, 1);
  const CpuWeight weight{.tensor = w.view};
  const WeightProduct products[] = {{&weight, {}}, {&weight, {}}};
  for (const std::int64_t tokens : {1, 5}) {
    for (const int threads : {1, 2, 7, 200}) {
      std::int64_t end = 0, whole = 0;
      const auto tasks = float_tasks(products, {.tokens = tokens}, threads);
      for (const FloatTask& task : tasks) {
        if (task.first == 0) end = 0;
        BOOST_TEST(task.first == end);
        BOOST_TEST(task.end > task.first);
        BOOST_TEST(task.first % float_rows_together == 0);
        if (tokens > 1) BOOST_TEST(task.end - task.first <= float_rows_together);
        end = task.end;
        whole += task.end - task.first;
      }
      BOOST_TEST(whole == 2 * 3000);
      const std::int64_t first = tasks.front().end;
      const std::int64_t share = guided_share(2 * 3000, threads) / float_rows_together;
      if (tokens == 1) BOOST_TEST(first == std::max<std::int64_t>(share, 1) * float_rows_together);
    }
  }
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
