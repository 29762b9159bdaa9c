// Products of float weights by the kernels of every instruction set that this machine has.
// Covers runtime/instances/isa/vector_kernels.h.
#include "runtime/instances/shared/kernels.h"
#include "tests/backend/cpu/float_checks.h"
#include "tests/skip.h"

using namespace lamina;
using namespace lamina::test;

namespace {

template <class Check>
void for_each_isa(const Check& check) {
  for (const CpuKernels& kernels : usable_kernels()) check(kernels.floats, kernels.isa);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(isa_floats)

BOOST_AUTO_TEST_CASE(every_format_within_the_bound) { for_each_isa(check_float_products); }

BOOST_AUTO_TEST_CASE(small_integers_are_exact) { for_each_isa(check_float_products_of_integers); }

BOOST_AUTO_TEST_CASE(a_row_has_the_same_bits_in_any_company) {
  for_each_isa(check_float_bits_without_company);
}

BOOST_AUTO_TEST_CASE(a_nan_stays_in_its_row) { for_each_isa(check_that_a_nan_stays_in_its_row); }

BOOST_AUTO_TEST_CASE(instruction_sets_with_fused_arithmetic_agree_to_the_bit) {
  std::vector<HostMatrix> results;
  for (const CpuKernels& kernels : usable_kernels()) {
    if (kernels.isa == "portable") continue;
    const RandomWeight w = random_weight(FormatId::f16, 1100, 67, 11);
    results.push_back(multiply_floats(kernels.floats, w, random_matrix(20, 1100, 12)));
    BOOST_TEST(std::equal(results[0].row(0), results[0].row(0) + 20 * 67, results.back().row(0)),
               kernels.isa);
  }
  if (results.empty()) skip("this machine has no instruction set of its own kernels");
}

BOOST_AUTO_TEST_SUITE_END()
