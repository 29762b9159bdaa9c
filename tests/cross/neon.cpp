// The entry point of the tests that are compiled for ARM and run in an emulator, with what only
// that run can show: which kernels are chosen. LAMINA_EXPECTED_ISA names them.
#define BOOST_TEST_MODULE lamina
#include "runtime/instances/shared/kernels.h"

#include <boost/test/included/unit_test.hpp>

#include <cstdlib>

BOOST_AUTO_TEST_SUITE(cross)

BOOST_AUTO_TEST_CASE(the_best_kernels_that_the_processor_has_are_chosen) {
  const char* expected = std::getenv("LAMINA_EXPECTED_ISA");
  BOOST_REQUIRE(expected != nullptr);
  BOOST_TEST(lamina::cpu_kernels("").isa == expected);
}

BOOST_AUTO_TEST_SUITE_END()
