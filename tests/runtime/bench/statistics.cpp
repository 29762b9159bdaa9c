// Means and spreads of numbers whose answers are known.
#include "runtime/bench/statistics.h"

#include <boost/test/unit_test.hpp>

#include <vector>

namespace lamina {
namespace {

using Numbers = std::vector<double>;

BOOST_AUTO_TEST_SUITE(bench_statistics)

BOOST_AUTO_TEST_CASE(known_answers) {
  BOOST_TEST(mean(Numbers{}) == 0);
  BOOST_TEST(mean(Numbers{7}) == 7);
  BOOST_TEST(mean(Numbers{2, 4, 4, 4, 5, 5, 7, 9}) == 5);
  BOOST_TEST(standard_deviation(Numbers{}) == 0);
  BOOST_TEST(standard_deviation(Numbers{7}) == 0);
  BOOST_TEST(standard_deviation(Numbers{3, 3, 3}) == 0);
  BOOST_TEST(standard_deviation(Numbers{1, 3}) == std::sqrt(2.0));
  BOOST_TEST(standard_deviation(Numbers{2, 4, 4, 4, 5, 5, 7, 9}) == std::sqrt(32.0 / 7));
}

BOOST_AUTO_TEST_CASE(close_times_keep_their_spread) {
  // Sums of squares would lose it: 1e18 + 2e9 + 1 has more digits than a double.
  BOOST_TEST(standard_deviation(Numbers{1e9 - 1, 1e9, 1e9 + 1}) == 1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace lamina
