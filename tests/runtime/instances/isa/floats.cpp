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
  int sets = 0;
  for (const FormatId format : float_formats) {
    const RandomWeight w = random_weight(format, 1100, 67, 11);
    for (const std::int64_t tokens : {20, 130}) {  // few and many of the widest vectors
      const HostMatrix x = random_matrix(tokens, 1100, 12);
      std::vector<HostMatrix> results;
      for (const CpuKernels& kernels : usable_kernels()) {
        if (kernels.isa == "portable") continue;
        results.push_back(multiply_floats(kernels.floats, w, x));
        const auto size = static_cast<std::size_t>(tokens * 67);
        BOOST_TEST(
            same_bits(std::span(results[0].row(0), size), std::span(results.back().row(0), size)),
            kernels.isa);
      }
      sets = static_cast<int>(results.size());
    }
  }
  if (sets == 0) skip("this machine has no instruction set of its own kernels");
}

BOOST_AUTO_TEST_SUITE_END()
