// Several products share one input; what is no number reaches the results.
// Covers lamina/backend/cpu/weight.h, lamina/backend/cpu/panel/memory.h.
#include "lamina/backend/cpu/panel_linear.h"

#include "lamina/backend/cpu/simd/portable.h"
#include "tests/backend/cpu/panel/panel_checks.h"

#include <limits>

using namespace lamina;
using namespace lamina::test;

namespace {

constexpr PanelKernels kernels = panel_kernels<isa_portable::Simd>();

}  // namespace

BOOST_AUTO_TEST_SUITE(panel_linear)

BOOST_AUTO_TEST_CASE(products_with_one_input_are_those_alone) {
  const RandomWeight a = random_weight(FormatId::q4_k, 256, 40, 1);
  const RandomWeight b = random_weight(FormatId::q8_0, 256, 200, 2);
  const HostMatrix x = random_matrix(7, 256, 3);
  for (const int threads : {1, 2, 3, 7}) {
    ThreadPool pool(threads);
    const CpuWeight wa = make_panels(pool, kernels, a.view),
                    wb = make_panels(pool, kernels, b.view);
    HostMatrix ya(7, 40), yb(7, 200);
    ReusedBuffer memory;
    const WeightProduct products[] = {{&wa, ya.view()}, {&wb, yb.view()}};
    multiply(pool, kernels, quantize(pool, kernels, x.view(), memory), products);
    const HostMatrix alone_a = multiply_in_panels(kernels, a, x);
    const HostMatrix alone_b = multiply_in_panels(kernels, b, x);
    BOOST_TEST(std::equal(ya.row(0), ya.row(0) + 7 * 40, alone_a.row(0)));
    BOOST_TEST(std::equal(yb.row(0), yb.row(0) + 7 * 200, alone_b.row(0)));
  }
}

BOOST_AUTO_TEST_CASE(a_nan_reaches_every_result_of_its_row_and_no_other) {
  const RandomWeight w = random_weight(FormatId::q6_k, 512, 33, 1);
  HostMatrix x = random_matrix(4, 512, 2);
  x.row(2)[300] = std::numeric_limits<float>::quiet_NaN();
  const HostMatrix y = multiply_in_panels(kernels, w, x);
  for (std::int64_t t = 0; t < 4; ++t) {
    for (std::int64_t r = 0; r < 33; ++r) BOOST_TEST(std::isnan(y.row(t)[r]) == (t == 2));
  }
}

BOOST_AUTO_TEST_CASE(panels_that_are_not_kept_give_the_same_bits) {
  for (const FormatId format : {FormatId::q4_0, FormatId::q3_k, FormatId::q4_k}) {
    const RandomWeight w = random_weight(format, 512, 1000, 5);
    ThreadPool pool(3);
    const CpuWeight unkept{.tensor = w.view};
    for (const std::int64_t tokens : {1, 30}) {
      const HostMatrix x = random_matrix(tokens, 512, 6);
      ReusedBuffer memory;
      HostMatrix y(tokens, 1000);
      const WeightProduct product{&unkept, y.view()};
      multiply(pool, kernels, quantize(pool, kernels, x.view(), memory), {{product}});
      const HostMatrix kept = multiply_in_panels(kernels, w, x);
      BOOST_TEST(std::equal(y.row(0), y.row(0) + tokens * 1000, kept.row(0)));
    }
  }
}

BOOST_AUTO_TEST_CASE(tasks_cover_each_panel_once) {
  const RandomWeight w = random_weight(FormatId::q4_0, 64, 3000, 1);
  ThreadPool pool(1);
  const CpuWeight weight = make_panels(pool, kernels, w.view);
  const WeightProduct products[] = {{&weight, {}}, {&weight, {}}};
  for (const std::int64_t rows : {1, 100}) {
    for (const int threads : {1, 7, 200}) {
      std::int64_t end = 0, whole = 0;
      for (const PanelTask& task : panel_tasks(kernels, products, rows, threads)) {
        if (task.first == 0) end = 0;
        BOOST_TEST(task.first == end);
        BOOST_TEST(task.end > task.first);
        if (rows > kernels.direct_rows) {
          BOOST_TEST(task.end - task.first <= kernels.panels_together);
        }
        end = task.end;
        whole += task.end - task.first;
      }
      BOOST_TEST(whole == 2 * panels_of(3000));
    }
  }
}

BOOST_AUTO_TEST_CASE(tasks_of_one_row_shrink) {
  const RandomWeight w = random_weight(FormatId::q8_0, 4096, 4096, 1);
  ThreadPool pool(1);
  const CpuWeight weight = make_panels(pool, kernels, w.view);
  const WeightProduct product{&weight, {}};
  const auto tasks = panel_tasks(kernels, {&product, 1}, 1, 2);
  const auto panels = [](const PanelTask& task) { return task.end - task.first; };
  BOOST_TEST(panels(tasks.front()) == panels_of(4096) / 4);
  for (std::size_t i = 1; i < tasks.size(); ++i) {
    BOOST_TEST(panels(tasks[i]) <= panels(tasks[i - 1]));
  }
  BOOST_TEST(panels(tasks.back()) == 1);  // of 68 KiB
}

BOOST_AUTO_TEST_CASE(no_rows_are_no_work) {
  const RandomWeight w = random_weight(FormatId::q4_0, 64, 16, 1);
  const HostMatrix y = multiply_in_panels(kernels, w, HostMatrix(0, 64));
  BOOST_TEST(y.rows() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
