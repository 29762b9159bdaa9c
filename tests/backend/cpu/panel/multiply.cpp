// The portable panel kernels: every format against double, and bits without company.
// Covers lamina/backend/cpu/panel/kernels.h, lamina/backend/cpu/panel/formats.h.
// Covers lamina/backend/cpu/simd/lanes.h, lamina/backend/cpu/simd/portable.h.
#include "lamina/backend/cpu/panel/multiply.h"

#include "lamina/backend/cpu/simd/portable.h"
#include "tests/backend/cpu/panel/panel_checks.h"

using namespace lamina;
using namespace lamina::test;

namespace {

constexpr PanelKernels kernels = panel_kernels<isa_portable::Simd>();

}  // namespace

BOOST_AUTO_TEST_SUITE(panel_multiply)

BOOST_AUTO_TEST_CASE(every_format_within_the_bound) {
  PanelFormats::for_each([]<class Q>() { check_products<Q>(kernels, "portable"); });
}

BOOST_AUTO_TEST_CASE(a_rows_bits_do_not_depend_on_its_company) {
  PanelFormats::for_each([]<class Q>() { check_bits_without_company<Q>(kernels, "portable"); });
}

BOOST_AUTO_TEST_SUITE_END()
